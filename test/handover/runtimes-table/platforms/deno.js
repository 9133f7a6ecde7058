import { interceptHere } from './msw-server.js'
import { listenByNode } from './node-listener.js'

const listenByDeno = async (server) => {
  const { toFetchHandler } = await import('@acme/zkt/server')
  const handle = toFetchHandler(server)
  const options = { port: 0, hostname: '127.0.0.1', onListen: () => undefined }
  const listener = Deno.serve(options, (request) => handle(request))
  return {
    send: (path, init) => fetch(`http://127.0.0.1:${listener.addr.port}${path}`, init),
    close: () => listener.shutdown(),
  }
}

export const ways = [listenByDeno, listenByNode]

/** As it is loaded, MSW opens a BroadcastChannel, for which Deno would run on for ever. */
export const intercept = async (handlers) => {
  const end = await interceptHere(handlers)
  return () => {
    end()
    setTimeout(() => Deno.exit(), 100)
  }
}
