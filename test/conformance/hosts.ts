import {
  createServer as createNodeServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../../generated/server.js'
import { type ServerOptions, toFetchHandler, toNodeListener } from '../../src/runtime/server.js'
import type { Host } from './contract.js'
import { api } from './documents.js'
import { exampleHandlers } from './handlers.js'

/** The generated server behind node:http itself. */
export const hostOnNode = (options: ServerOptions = {}): Promise<Host> =>
  listen(toNodeListener(createServer(exampleHandlers(), options)))

/** The generated server as a function of the Fetch standard, with the few lines around it that such a platform has. */
export const hostOnFetch = (options: ServerOptions = {}): Promise<Host> => {
  const handler = toFetchHandler(createServer(exampleHandlers(), options))
  return listen((request, response) => {
    handler(standardRequest(request)).then(
      (answer) => write(answer, response),
      (error: Error) => response.destroy(error),
    )
  })
}

const listen = async (listener: RequestListener): Promise<Host> => {
  const server = createNodeServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    httpUrl: url,
    rpcUrl: `${url}${api.rpc?.path}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

const standardRequest = (request: IncomingMessage): Request => {
  const { method = 'GET', url = '/', headers } = request
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: given,
    ...(hasBody && { body: chunksOf(request) as unknown as BodyInit, duplex: 'half' }),
  } as RequestInit)
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  for await (const chunk of request as AsyncIterable<Buffer>) yield new Uint8Array(chunk)
}

const write = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(Buffer.from(await answer.arrayBuffer()))
}
