import { beforeAll, describe, expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { lint } from '../../src/lint/lint.js'
import { diagnose } from '../emit/strictest.js'
import { apiOf } from '../read/api-of.js'
import { documentOf, type Revision, readSchema } from './mcp-document.js'
import { generateMcp, lastLineOf, programOf, startServer, whyNoMcp } from './mcp-programs.js'

if (whyNoMcp) console.warn(`test/link/mcp.e2e.test.ts: ${whyNoMcp}`)

describe.skipIf(whyNoMcp)('the schemas of MCP as documents', () => {
  const apiOfRevision = async (revision: Revision) => {
    const schema = readSchema(revision)
    if (!schema) throw new Error(whyNoMcp)
    return apiOf({ openrpc: documentOf(schema, revision) })
  }

  it('2025-11-25: 31 messages, each sent by the sides that the unions name', async () => {
    const api = await apiOfRevision('2025-11-25')
    const sent = api.serverMethods.map(({ method }) => method)
    expect(api.operations).toHaveLength(22)
    expect(sent).toHaveLength(17)
    expect(sent).toEqual(
      expect.arrayContaining(['ping', 'elicitation/create', 'notifications/message']),
    )
    expect(lint(api).filter(({ level }) => level === 'error')).toEqual([])
  })

  it('2026-07-28: no requests of the server', async () => {
    const api = await apiOfRevision('2026-07-28')
    const requests = api.serverMethods.filter(({ isNotification }) => !isNotification)
    expect(requests).toEqual([])
    expect(api.operations.map(({ method }) => method)).not.toContain('initialize')
    expect(lint(api).filter(({ level }) => level === 'error')).toEqual([])
  })
})

const USE = `import { createRpcClient, type RpcClient } from './rpc.client.js'
import { createServer, notOffered } from './server.js'

export const rpc: RpcClient = createRpcClient({
  handlers: {
    elicitationCreate: ({ message }) => ({ action: 'accept', content: { answer: message } }),
    notificationsMessage: ({ level, data }) => console.log(level.toUpperCase(), data),
  },
})
const onProgress = (value: { progress: number }) => console.log(value.progress)
const result = await rpc.with({ onProgress }).toolsCall({ name: 'build' })
if ('content' in result) console.log(result.content.length)
// @ts-expect-error a name is required
await rpc.toolsCall({ arguments: {} })

export const server = createServer({
  ...notOffered,
  toolsCall: async ({ name }, { peer, id, progress, signal }) => {
    await progress({ progress: 1, total: 2 })
    await peer?.notify.notificationsMessage({ level: 'info', data: { name, id } })
    const requestedSchema = { type: 'object' as const, properties: {} }
    const said = await peer?.with({ signal }).call.elicitationCreate({ message: 'sure?', requestedSchema })
    return { content: [{ type: 'text', text: said?.action ?? 'nobody' }] }
  },
}, { eventStreams: { session: { header: 'Mcp-Session-Id', begins: 'initialize' } } })
`

it.skipIf(whyNoMcp)(
  'what is generated of MCP 2025-11-25 compiles in strict TypeScript',
  async () => {
    const schema = readSchema('2025-11-25')
    if (!schema) throw new Error(whyNoMcp)
    const files = emitAll(
      await apiOf({ openrpc: documentOf(schema, '2025-11-25') }),
      [],
      ['client', 'server'],
    )
    const texts = new Map(files.map(({ name, text }) => [name, text]))
    expect(diagnose(new Map([...texts, ['use.ts', USE]]))).toEqual([])
  },
)

/** The command lines of both ends of a revision, over both carriers. */
const endsOf = async (revision: Revision) => {
  const year = revision.slice(0, 4)
  const folder = await generateMcp(revision)
  const ours = [...programOf('mcp-server.ts'), folder, revision]
  const theirs = programOf(`mcp/sdk-server-${year}.mjs`)
  const sdkClient = programOf(`mcp/sdk-client-${year}.mjs`)
  const ourClient = [...programOf(`mcp-${year}-client.ts`), folder]
  const overHttp = async (client: readonly string[], server: readonly string[]) =>
    lastLineOf([...client, 'http', await startServer([...server, 'http'])])
  const overStdio = (client: readonly string[], server: readonly string[]) =>
    lastLineOf([...client, 'stdio', ...server, 'stdio'])
  return { ours, theirs, sdkClient, ourClient, overHttp, overStdio }
}

describe.skipIf(whyNoMcp)('MCP 2025-11-25 and @modelcontextprotocol/sdk', () => {
  let ends!: Awaited<ReturnType<typeof endsOf>>
  beforeAll(async () => {
    ends = await endsOf('2025-11-25')
  })

  const SEEN_BY_SDK = {
    server: 'twinspec-mcp',
    tools: 15,
    text: 'This is a simple text response for testing.',
    progress: ['0/100', '50/100', '100/100'],
    logs: ['Tool execution started', 'Tool processing data', 'Tool execution completed'],
    sampled: 'LLM response: heard hello',
    elicited: 'User response: action=accept, content={"username":"who?","email":"ada@example.com"}',
    together: ['a', 'b', 'c'].map((one) => `LLM response: heard ${one}`),
    unknown: -32602,
    cancelled: '1',
    updated: ['test://watched-resource'],
  }

  it('a client of the SDK uses a generated server over HTTP', async () => {
    const { overHttp, sdkClient, ours } = ends
    expect(await overHttp(sdkClient, ours)).toMatchObject(SEEN_BY_SDK)
  })

  it('the same over standard input and output', async () => {
    const { overStdio, sdkClient, ours } = ends
    expect(await overStdio(sdkClient, ours)).toMatchObject(SEEN_BY_SDK)
  })

  const SEEN_BY_US = {
    server: 'sdk',
    tools: 7,
    text: 'plain',
    progress: ['0/100', '50/100', '100/100'],
    logs: ['logged'],
    sampled: 'heard hello',
    elicited: 'accept who?',
    unknown: true,
    stopped: 'aborted',
    cancelled: '1',
    read: 'a text',
    updated: ['test://watched'],
    pinged: {},
    warnings: [],
  }

  it('a generated client uses a server of the SDK over HTTP', async () => {
    const { overHttp, ourClient, theirs } = ends
    expect(await overHttp(ourClient, theirs)).toMatchObject(SEEN_BY_US)
  })

  it('the same over standard input and output', async () => {
    const { overStdio, ourClient, theirs } = ends
    expect(await overStdio(ourClient, theirs)).toMatchObject(SEEN_BY_US)
  })
})

describe.skipIf(whyNoMcp)('MCP 2026-07-28 and @modelcontextprotocol/client and server', () => {
  let ends!: Awaited<ReturnType<typeof endsOf>>
  beforeAll(async () => {
    ends = await endsOf('2026-07-28')
  })

  const SEEN_BY_SDK = {
    version: '2026-07-28',
    tools: 21,
    text: 'This is a simple text response for testing.',
    progress: ['0/100', '50/100', '100/100'],
    elicited: 'Hello, my name!',
    sampled: 'Paris',
    roots: '[{"uri":"file:///home/ada"}]',
    state: 'state-ok',
    rounds: 'round-2 my name my color',
    resource: '123',
    changes: ['tools'],
  }

  it('a client of the SDK uses a generated server over HTTP', async () => {
    const { overHttp, sdkClient, ours } = ends
    expect(await overHttp(sdkClient, ours)).toEqual(SEEN_BY_SDK)
  })

  it('the same over standard input and output', async () => {
    const { overStdio, sdkClient, ours } = ends
    expect(await overStdio(sdkClient, ours)).toEqual(SEEN_BY_SDK)
  })

  const SEEN_BY_US = {
    versions: ['2026-07-28'],
    tools: 4,
    text: 'plain',
    progress: ['0/100', '50/100', '100/100'],
    elicited: 'Hello, my name!',
    warnings: [],
  }

  it('a generated client uses a server of the SDK over HTTP', async () => {
    const { overHttp, ourClient, theirs } = ends
    expect(await overHttp(ourClient, theirs)).toEqual({
      ...SEEN_BY_US,
      unsupported: -32020,
      changes: ['acknowledged', 'tools'],
      listening: 'aborted',
    })
  })

  it('the same over standard input and output', async () => {
    const { overStdio, ourClient, theirs } = ends
    expect(await overStdio(ourClient, theirs)).toEqual({ ...SEEN_BY_US, changes: [] })
  })
})
