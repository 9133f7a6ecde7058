import { defineConfig } from 'vitest/config'
import { BUILT_FILES, importsBuilt } from './built/imports.js'

const NEVER = ['**/node_modules/**', 'test/bench/**']

/** Starts programs or browsers, compiles TypeScript or takes more than a few seconds: `npm run test:e2e`. */
const E2E = 'test/**/*.e2e.test.ts'

const SERVICE = [
  'test/service/**/*.test.ts',
  'test/libraries/*.test.ts',
  'test/regressions/service/*.test.ts',
]

const SERVICE_E2E = SERVICE.map((files) => files.replace('.test.ts', '.e2e.test.ts'))

const TRIALS = ['test/trials/**/*.test.ts']

/** They write sites, whose scripts were linked once for what was built. */
const SITES = ['test/docs/{browser,docs,example,hostile,service,try-it}.e2e.test.ts']

const BUILDS = 'test/built/build.ts'
const SHELF = 'test/pack/packed-tarball.ts'

/** One after the other: processes that run by clocks starve where other files compute beside them on two cores. */
const ONE_BY_ONE = { maxWorkers: 1, sequence: { groupOrder: 1 } }

/** The service starts processes of its own, which take a quarter of the time where they have not to be compiled. */
const IMPORTS_BUILT = { extends: true as const, plugins: [importsBuilt()] }
const BUILT = { server: { deps: { external: [BUILT_FILES] } } }

const IMPORTS_SOURCE = {
  extends: true as const,
  resolve: { conditions: ['twinspec-source'] },
  ssr: { resolve: { conditions: ['twinspec-source', 'node'] } },
}
const SOURCE = { execArgv: ['-C', 'twinspec-source'] }

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    // Vitest leaves a processor free by default, which is half of a machine with two.
    maxWorkers: '100%',
    // A slow machine may take long: a bound is there to end what hangs.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // A project lists what it includes itself: lists of the root would be joined to its own.
    projects: [
      {
        ...IMPORTS_SOURCE,
        test: {
          ...SOURCE,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, E2E, ...SERVICE, ...TRIALS],
          // They leave nothing behind them in their process, so that the next file finds its modules loaded.
          isolate: false,
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'unit-service',
          include: SERVICE,
          exclude: [...NEVER, E2E],
          globalSetup: [BUILDS],
        },
      },
      {
        ...IMPORTS_SOURCE,
        test: {
          ...SOURCE,
          name: 'e2e',
          include: [E2E],
          exclude: [...NEVER, ...SERVICE, ...SITES],
          isolate: false,
          globalSetup: [SHELF, BUILDS],
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'e2e-docs',
          include: SITES,
          exclude: NEVER,
          globalSetup: [SHELF, BUILDS],
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'e2e-service',
          include: SERVICE_E2E,
          exclude: NEVER,
          globalSetup: [SHELF, BUILDS],
          ...ONE_BY_ONE,
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'trials',
          include: TRIALS,
          exclude: NEVER,
          globalSetup: [BUILDS],
          ...ONE_BY_ONE,
        },
      },
    ],
  },
})
