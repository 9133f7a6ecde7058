import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards connections to a port, until it cuts them. */
export const startCuttingProxy = async (port: number) => {
  const open = new Set<Socket>()
  let items = 0
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const one of [client, upstream]) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => open.delete(one))
    }
    client.pipe(upstream)
    upstream.pipe(client)
    upstream.on('data', (bytes) => {
      items += String(bytes).split('"eth_subscription"').length - 1
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const one of open) one.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** How many items of subscriptions the server has sent. */
    items: () => items,
    stop: () => {
      cut()
      server.close()
    },
  }
}
