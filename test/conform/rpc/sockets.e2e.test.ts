import { connect, createServer as createSocketServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Case } from '../../../src/conform/case.js'
import { createWire } from '../../../src/conform/wire/wire.js'
import {
  type Answering,
  type CheckContext,
  giving,
  judge,
  listen,
  listenerOf,
  unless,
  valid,
} from './fake-rpc-server.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const judged = async (url: string, ...names: readonly string[]) => judgedWith({}, url, ...names)

const judgedWith = async (more: CheckContext, url: string, ...names: readonly string[]) => {
  const { wire, close } = createWire()
  closing.push(close)
  const tried = ({ name }: Case) => names.some((one) => name.endsWith(one))
  return judge(valid, {
    url,
    wire,
    tried,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms / 100)),
    ...more,
  })
}

const serve = async (answering: Answering, most?: number, options = {}) => {
  const { url, stop } = await listen(listenerOf(answering, most), options)
  closing.push(stop)
  return url
}

/** A server of one's own making, for what no server of HTTP does. */
const serveSocket = async (listener: (socket: Socket) => void): Promise<string> => {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined)
    listener(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const SIZES = [
  'a body over the limit',
  'a chunked body over the limit',
  'that inflates over the limit',
]
const PIPES = ['over one connection']

describe('bodies over the limit', () => {
  it('a server that refuses them is not complained about', async () => {
    const { findings } = await judged(await serve(valid), ...SIZES)
    expect(findings).toEqual([])
  })

  it('a server that takes them has a finding', async () => {
    const desk: Answering = ({ method }) => (method === 'POST' ? { body: giving() } : undefined)
    const { rules } = await judged(await serve(desk, 10_000_000), ...SIZES)
    expect(rules).toEqual([
      'oversized-body-accepted',
      'oversized-stream-accepted',
      'inflated-body-unbounded',
    ])
  })

  it('a server that reads them first has a finding', async () => {
    const { rules } = await judged(await serve(valid, 10_000_000), SIZES[0] as string)
    expect(rules).toEqual(['oversized-body-read-whole'])
  })
})

describe('a server that keeps no idle connection', () => {
  it('is not blamed for closing one while the rate limit is waited for', async () => {
    const { url, stop } = await listen(listenerOf(valid), { timeout: 0 })
    closing.push(stop)
    const hasty = await serveSocket((socket) => {
      const there = connect(Number(new URL(url).port), '127.0.0.1')
      there.on('error', () => undefined)
      socket.setTimeout(60, () => socket.destroy())
      socket.pipe(there).pipe(socket)
      socket.on('close', () => there.destroy())
    })
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 150))
    const pace = { take: wait }
    const { findings, skipped } = await judgedWith({ pace }, hasty, ...SIZES.slice(0, 2))
    expect(findings).toEqual([])
    expect([...skipped]).toEqual([])
  })

  it('is not passed where nobody takes a connection', async () => {
    const names = [...SIZES.slice(0, 2), ...PIPES]
    const tried = ({ name }: Case) => names.some((one) => name.endsWith(one))
    const { findings, seen } = await judge(valid, { url: 'http://127.0.0.1:9', tried })
    expect(findings).toEqual([])
    const [[why, what] = []] = seen.skipped
    expect(why).toMatch(/^no connection was made: /)
    expect(what?.size).toBe(4)
  })
})

describe('many requests over one connection', () => {
  it('answered in their order', async () => {
    expect((await judged(await serve(valid), ...PIPES)).findings).toEqual([])
  })

  it('a server that closes after each answer is within its rights', async () => {
    const desk: Answering = (asked) => ({ ...valid(asked), headers: { connection: 'close' } })
    expect((await judged(await serve(desk), ...PIPES)).findings).toEqual([])
  })

  it('answered out of order', async () => {
    const swapped = unless(({ text }) =>
      text.includes('"id":7}') ? { body: giving('8') } : undefined,
    )
    const { findings } = await judged(await serve(swapped), ...PIPES)
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ['pipelined-responses-reordered', 'call 7 of 100 got a result, which is not its response'],
    ])
  })

  it('a notification whose answer comes with the next call', async () => {
    let held = ''
    const late: Answering = (asked) => {
      if (!asked.text.includes('"id"')) held = giving('null')
      const said = held && asked.text.includes('"after"') ? { body: held } : valid(asked)
      return said
    }
    const { rules } = await judged(await serve(late), ...PIPES)
    expect(rules).toEqual(['notification-answered-later'])
  })

  it('a server that says nothing of HTTP', async () => {
    const url = await serveSocket((socket) =>
      socket.once('data', () => socket.write('hello\r\n\r\n')),
    )
    const { rules } = await judge(valid, {
      url,
      tried: ({ name }) => name.includes('100 calls over'),
    })
    expect(rules).toEqual(['pipelined-responses-reordered'])
  })
})

describe('slow callers', () => {
  const options = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 }

  it('a server that hangs up is not complained about', async () => {
    const { findings } = await judged(await serve(valid, 200_000, options), 'slow callers')
    expect(findings).toEqual([])
  })

  it('a server that listens for ever has a finding', async () => {
    const patient = { headersTimeout: 0, requestTimeout: 0 }
    const { rules } = await judged(await serve(valid, 200_000, patient), 'slow callers')
    expect(rules).toEqual(['slow-caller-not-closed'])
  })

  it('a server that has no time for others has a finding', async () => {
    let open = 0
    const url = await serveSocket((socket) => {
      open += 1
      socket.on('close', () => {
        open -= 1
      })
      socket.on('data', (bytes) => {
        if (open > 8 || !bytes.includes('"hours"')) return
        const body = giving()
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        )
      })
    })
    const { rules } = await judged(url, 'slow callers')
    expect(rules).toContain('slow-callers-block-others')
  })
})
