import { type ByteStreams, connectStreams, type FrameOptions } from './frames.js'
import type { DuplexLink } from './link.js'

export type { ByteOutput, ByteStreams, FrameOptions, Framing } from './frames.js'
export type { DuplexLink } from './link.js'

/**
 * The link over two streams of bytes: standard input and output of this process, or of a child. Each line is a text; with the
 * framing `content-length`, headers precede each, as in LSP. It is opened once.
 *
 * ```ts
 * const child = spawn('server')
 * const rpc = createRpcClient({ link: stdioLink({ input: child.stdout, output: child.stdin }) })
 * ```
 */
export const stdioLink = (streams: ByteStreams, options: FrameOptions = {}): DuplexLink => {
  let isOpened = false
  return {
    kind: 'duplex',
    open: async (events) => {
      if (isOpened) throw new Error('the streams were closed, or have another owner')
      isOpened = true
      return connectStreams(streams, events, options)
    },
  }
}
