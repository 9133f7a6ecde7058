import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a server on the loopback, which ends with the test. Resolves with its URL. */
export const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  running.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A URL of the loopback where no server listens any more. */
export const closedUrl = async (): Promise<string> => {
  const url = await listen(() => undefined)
  for (const server of running.splice(0)) await new Promise((resolve) => server.close(resolve))
  return url
}
