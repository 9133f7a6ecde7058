import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, ROOT, whySkipped } from './project.js'

type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>>
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const { peerDependencies = {} } = manifestOf('package.json')

/** They are no part of generated code; `test/mock`, `test/read` and `test/emit` use the versions that are installed. */
const OF_THE_COMMAND_LINE = [
  '@open-rpc/generator',
  '@scalar/openapi-upgrader',
  '@stoplight/prism-cli',
]

it('the oldest version of each range is the one that is tested', () => {
  const { devDependencies = {} } = manifestOf('test/peers/oldest/package.json')
  const { devDependencies: own = {} } = manifestOf('package.json')
  for (const [name, range] of Object.entries(peerDependencies)) {
    if (OF_THE_COMMAND_LINE.includes(name)) continue
    const tested = devDependencies[name] ?? own[name]
    expect([name, tested]).toEqual([name, semver.minVersion(range)?.version])
  }
})

it('the newest version that is installed is in its range, and of its newest major version', () => {
  const { devDependencies: own = {} } = manifestOf('package.json')
  const { devDependencies: newest = {} } = manifestOf('test/peers/package.json')
  for (const [name, range] of Object.entries(peerDependencies)) {
    const tested = newest[name] ?? own[name] ?? ''
    const last = range.split('||').at(-1)?.trim() ?? ''
    expect([name, semver.satisfies(tested, last)]).toEqual([name, true])
  }
})

it('docs/libraries.md has the ranges and the versions that are tested', () => {
  const guide = readFileSync(join(ROOT, 'docs/libraries.md'), 'utf8').replaceAll('\\|', '|')
  const folders = ['test/peers/oldest', 'test/peers', '.'].map(
    (folder) => manifestOf(join(folder, 'package.json')).devDependencies ?? {},
  )
  for (const [name, range] of Object.entries(peerDependencies)) {
    if (OF_THE_COMMAND_LINE.includes(name)) continue
    const [oldest, newest, own] = folders.map((one) => one[name])
    const tested = [...new Set([oldest ?? own, newest ?? own])].join(', ')
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\``))
    expect(row).toContain(`\`${range}\``)
    expect(row).toContain(`| ${tested} |`)
  }
})

describe.each(['oldest', 'newest'] as const)('the %s versions of optional peers', (packages) => {
  const skipped = whySkipped(packages)
  if (skipped) console.warn(`test/peers/peers.e2e.test.ts: ${skipped}`)

  describe.skipIf(skipped)('', () => {
    let project: Awaited<ReturnType<typeof createProject>>
    const programs = ['peers.ts', 'tanstack-query.ts']
    beforeAll(async () => {
      project = await createProject({ plugins: 'msw,openapi-fetch,tanstack-query', packages })
      await cp(join(ROOT, 'generated'), join(project.folder, 'service'), { recursive: true })
      for (const name of programs)
        await cp(join(import.meta.dirname, 'programs', name), join(project.folder, name))
    })
    afterAll(() => project?.remove())

    it('compile with generated code', () => {
      const tracing = project.write(
        'tracing.ts',
        `import { context, propagation, trace } from '@opentelemetry/api'
import { openTelemetry, traceServer } from 'twinspec/runtime/open-telemetry'
import type { ServerCore } from 'twinspec/runtime/server'
const tracer = trace.getTracer('shop')
export const client = openTelemetry({ tracer })
export const traced = (server: ServerCore) => traceServer(server, { tracer, context, propagation })
`,
      )
      const files = programs.map((name) => join(project.folder, name))
      expect(project.errorsOf([...files, tracing])).toEqual([])
    })

    it('run', async () => {
      expect(await project.run('peers.ts')).toEqual([
        'viem 16n',
        'abitype 9n',
        'msw {"jsonrpc":"2.0","id":1,"result":12}',
        'openapi-fetch Ada',
        'fastify {"jsonrpc":"2.0","id":1,"result":12}',
        'hono {"jsonrpc":"2.0","id":1,"result":12}',
      ])
      const lines = await project.run('tanstack-query.ts')
      expect(JSON.parse(lines[0] ?? '')).toEqual(['batch', { levels: [12, 12], requests: 1 }])
      expect(lines.length).toBe(10)
    })
  })
})
