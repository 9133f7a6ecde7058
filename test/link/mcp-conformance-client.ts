/** A generated client for the client scenarios of the conformance suites: `mcp-conformance-client.ts FOLDER 2025|2026 URL`. */
import { pathToFileURL } from 'node:url'
import { httpLink } from 'twinspec/runtime/links/http'

const [, , folder = '', year = '', url = ''] = process.argv
const { createRpcClient } = await import(pathToFileURL(`${folder}/rpc.client.ts`).href)
const ended = new AbortController()
const clientInfo = { name: 'twinspec', version: '1.0.0' }
const meta = 'io.modelcontextprotocol/'

if (year === '2025') {
  const headers = { 'mcp-protocol-version': '2025-11-25' }
  const link = httpLink(url, { session: 'Mcp-Session-Id', headers })
  const rpc = createRpcClient({ link, signal: ended.signal })
  const protocolVersion = '2025-11-25'
  await rpc.initialize({ protocolVersion, capabilities: {}, clientInfo })
  await rpc.notificationsInitialized({})
  for (const { name } of (await rpc.toolsList({})).tools)
    await rpc.toolsCall({ name, arguments: { a: 5, b: 3 } })
} else {
  const headers = (text: string | undefined) => {
    const { method, params } = JSON.parse(text ?? '{}')
    const name = params?.name ?? params?.uri
    return {
      'mcp-protocol-version': '2026-07-28',
      ...(method && { 'mcp-method': method }),
      ...(name && { 'mcp-name': name }),
    }
  }
  const rpc = createRpcClient({ link: httpLink(url, { headers }), signal: ended.signal })
  const _meta = {
    [`${meta}protocolVersion`]: '2026-07-28',
    [`${meta}clientInfo`]: clientInfo,
    [`${meta}clientCapabilities`]: {},
  }
  await rpc.serverDiscover({ _meta }).catch(() => undefined)
  for (const { name } of (await rpc.toolsList({ _meta })).tools)
    await rpc.toolsCall({ name, arguments: { a: 5, b: 3 }, _meta })
}
ended.abort()
