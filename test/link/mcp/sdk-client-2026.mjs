// Drives a server by the SDK for MCP 2026-07-28, and prints what it saw: `sdk-client-2026.mjs http URL`, or `stdio COMMAND…`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [, , kind, ...rest] = process.argv
const transport =
  kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(rest[0]))
    : new StdioClientTransport({ command: rest[0], args: rest.slice(1), stderr: 'inherit' })

const client = new Client(
  { name: 'sdk', version: '2.0.0' },
  {
    capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  },
)
const seen = { progress: [], changes: [] }
client.setRequestHandler('elicitation/create', async ({ params }) => {
  const [name] = Object.keys(params.requestedSchema.properties)
  return { action: 'accept', content: { [name]: name === 'ok' ? true : `my ${name}` } }
})
client.setRequestHandler('sampling/createMessage', async () => ({
  role: 'assistant',
  model: 'none',
  content: { type: 'text', text: 'Paris' },
}))
client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///home/ada' }] }))
client.setNotificationHandler('notifications/tools/list_changed', () => {
  seen.changes.push('tools')
})

await client.connect(transport)
const call = async (name, options = undefined) => {
  const result = await client.callTool({ name, arguments: {} }, options)
  return result.content[0].text
}
seen.version = client.getNegotiatedProtocolVersion()
seen.tools = (await client.listTools()).tools.length
seen.text = await call('test_simple_text')
const onprogress = ({ progress, total }) => seen.progress.push(`${progress}/${total}`)
await call('test_tool_with_progress', { onprogress })
seen.elicited = await call('test_input_required_result_elicitation')
seen.sampled = await call('test_input_required_result_sampling')
seen.roots = await call('test_input_required_result_list_roots')
seen.state = await call('test_input_required_result_request_state')
seen.rounds = await call('test_input_required_result_multi_round')
const resource = await client.readResource({ uri: 'test://template/123/data' })
seen.resource = JSON.parse(resource.contents[0].text).id
const subscription = await client.listen({ toolsListChanged: true })
await call('test_trigger_tool_change')
for (let tries = 0; tries < 100 && seen.changes.length === 0; tries += 1)
  await new Promise((resolve) => setTimeout(resolve, 20))
await subscription.close()
await client.close()
console.log(JSON.stringify(seen))
