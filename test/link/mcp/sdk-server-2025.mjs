// A server of the SDK for MCP 2025-11-25: `sdk-server-2025.mjs stdio|http`. Over HTTP it prints its URL.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  isInitializeRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

let cancelled = 0

const createMcpServer = () => {
  const capabilities = { logging: {}, resources: { subscribe: true } }
  const mcp = new McpServer({ name: 'sdk', version: '1.0.0' }, { capabilities })
  const text = (value) => ({ content: [{ type: 'text', text: value }] })
  const tool = (name, run) => mcp.registerTool(name, { description: name }, run)
  tool('plain', async () => text('plain'))
  tool('progress', async ({ _meta, sendNotification }) => {
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: _meta.progressToken, progress, total: 100 }
      await sendNotification({ method: 'notifications/progress', params })
    }
    return text('progressed')
  })
  tool('logging', async ({ sendNotification }) => {
    const params = { level: 'info', data: 'logged' }
    await sendNotification({ method: 'notifications/message', params })
    return text('logged')
  })
  tool('sampling', async ({ requestId }) => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hello' } }]
    const options = { relatedRequestId: requestId }
    const result = await mcp.server.createMessage({ messages, maxTokens: 10 }, options)
    return text(result.content.text)
  })
  tool('elicitation', async ({ requestId }) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const options = { relatedRequestId: requestId }
    const result = await mcp.server.elicitInput({ message: 'who?', requestedSchema }, options)
    return text(`${result.action} ${result.content?.name}`)
  })
  tool('wait', async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    cancelled += 1
    return text('was cancelled')
  })
  tool('count_cancelled', async () => text(String(cancelled)))
  mcp.registerResource(
    'files',
    new ResourceTemplate('test://{name}', { list: undefined }),
    {},
    async ({ href }) => ({ contents: [{ uri: href, text: 'a text' }] }),
  )
  mcp.server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    setTimeout(() => mcp.server.sendResourceUpdated({ uri: params.uri }), 50)
    return {}
  })
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, async () => ({}))
  return mcp
}

if (process.argv[2] === 'stdio') await createMcpServer().connect(new StdioServerTransport())
else {
  const sessions = new Map()
  const http = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    let transport = sessions.get(request.headers['mcp-session-id'])
    if (!transport && isInitializeRequest(body)) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      await createMcpServer().connect(transport)
    }
    if (transport) return transport.handleRequest(request, response, body)
    // Tells the test how many sessions are left.
    response.writeHead(404).end(String(sessions.size))
  })
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`))
}
