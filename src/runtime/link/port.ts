import type { DuplexLink } from './link.js'

export type { DuplexLink } from './link.js'

/**
 * The link over one end of a `MessageChannel`: to a worker, a frame, an extension or another thread of Node. Each message is one
 * text. Messages that are not text are ignored. The client opens it once: a closed port cannot be opened again, and calls after
 * its end reject with a CallError of `network`.
 *
 * ```ts
 * const { port1, port2 } = new MessageChannel()
 * worker.postMessage({ port: port2 }, [port2])
 * const rpc = createRpcClient({ link: portLink(port1) })
 * ```
 */
export const portLink = (port: MessagePort): DuplexLink => {
  let isOpened = false
  return {
    kind: 'duplex',
    open: async ({ text, closed }) => {
      if (isOpened) throw new Error('the port was closed, or has another client')
      isOpened = true
      port.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') text(data)
      })
      // Browsers that do not have this event do not report that the other side has gone.
      port.addEventListener('close', () => closed())
      port.start()
      return {
        send: async (message) => port.postMessage(message),
        close: async () => port.close(),
      }
    },
  }
}
