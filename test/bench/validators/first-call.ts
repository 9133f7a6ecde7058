import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Bench, Row } from '../bench.js'
import { zktExchange } from '../canned.js'
import { type Bundle, bundleOf, bytesOf, GENERATED } from './bundle.js'

/** What a page has loaded when its first call is answered that is no easy one: with a key in its address, or with a token. */
export const firstCallBench: Bench = { name: 'sizes-first-call', run: firstCalls }

async function firstCalls(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const call of await calls()) rows.push(await carried(call))
  return rows
}

async function calls(): Promise<readonly FirstCall[]> {
  const submission = await zktExchange()
  const record = { status: 'pending', queueId: '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' }
  const token = { security: [['token']], schemes: { token: { kind: 'bearer' } } }
  const auth = { apiKey: 'a-key' }
  return [
    {
      name: 'ethChainId answered, key in its path',
      limit: 13_000,
      program: `
        import { createRpcConnection, ethChainId } from '${GENERATED}/rpc.methods.ts'
        export const client = (_, options) => {
          const connection = createRpcConnection(options)
          return { ethChainId: () => ethChainId(connection) }
        }`,
      given: (server) => [[], { server, auth }],
      call: ({ ethChainId }) => ethChainId?.(),
      path: '/zgt/a-key',
      answer: { jsonrpc: '2.0', id: 1, result: '0x133edcb' },
      want: '0x133edcb',
    },
    {
      name: 'getZktTransaction answered, with a token',
      limit: 18_000,
      program: programOf('getZktTransaction', token),
      given: (server) => [[], { server, auth: { token: 'a-token' } }],
      call: ({ getZktTransaction }) => getZktTransaction?.({ path: { queueId: record.queueId } }),
      path: `/gtn/v1/zkt/transaction/${record.queueId}`,
      answer: record,
      want: record,
    },
    {
      name: 'submitZkt answered, key in its path',
      limit: 20_000,
      program: programOf('submitZkt'),
      given: (server) => [[], { server, auth }],
      call: ({ submitZkt }) => submitZkt?.({ body: submission.body }),
      path: '/zkt/a-key',
      answer: submission.answer as object,
      want: submission.answer,
    },
  ]
}

type FirstCall = {
  readonly name: string
  /** Bytes. */
  readonly limit: number
  /** Exports `client`. */
  readonly program: string
  /** What `client` takes, by the origin that answers. */
  readonly given: (origin: string) => readonly [servers: readonly object[], options: object]
  readonly call: (client: Client) => Promise<unknown> | undefined
  /** What has to be asked of the origin. */
  readonly path: string
  readonly answer: object
  /** What the call has to come to. */
  readonly want: unknown
}

type Client = Readonly<Record<string, (input?: object) => Promise<unknown>>>

/** A client of one operation and nothing else; `more` stands in its descriptor in place of what the document says. */
const programOf = (id: string, more: object = {}): string => `
  import { createHttp } from 'twinspec/runtime/http'
  import { ${id} as documented } from '${GENERATED}/operations.ts'
  import { ${id} } from '${GENERATED}/validators.ts'
  const operation = Object.assign({}, documented, ${JSON.stringify(more)})
  export const client = (servers, options) =>
    createHttp({ servers, limits: {}, operations: { ${id}: operation } }, { ${id} }, options)`

async function carried(first: FirstCall): Promise<Row> {
  const bundle = await bundleOf(first.program)
  const loaded = await loadedBy(bundle, first)
  const bytes = bytesOf(bundle.filter(({ name }) => loaded.has(name)))
  const before = bytesOf(bundle.filter(({ isFirst }) => isFirst))
  const name = `${first.name} (${before} B before it)`
  const against = { name: 'limit', bytes: first.limit }
  return { what: 'bundle, gzip', measured: { name, bytes }, against, atMost: 1 }
}

/** The names of the files that have run when the call is answered, over a socket. */
async function loadedBy(bundle: Bundle, first: FirstCall): Promise<ReadonlySet<string>> {
  const asked: unknown[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(first.answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const scope = globalThis as { loaded?: string[] }
    scope.loaded = []
    for (const { name, text } of bundle) {
      await writeFile(join(folder, name), `globalThis.loaded.push('${name}');${text}`)
    }
    const entry = bundle.find(({ isEntry }) => isEntry)?.name ?? ''
    const { client } = await import(pathToFileURL(join(folder, entry)).href)
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answered = await first.call(client(...first.given(origin)))
    if (!isDeepStrictEqual([answered, asked], [first.want, [first.path]])) {
      throw new Error(`${first.name}: ${asked} was asked and came to ${JSON.stringify(answered)}`)
    }
    return new Set(scope.loaded)
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
