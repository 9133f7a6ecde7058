import { defineConfig } from 'vitest/config'
import { BUILT_FILES, importsBuilt } from './built/imports.js'
import { Sequencer } from './lanes/sequencer.js'

const NEVER = ['**/node_modules/**', 'test/bench/**']

/** They leave nothing behind them in their process, so that the next file may run in it and finds its modules loaded. */
const COMPUTES = [
  'test/{conform,conformance,diff,emit,lint,model,runtime,schema,spec,types}/**/*.test.ts',
  'test/regressions/*.test.ts',
]

const SERVICE = [
  'test/service/**/*.test.ts',
  'test/libraries/*.test.ts',
  'test/regressions/service/*.test.ts',
]

/**
 * What runs in processes, by clocks and on sockets of its own starves where others compute beside it on two cores: of these
 * files and the trials one runs at a time, and whatever runs beside it stands behind it.
 */
const ALONE = [
  'test/service/*.test.ts',
  'test/libraries/*.test.ts',
  'test/regressions/service/*.test.ts',
  'test/service/{compiler,embedded-chain,gateway,node,outbox}/**/*.test.ts',
]

/** Two for what stands behind, one for whoever's turn it is, and one for who waits for its turn meanwhile. */
const WORKERS = { maxWorkers: 4 }

/** They write sites, whose scripts were linked once for what was built. */
const SITES = ['test/docs/{browser,docs,hostile,service,try-it}.test.ts']

const TRIALS = ['test/trials/**/*.test.ts']

const BUILDS = 'test/built/build.ts'

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
    // A slow machine may take long: a bound is there to end what hangs.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    sequence: { sequencer: Sequencer },
    // A project lists what it includes itself: lists of the root would be joined to its own.
    projects: [
      {
        ...IMPORTS_SOURCE,
        test: {
          ...SOURCE,
          name: 'computes',
          include: COMPUTES,
          exclude: NEVER,
          isolate: false,
          setupFiles: ['test/lanes/behind.ts'],
          ...WORKERS,
        },
      },
      {
        ...IMPORTS_SOURCE,
        test: {
          ...SOURCE,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...COMPUTES, ...SERVICE, ...SITES, ...TRIALS],
          // They start processes and listen, and end both: what is left is what they have loaded, the compiler and its libraries.
          isolate: false,
          globalSetup: ['test/pack/packed-tarball.ts', BUILDS],
          setupFiles: ['test/lanes/behind.ts'],
          ...WORKERS,
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'sites',
          include: SITES,
          exclude: NEVER,
          globalSetup: ['test/pack/packed-tarball.ts', BUILDS],
          setupFiles: ['test/lanes/behind.ts'],
          ...WORKERS,
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'service',
          include: SERVICE,
          exclude: [...NEVER, ...ALONE],
          globalSetup: [BUILDS],
          setupFiles: ['test/lanes/behind.ts'],
          ...WORKERS,
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'alone',
          include: ALONE,
          exclude: NEVER,
          globalSetup: [BUILDS, 'test/lanes/turn.ts', 'test/pack/packed-tarball.ts'],
          setupFiles: ['test/lanes/in-turn.ts'],
          ...WORKERS,
        },
      },
      {
        ...IMPORTS_BUILT,
        test: {
          ...BUILT,
          name: 'trials',
          include: TRIALS,
          exclude: NEVER,
          globalSetup: [BUILDS, 'test/lanes/turn.ts'],
          setupFiles: ['test/lanes/in-turn.ts'],
          ...WORKERS,
        },
      },
    ],
  },
})
