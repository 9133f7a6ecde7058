import { readdirSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DuplexLink } from 'twinspec/runtime/links/stdio'
import { type Framing, stdioLink } from 'twinspec/runtime/links/stdio'
import { serveLink } from 'twinspec/runtime/server'
import type { FeedClient, FeedDefect } from './feed.js'
import { FEED_DEFECTS } from './feed-defects.js'

/**
 * The program of a feed over standard input and output. Its arguments are the framing, the index of a defect, and a folder by which
 * the programs of one test reach each other.
 */
export const serveFeed = async (
  create: (handlers: object) => Parameters<typeof serveLink>[0],
): Promise<void> => {
  const [framing = 'lines', index = '', folder = ''] = process.argv.slice(2)
  const server = create({
    feedNumber: () => 7,
    feedStart: async function* ([kind]: readonly string[]) {
      for (let number = 1; ; number += 1) {
        yield kind === 'heads' ? { number } : { address: `0x${number}` }
        await pause(25)
      }
    },
  })
  const options = { framing: framing as Framing }
  const own = stdioLink({ input: process.stdin, output: process.stdout }, options)
  const defect = FEED_DEFECTS[Number(index || Number.NaN)]?.[2]
  await serveLink(server, defect ? withDefect(own, defect, folder) : own)
}

/** The texts of a link, changed by a defect. */
const withDefect = (
  link: DuplexLink,
  { sent, received }: FeedDefect,
  folder: string,
): DuplexLink => ({
  kind: 'duplex',
  open: async (events) => {
    const connection = await link.open({
      ...events,
      text: (text) => {
        for (const one of sent?.(text, client) ?? [text]) events.text(one)
      },
    })
    const reply = (text: string) => void connection.send(text)
    const close = () => process.exit(1)
    const self = join(folder, `${process.pid}.sock`)
    const others = () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.sock') && join(folder, name) !== self)
        .map((name): FeedClient => {
          const to = join(folder, name)
          const send = (text: string) => {
            const socket = connect(to).on('error', () => undefined)
            socket.end(`${text}\n`)
          }
          return { reply: send, close: () => undefined, others: () => [] }
        })
    const client: FeedClient = { reply, close, others }
    if (folder !== '') listen(self, reply)
    return {
      ...connection,
      send: async (text) => {
        for (const one of received?.(text, client) ?? [text]) await connection.send(one)
      },
    }
  },
})

const listen = (path: string, reply: (text: string) => void): void => {
  const server = createServer((socket) => {
    let all = ''
    socket.setEncoding('utf8').on('data', (text) => {
      all += text
    })
    socket.on('end', () => reply(all.trimEnd()))
  })
  server.listen(path)
  server.unref()
}
