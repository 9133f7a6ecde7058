import { defineConfig } from 'vitest/config'

const NEVER = ['**/node_modules/**', 'test/bench/**']

/** They leave nothing behind them in their process, so that the next file may run in it and finds its modules loaded. */
const COMPUTES = ['test/{emit,evolve,model,runtime,spec,types}/**/*.test.ts']

/**
 * What runs in processes, by clocks and on sockets of its own starves where others compute beside it on two cores: these
 * files come last, one at a time.
 */
const ALONE = [
  'test/service/*.test.ts',
  'test/service/{compiler,embedded-chain,gateway,node,outbox}/**/*.test.ts',
]

const TRIALS = ['test/trials/**/*.test.ts']

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  resolve: { conditions: ['twinspec-source'] },
  ssr: { resolve: { conditions: ['twinspec-source', 'node'] } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    pool: 'forks',
    execArgv: ['-C', 'twinspec-source'],
    // A slow machine may take long: a bound is there to end what hangs.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // A project lists what it includes itself: lists of the root would be joined to its own.
    projects: [
      {
        extends: true,
        test: {
          name: 'computes',
          include: COMPUTES,
          exclude: NEVER,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...COMPUTES, ...ALONE, ...TRIALS],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: NEVER,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'trials',
          include: TRIALS,
          exclude: NEVER,
          globalSetup: ['test/trials/built-service.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
