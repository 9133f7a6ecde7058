import { createServer, type RequestListener, type Server } from 'node:http'
import { onTestFinished } from 'vitest'

export const bad = { description: 'Invalid.' }
export const text = { type: 'string', maxLength: 20 }
const parameter = (name: string) => ({ name, in: 'query', schema: text })

/** An OpenAPI document with so many operations that read, each with parameters for which values are made up. */
export const notesDocument = (count: number) => ({
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  servers: [{ url: 'http://127.0.0.1' }],
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/notes-${at}`,
      {
        get: {
          operationId: `readNotes${at}`,
          tags: [`first, and ${at}`],
          parameters: ['author', 'title', 'place'].map(parameter),
          responses: { 200: { description: 'All.' }, 400: bad },
        },
      },
    ]),
  ),
})

/** The URL of a server that answers with a status alone, and is closed after the test. */
export const startNotes = (statusOf: (path: string, method: string) => number): Promise<string> =>
  startListener(({ url = '', method = '' }, response) => {
    response.writeHead(statusOf(url, method), { allow: 'GET, HEAD' }).end()
  })

export const startListener = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => close(server))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const close = (server: Server): void => {
  server.closeAllConnections()
  server.close()
}
