import { type Connect, connect as connectOnPlatform, type Socket } from './web-socket.js'

/** Opens the WebSocket of the platform; on Node 20, which has none, that of the package ws. */
export const connect: Connect = async (address, terms) => {
  if ('WebSocket' in globalThis) return await connectOnPlatform(address, terms)
  const { WebSocket } = await import('ws')
  const { protocols, headers } = terms
  return new WebSocket(address, [...protocols], { headers }) as unknown as Socket
}
