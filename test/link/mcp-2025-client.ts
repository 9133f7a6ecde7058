/** Drives a server of the SDK by a generated client, and prints what it saw: `mcp-2025-client.ts FOLDER http URL`, or `stdio COMMAND…`. */
import { createClientLink, type Rpc, until } from './mcp-link.js'

const seen: Record<string, unknown> = {}
const progress: unknown[] = []
const logs: unknown[] = []
const updated: unknown[] = []

const handlers = {
  notificationsMessage: ({ data }: Rpc) => logs.push(data),
  notificationsResourcesUpdated: ({ uri }: Rpc) => updated.push(uri),
  notificationsToolsListChanged: () => undefined,
  samplingCreateMessage: ({ messages }: Rpc) => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: `heard ${messages[0].content.text}` },
  }),
  elicitationCreate: ({ message }: Rpc) => ({ action: 'accept', content: { name: message } }),
}

const { createRpcClient, link, ended } = await createClientLink({
  session: 'Mcp-Session-Id',
  listen: true,
  headers: { 'mcp-protocol-version': '2025-11-25' },
})
const warnings: unknown[] = []
const onWarning = (warning: unknown) => warnings.push(warning)
const rpc = createRpcClient({ link, handlers, onWarning, signal: ended.signal })
const call = async (name: string, more: object = {}, options?: object) => {
  const params = { name, arguments: {}, ...more }
  const result = await (options ? rpc.with(options) : rpc).toolsCall(params)
  return result.content[0].text
}
const begun = await rpc.initialize({
  protocolVersion: '2025-11-25',
  capabilities: { sampling: {}, elicitation: { form: {} } },
  clientInfo: { name: 'twinspec', version: '1.0.0' },
})
seen.server = begun.serverInfo.name
await rpc.notificationsInitialized({})
seen.tools = (await rpc.toolsList({})).tools.length
seen.text = await call('plain')
const onProgress = (value: Rpc) => progress.push(`${value.progress}/${value.total}`)
await call('progress', {}, { onProgress })
await call('logging')
seen.sampled = await call('sampling')
seen.elicited = await call('elicitation')
seen.unknown = (await rpc.toolsCall({ name: 'no such tool' })).isError
const stop = new AbortController()
const stopped = call('wait', {}, { signal: stop.signal }).catch(({ reason }) => reason)
setTimeout(() => stop.abort(), 200)
seen.stopped = await stopped
await until(async () => {
  seen.cancelled = await call('count_cancelled')
  return seen.cancelled === '1'
})
const uri = 'test://watched'
seen.read = (await rpc.resourcesRead({ uri })).contents[0].text
await rpc.resourcesSubscribe({ uri })
await until(async () => updated.length > 0)
await rpc.resourcesUnsubscribe({ uri })
seen.pinged = await rpc.ping({})
ended.abort()
console.log(JSON.stringify({ ...seen, progress, logs, updated, warnings }))
setTimeout(() => process.exit(), 500)
