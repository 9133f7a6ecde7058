import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTwinspec, twinspec } from '../cli/command-line.js'
import { CORPORA } from '../conformance/corpora.js'
import { createProject, ROOT, snippetsOf, whySkipped } from './project.js'

const skipped = whySkipped()
if (skipped) console.warn(`test/peers/tanstack-query.e2e.test.ts: ${skipped}`)

describe.skipIf(skipped)('docs/tanstack-query.md, with TanStack Query', () => {
  let project: Awaited<ReturnType<typeof createProject>>
  let program = ''
  beforeAll(async () => {
    project = await createProject({ plugins: 'tanstack-query' })
    program = join(project.folder, 'tanstack-query.ts')
    await cp(join(import.meta.dirname, 'programs/tanstack-query.ts'), program)
  })
  afterAll(() => project?.remove())

  const generate = async (name: string, openapi: string | undefined, openrpc: string) => {
    const result = await twinspec(
      'generate',
      ...(openapi === undefined ? [] : ['--openapi', join(ROOT, openapi)]),
      ...['--openrpc', resolve(ROOT, openrpc), '--allow-outside', dirname(dirname(STARKNET))],
      ...['--with', 'tanstack-query', '--out', join(project.folder, name)],
    )
    expect([result.stderr, result.code]).toEqual([expect.any(String), 0])
  }

  it('the program and every snippet, React among them, compile under all strict flags', () => {
    const [definition, ...others] = snippetsOf('tanstack-query.md')
    const files = [
      project.write('queries.ts', definition?.text ?? ''),
      ...others.map(({ title, text }) => project.write(`${title.replace(/\W/g, '-')}.ts`, text)),
    ]
    expect(files.length).toBeGreaterThan(3)
    expect(project.errorsOf([program, ...files])).toEqual([])
  })

  it('queries, infinite queries and mutations of both protocols run in a QueryClient', async () => {
    const lines = await project.run(program)
    expect(Object.fromEntries(lines.map((line) => JSON.parse(line)))).toEqual(BEHAVIOUR)
  })

  it('the snippet without a framework runs against the mock', async () => {
    const ending = new AbortController()
    const mock = startTwinspec(['mock', ...project.documents, '--port', '0'], ending.signal)
    await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(mock.said.stdout) ?? []
    const snippets = snippetsOf('tanstack-query.md')
    const definition = snippets[0]?.text.replace('http://127.0.0.1:4010', address) ?? ''
    project.write('queries.ts', definition)
    const { text = '' } = snippets.find(({ title }) => title === 'Without a framework') ?? {}
    expect(await project.run(project.write('without.ts', text))).toEqual(['12 true pending'])
    ending.abort()
    await mock.code
  })

  it('the documents of the service are typed: variants, polling, what is marked x-idempotent', async () => {
    await generate('service', 'spec/openapi.yaml', 'spec/openrpc.yaml')
    const uses = project.write(
      'service.ts',
      `import { QueryClient } from '@tanstack/query-core'
import { createClient } from './service/client.js'
import { createHttpQueries, createRpcQueries } from './service/tanstack-query.js'
const client = createClient()
const http = createHttpQueries(client.http)
const rpc = createRpcQueries(client.rpc)
const queries = new QueryClient()
export const record = await queries.fetchQuery(http.getZktTransaction.queryOptions({ path: { queueId: 'q' } }))
export const status: string = record.status
export const height: string = await queries.fetchQuery(rpc.ethBlockNumber.queryOptions())
export const block = queries.getQueryData(rpc.ethGetBlockByNumber.queryKey('latest', false))?.hash
export const submit = http.submitZkt.mutationOptions().mutationFn({ body: { arguments: 'hello' } })
// @ts-expect-error it writes, and is not marked
export const sponsored = rpc.chainSendSponsoredTransaction.queryOptions
`,
    )
    expect(project.errorsOf([join(project.folder, 'service/tanstack-query.ts'), uses])).toEqual([])
  })

  it.skipIf(!existsSync(STARKNET))('Starknet, a real document, is typed', async () => {
    await generate('starknet', undefined, STARKNET)
    const uses = project.write(
      'starknet.ts',
      `import { createRpcClient } from './starknet/rpc.client.js'
import { createRpcQueries } from './starknet/tanstack-query.js'
const rpc = createRpcQueries(createRpcClient({ server: 'http://127.0.0.1:1', batch: 'auto' }))
export const key = rpc.starknetGetBlockWithTxHashes.queryKey('latest')
export const height: Promise<number> = rpc.starknetBlockNumber.queryOptions().queryFn({ signal: AbortSignal.timeout(1) })
`,
    )
    expect(project.errorsOf([join(project.folder, 'starknet/tanstack-query.ts'), uses])).toEqual([])
  })

  it('one file is generated, and no other file contains any of it', async () => {
    const text = await readFile(join(project.folder, 'generated/http.client.ts'), 'utf8')
    expect(text).not.toContain('tanstack')
  })
})

const STARKNET = join(CORPORA, 'documents/openrpc/starknet/api/starknet_api_openrpc.json')

const BEHAVIOUR = {
  batch: { levels: [12, 12], requests: 1 },
  infinite: { ids: ['o-1', 'o-1'], more: false, requests: ['GET /orders?status=open&cursor=c2'] },
  'infinite rpc': { skus: ['tea-1', 'tea-2', 'tea-3'], requests: 2 },
  mutation: { id: 'o-1', left: 12, requests: 2 },
  known: [12, true],
  error: 'no such order',
  'error rpc': ['Unknown article', true, false],
  abort: { result: 'cancelled', aborted: ['/orders/slow'] },
  invalidated: true,
  keys: [
    ['Shop', 'getOrder'],
    ['Shop', 'getOrder', { path: { id: 'o-1' } }],
    ['Shop', 'listOrders', {}, 'pages'],
    ['Stock', 'stockLevel', ['tea-1']],
    ['testnet', 'Stock', 'stockLevel'],
    true,
  ],
}
