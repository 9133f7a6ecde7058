// A server of the SDK for MCP 2026-07-28: `sdk-server-2026.mjs stdio|http`. Over HTTP it prints its URL.
import { createServer } from 'node:http'
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

const createMcpServer = () => {
  const mcp = new McpServer(
    { name: 'sdk', version: '2.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  const text = (value) => ({ content: [{ type: 'text', text: value }] })
  const tool = (name, run) => mcp.registerTool(name, { description: name }, run)
  tool('plain', async () => text('plain'))
  tool('progress', async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return text('progressed')
  })
  tool('elicitation', async ({ mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, 'name')
    if (content) return text(`Hello, ${content.name}!`)
    const requestedSchema = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    }
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: 'who?', requestedSchema }) },
    })
  })
  tool('change', async () => {
    handler?.notify.toolsChanged()
    return text('changed')
  })
  return mcp
}

let handler
if (process.argv[2] === 'stdio') serveStdio(createMcpServer)
else {
  handler = createMcpHandler(createMcpServer)
  const http = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const { method, headers, url } = request
    const reply = await handler.fetch(
      new Request(`http://127.0.0.1${url}`, {
        method,
        headers,
        signal: gone.signal,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    )
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    try {
      for await (const chunk of reply.body ?? []) response.write(chunk)
    } finally {
      response.end()
    }
  })
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`))
}
