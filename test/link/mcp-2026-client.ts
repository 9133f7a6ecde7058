/** Drives a server of the SDK by a generated client, and prints what it saw: `mcp-2026-client.ts FOLDER http URL`, or `stdio COMMAND…`. */
import { createClientLink, type Rpc, until } from './mcp-link.js'

const META = 'io.modelcontextprotocol/'
const VERSION = '2026-07-28'

const { createRpcClient, link, ended } = await createClientLink({
  headers: (text) => {
    const { method, params } = JSON.parse(text ?? '{}')
    const name = params?.name ?? params?.uri
    return {
      'mcp-protocol-version': VERSION,
      ...(method && { 'mcp-method': method }),
      ...(name && { 'mcp-name': name }),
    }
  },
})
const progress: unknown[] = []
const changes: unknown[] = []
const handlers = {
  notificationsSubscriptionsAcknowledged: () => changes.push('acknowledged'),
  notificationsToolsListChanged: () => changes.push('tools'),
}
const warnings: unknown[] = []
const onWarning = (warning: unknown) => warnings.push(warning)
const rpc = createRpcClient({ link, handlers, onWarning, signal: ended.signal })
const _meta = {
  [`${META}protocolVersion`]: VERSION,
  [`${META}clientInfo`]: { name: 'twinspec', version: '1.0.0' },
  [`${META}clientCapabilities`]: { elicitation: { form: {} } },
}
const seen: Record<string, unknown> = {}
/** Answers what the server asks for, as long as it does. */
const call = async (name: string, options = {}): Promise<string> => {
  let params: Rpc = { name, arguments: {}, _meta }
  for (let round = 0; round < 5; round += 1) {
    const result = await rpc.with(options).toolsCall(params)
    if (result.resultType !== 'input_required') return result.content[0].text
    const inputResponses = Object.fromEntries(
      Object.keys(result.inputRequests).map((key) => [
        key,
        { action: 'accept', content: { [key]: `my ${key}` } },
      ]),
    )
    params = { ...params, inputResponses, requestState: result.requestState }
  }
  return 'too many rounds'
}
const found = await rpc.serverDiscover({ _meta })
seen.versions = found.supportedVersions
seen.tools = (await rpc.toolsList({ _meta })).tools.length
seen.text = await call('plain')
const onProgress = (value: Rpc) => progress.push(`${value.progress}/${value.total}`)
await call('progress', { onProgress })
seen.elicited = await call('elicitation')
if (process.argv[3] === 'http')
  seen.unsupported = await rpc
    .toolsList({ _meta: { ..._meta, [`${META}protocolVersion`]: '2000-01-01' } })
    .catch(({ code }: Rpc) => code)
if (process.argv[3] === 'http') {
  const stop = new AbortController()
  const listening = rpc
    .with({ signal: stop.signal, timeout: Number.POSITIVE_INFINITY })
    .subscriptionsListen({ _meta, notifications: { toolsListChanged: true } })
    .catch(({ reason }: Rpc) => reason)
  await until(async () => changes.length > 0)
  await call('change')
  await until(async () => changes.length > 1)
  stop.abort()
  seen.listening = await listening
}
ended.abort()
console.log(JSON.stringify({ ...seen, progress, changes, warnings }))
setTimeout(() => process.exit(), 500)
