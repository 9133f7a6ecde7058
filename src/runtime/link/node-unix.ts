import { once } from 'node:events'
import { connect } from 'node:net'
import { connectStreams, type FrameOptions } from './frames.js'
import type { DuplexLink } from './link.js'

export type { FrameOptions, Framing } from './frames.js'
export type { DuplexLink } from './link.js'

/**
 * The link over a UNIX socket, or a named pipe of Windows, for Node, Deno and Bun. Each line is a text, as geth has it.
 *
 * ```ts
 * const rpc = createRpcClient({ link: unixLink('/home/ada/.ethereum/geth.ipc') })
 * ```
 */
export const unixLink = (path: string, options: FrameOptions = {}): DuplexLink => ({
  kind: 'duplex',
  open: async (events) => {
    const socket = connect(path)
    await once(socket, 'connect')
    return connectStreams({ input: socket, output: socket }, events, options)
  },
})
