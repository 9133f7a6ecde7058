import { interceptHere } from './msw-server.js'
import { listenByNode } from './node-listener.js'

const listenByBun = async (server) => {
  const { toFetchHandler } = await import('@acme/zkt/server')
  const handle = toFetchHandler(server)
  const listener = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => handle(request),
  })
  return {
    send: (path, init) => fetch(`http://127.0.0.1:${listener.port}${path}`, init),
    close: () => listener.stop(true),
  }
}

export const ways = [listenByBun, listenByNode]
export const intercept = interceptHere
