/** Serves handlers by a generated server: `mcp-server.ts FOLDER REVISION stdio|http`. Over HTTP it prints its URL. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { HttpError } from 'twinspec/runtime/errors'
import { stdioLink } from 'twinspec/runtime/links/stdio'
import { type ServerOptions, serveLink, toNodeListener } from 'twinspec/runtime/server'

const [, , folder = '', revision = '', transport = ''] = process.argv
const { createServer } = await import(pathToFileURL(`${folder}/server.ts`).href)
const { createHandlers, errorStatuses } = await import(`./mcp-${revision.slice(0, 4)}-handlers.ts`)

const session = { header: 'Mcp-Session-Id', begins: 'initialize' }

const options: ServerOptions = {
  errorStatuses,
  eventStreams: revision === '2025-11-25' ? { session } : {},
  // A page that makes its own host name point here sends that name.
  admit: ({ headers }) => {
    if (transport === 'stdio') return
    if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(String(headers.host))) return
    throw new HttpError({
      operation: '',
      status: 403,
      body: { error: 'unknown host' },
      headers: new Headers(),
      message: 'unknown host',
    })
  },
}
const server = createServer(createHandlers(), options)
if (transport === 'stdio') {
  const { closed } = await serveLink(
    server,
    stdioLink({ input: process.stdin, output: process.stdout }),
  )
  await closed
} else {
  const http = createHttpServer(toNodeListener(server)).listen(0, '127.0.0.1', () => {
    console.log(`http://localhost:${(http.address() as AddressInfo).port}/mcp`)
  })
}
