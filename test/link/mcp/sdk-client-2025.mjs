// Drives a server by the SDK for MCP 2025-11-25, and prints what it saw: `sdk-client-2025.mjs http URL`, or `stdio COMMAND…`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

const [, , kind, ...rest] = process.argv
const transport =
  kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(rest[0]))
    : new StdioClientTransport({ command: rest[0], args: rest.slice(1), stderr: 'inherit' })

const capabilities = { sampling: {}, elicitation: { form: {} } }
const client = new Client({ name: 'sdk', version: '1.0.0' }, { capabilities })
const seen = { logs: [], updated: [], progress: [] }
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
  seen.logs.push(params.data)
})
client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
  seen.updated.push(params.uri)
})
client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
  role: 'assistant',
  model: 'none',
  content: { type: 'text', text: `heard ${params.messages[0].content.text}` },
}))
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
  action: 'accept',
  content: { username: params.message, email: 'ada@example.com' },
}))

await client.connect(transport)
const call = async (name, args = {}, options = undefined) => {
  const result = await client.callTool({ name, arguments: args }, undefined, options)
  return result.content[0].text
}
seen.server = client.getServerVersion().name
seen.tools = (await client.listTools()).tools.length
seen.text = await call('test_simple_text')
const onprogress = ({ progress, total }) => seen.progress.push(`${progress}/${total}`)
await call('test_tool_with_progress', {}, { onprogress })
await call('test_tool_with_logging')
seen.sampled = await call('test_sampling', { prompt: 'hello' })
seen.elicited = await call('test_elicitation', { message: 'who?' })
const together = ['a', 'b', 'c'].map((prompt) => call('test_sampling', { prompt }))
seen.together = await Promise.all(together)
seen.unknown = await call('no such tool').catch(({ code }) => code)
const stop = new AbortController()
const stopped = call('wait', {}, { signal: stop.signal }).catch(({ name }) => name)
setTimeout(() => stop.abort('enough'), 200)
await stopped
// The server tells how many calls were cancelled.
for (let tries = 0; tries < 50 && seen.cancelled !== '1'; tries += 1) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  seen.cancelled = await call('count_cancelled')
}
await client.subscribeResource({ uri: 'test://watched-resource' })
for (let tries = 0; tries < 100 && seen.updated.length === 0; tries += 1)
  await new Promise((resolve) => setTimeout(resolve, 20))
await client.unsubscribeResource({ uri: 'test://watched-resource' })
await client.ping()
if (kind === 'http') await transport.terminateSession()
await client.close()
console.log(JSON.stringify(seen))
