import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from the default export
export default defineConfig({
  resolve: { conditions: ['twinspec-source'] },
  ssr: { resolve: { conditions: ['twinspec-source', 'node'] } },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/bench/**'],
    pool: 'forks',
    execArgv: ['-C', 'twinspec-source'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
