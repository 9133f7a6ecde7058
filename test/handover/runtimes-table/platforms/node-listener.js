import { createServer } from 'node:http'

/** A generated server behind `node:http`, which Bun and Deno have too. */
export const listenByNode = async (server) => {
  const { toNodeListener } = await import('@acme/zkt/server')
  const listener = createServer(toNodeListener(server))
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${listener.address().port}`
  const close = () =>
    new Promise((resolve) => {
      listener.close(resolve)
      listener.closeAllConnections()
    })
  return { send: (path, init) => fetch(url + path, init), close }
}
