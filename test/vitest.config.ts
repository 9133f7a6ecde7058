import { defineConfig } from 'vitest/config'
import { BUILT_FILES, importsBuilt } from './built/imports.js'
import { SlowFirst } from './slow-first.js'

const NEVER = ['**/node_modules/**', 'test/bench/**']

/** Starts programs or browsers, compiles TypeScript or takes more than a few seconds: `npm run test:e2e`. */
const E2E = 'test/**/*.e2e.test.ts'

const SERVICE = ['test/service/**/*.test.ts', 'test/libraries/*.test.ts']

const SERVICE_E2E = SERVICE.map((files) => files.replace('.test.ts', '.e2e.test.ts'))

/** Small in `npm run test:e2e`, whole in `npm run trials`. */
const TRIALS = ['test/trials/**/*.test.ts']

/** Only in `npm run trials`: the largest documents, compiled. */
const LARGE = 'test/**/*.trial.test.ts'

/** They write sites, whose scripts were linked once for what was built. */
const SITES = ['test/docs/{browser,docs,example,hostile,service,try-it}.e2e.test.ts']

const BUILDS = 'test/built/build.ts'
const SHELF = 'test/pack/packed-tarball.ts'

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
    sequence: { sequencer: SlowFirst },
    // A slow machine may take long: a bound is there to end what hangs.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A project lists what it includes itself: lists of the root would be joined to its own.
    projects: [
      {
        ...IMPORTS_SOURCE,
        test: {
          ...SOURCE,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, E2E, LARGE, ...SERVICE, ...TRIALS],
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
        },
      },
      {
        ...IMPORTS_SOURCE,
        test: {
          ...SOURCE,
          name: 'large',
          include: [LARGE],
          exclude: NEVER,
          globalSetup: [SHELF, BUILDS],
        },
      },
    ],
  },
})
