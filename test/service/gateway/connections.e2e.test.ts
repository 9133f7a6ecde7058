import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createHost } from '../../../src/service/gateway/host.js'
import { createMetrics } from '../../../src/service/gateway/metrics.js'
import {
  CHAIN_ID,
  handlers,
  hear,
  MESSAGE,
  open,
  post,
  settings,
  speak,
  start,
  stopAll,
} from './gateway-fixture.js'

afterEach(stopAll)

const quick = {
  headersMilliseconds: 300,
  requestMilliseconds: 600,
  keepAliveMilliseconds: 300,
  checkMilliseconds: 50,
}
const HEAD = 'POST /zgt/try-it-out HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const ASK = `${HEAD}content-length: ${CHAIN_ID.length}\r\n\r\n${CHAIN_ID}`

/** A handler that answers when it is asked to, and reports when its caller has gone. */
const held = () => {
  const state = { entered: 0, gone: 0 }
  let letGo: () => void = () => undefined
  const open = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const ethChainId = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    state.entered += 1
    signal.addEventListener('abort', () => {
      state.gone += 1
    })
    await open
    return '0x133edcb' as const
  }
  return { state, letGo: () => letGo(), handlers: { ethChainId } }
}

const until = async (isSo: () => boolean): Promise<void> => {
  await expect.poll(isSo, { timeout: 120_000, interval: 10 }).toBe(true)
}

describe('slow callers', () => {
  it('who finish no head are let go', async () => {
    const { port } = await start({ connections: quick })
    const socket = await open(port)
    const timer = setInterval(() => socket.writable && socket.write('a: b\r\n'), 50)
    socket.write('GET / HTTP/1.1\r\n')
    expect(await hear(socket)).toContain('408 Request Timeout')
    clearInterval(timer)
  })

  it('who send a body byte by byte are let go', async () => {
    const { port } = await start({ connections: quick })
    const socket = await open(port)
    const timer = setInterval(() => socket.writable && socket.write(' '), 50)
    socket.write(`${HEAD}content-length: 1000\r\n\r\n`)
    await hear(socket)
    expect(socket.destroyed).toBe(true)
    clearInterval(timer)
  })

  it('who say nothing at all are let go', async () => {
    const { port } = await start({ connections: quick })
    const sockets = await Promise.all(Array.from({ length: 300 }, () => open(port)))
    const heard = await Promise.all(sockets.map((socket) => hear(socket)))
    expect(heard.every((text) => !text.includes('200'))).toBe(true)
    expect(await speak(port, ASK, '}')).toContain('"result":"0x133edcb"')
  })

  it('who keep a connection without using it are let go', async () => {
    const { port } = await start({ connections: quick })
    const socket = await open(port)
    const heard = hear(socket)
    socket.write(ASK)
    const begun = Date.now()
    expect(await heard).toContain('"result"')
    expect(Date.now() - begun).toBeGreaterThan(250)
  })

  it('who are too many find no room, and some when others leave', async () => {
    const { port } = await start({ connections: { most: 20 } })
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port)))
    const more = await open(port)
    more.write(ASK)
    expect(await hear(more)).toBe('')
    for (const socket of sockets) socket.destroy()
    await pause(50)
    expect(await speak(port, ASK, '}')).toContain('"result"')
  })

  it('do not keep others waiting', async () => {
    const { port } = await start()
    const slow = await open(port)
    slow.write(`${HEAD}content-length: ${CHAIN_ID.length}\r\n\r\n${CHAIN_ID.slice(0, 9)}`)
    expect(await speak(port, ASK, '}')).toContain('"result"')
    slow.write(CHAIN_ID.slice(9))
    expect(await hear(slow, '}')).toContain('"result"')
  })
})

describe('a caller who goes away', () => {
  it.each(['end', 'reset'])('by %s while he waits releases his handler', async (how) => {
    const { state, letGo, handlers } = held()
    const { port, metrics } = await start({ handlers })
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port)))
    for (const socket of sockets) socket.write(ASK)
    await until(() => state.entered === 20)
    for (const socket of sockets) how === 'end' ? socket.destroy() : socket.resetAndDestroy()
    await until(() => state.gone === 20)
    letGo()
    await pause(20)
    expect(await metrics.registry.metrics()).toContain('twinspec_http_requests_in_flight 0')
  })

  it('half, having asked, still hears the answer', async () => {
    const { port } = await start()
    const socket = await open(port)
    const heard = hear(socket)
    socket.end(ASK.replace('host: x', 'host: x\r\nconnection: close'))
    expect(await heard).toContain('"result"')
  })
})

describe('a stop', () => {
  it('finishes what was accepted, accepts nothing new, and ends the connections', async () => {
    const { state, letGo, handlers } = held()
    const { port, close } = await start({ handlers })
    const [busy, idle, partial] = [await open(port), await open(port), await open(port)]
    busy.write(ASK)
    idle.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    await hear(idle, '}')
    partial.write('POST /zgt')
    await until(() => state.entered === 1)
    const heard = hear(busy)
    const closing = close()
    await once(idle, 'close')
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
    await pause(50)
    letGo()
    const text = await heard
    expect(text).toContain('"result":"0x133edcb"')
    expect(text).toMatch(/connection: close/i)
    await closing
    expect(partial.destroyed || (await once(partial, 'close'))).toBeTruthy()
  })

  it('finishes a request whose body is still under way', async () => {
    const { port, close } = await start()
    const socket = await open(port)
    socket.write(`${HEAD}content-length: ${CHAIN_ID.length}\r\n\r\n${CHAIN_ID.slice(0, 9)}`)
    await pause(50)
    const heard = hear(socket)
    const closing = close()
    await pause(50)
    socket.write(CHAIN_ID.slice(9))
    expect(await heard).toContain('"result"')
    await closing
  })

  it('does not wait longer than it is asked to', async () => {
    const { state, handlers } = held()
    const { port, close } = await start({ handlers, settings: { stopSeconds: 1 } })
    const socket = await open(port)
    socket.write(ASK)
    await until(() => state.entered === 1)
    // The handler waits for good: without an end to its patience, this would too.
    await close()
    await until(() => state.gone === 1)
  })

  it('under load fails no request that was accepted', async () => {
    const { url, close } = await start({
      handlers: {
        ethChainId: async () => {
          await pause(5)
          return '0x133edcb' as const
        },
      },
    })
    let answered = 0
    let refused = 0
    const caller = async () => {
      for (;;)
        try {
          const answer = await post(`${url}/zgt/try-it-out`, CHAIN_ID)
          expect(await answer.json()).toMatchObject({ result: '0x133edcb' })
          answered += 1
        } catch (error) {
          const { cause } = error as { cause?: { code?: string } }
          expect(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']).toContain(cause?.code)
          refused += 1
          return
        }
    }
    const callers = Array.from({ length: 10 }, caller)
    await until(() => answered > 50)
    await close()
    await Promise.all(callers)
    expect(refused).toBe(10)
  })
})

describe('what operators read', () => {
  it('health is answered without asking anybody', async () => {
    const { url } = await start({ probes: { store: () => new Promise(() => undefined) } })
    const answer = await fetch(`${url}/health`)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
    expect((await fetch(`${url}/health`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${url}/health`, { method: 'POST' })).status).toBe(404)
  })

  it('readiness is asked of the parts, but not for each caller', async () => {
    let asked = 0
    let works = true
    const { url } = await start({
      probes: {
        store: async () => {
          asked += 1
        },
        node: async () => {
          // Neither what it failed by, nor where it is, is everybody's to know.
          if (!works) throw new Error('http://user:secret@host')
        },
      },
    })
    const ask = async () => {
      const answer = await fetch(`${url}/ready`)
      return [answer.status, await answer.json()]
    }
    for (let again = 0; again < 5; again += 1)
      expect(await ask()).toEqual([
        200,
        { ready: true, parts: { store: { ready: true }, node: { ready: true } } },
      ])
    expect(asked).toBe(1)
    works = false
    await pause(1_050)
    expect(await ask()).toEqual([
      503,
      {
        ready: false,
        parts: { store: { ready: true }, node: { ready: false, reason: 'it does not answer' } },
      },
    ])
  })

  it('readiness names the part that says nothing, and those that do', async () => {
    const { url } = await start({
      probes: { store: async () => undefined, node: () => new Promise(() => undefined) },
    })
    const answer = await fetch(`${url}/ready`)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        ready: false,
        parts: {
          store: { ready: true },
          node: { ready: false, reason: 'no answer within 3000 ms' },
        },
      },
    ])
  })

  it('metrics have few labels, whatever is called', async () => {
    const { url, metrics } = await start({ handlers })
    metrics.watchOutbox(async () => ({
      pending: 3,
      processing: 1,
      completed: 5,
      error: 0,
      oldestSeconds: 12,
    }))
    for (let index = 0; index < 20; index += 1) {
      await post(`${url}/zgt/try-it-out`, `{"jsonrpc":"2.0","method":"m${index}","id":1}`)
      await post(`${url}/nothing/${index}`, '')
    }
    await post(`${url}/zgt/try-it-out`, CHAIN_ID)
    await post(`${url}/zkt/nobody`, MESSAGE)
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const line of [
      'twinspec_rpc_calls_total{method="other",code="-32601"} 20',
      'twinspec_rpc_calls_total{method="eth_chainId",code="0"} 1',
      'twinspec_http_requests_total{operation="other",status="404"} 20',
      'twinspec_http_requests_total{operation="rpc",status="200"} 21',
      'twinspec_http_requests_total{operation="submitZkt",status="401"} 1',
      'twinspec_http_requests_in_flight 0',
      'twinspec_outbox_submissions{status="pending"} 3',
      'twinspec_outbox_oldest_seconds 12',
      'process_cpu_seconds_total',
    ])
      expect(text).toContain(line)
    expect(text).not.toMatch(/m1\b|nobody/)
  })

  it('metrics ask the queue one question at a time, and believe its answer for a while', async () => {
    const metrics = createMetrics({ freshMilliseconds: 200 })
    let asked = 0
    let answer: () => void = () => undefined
    metrics.watchOutbox(async () => {
      asked += 1
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      if (asked > 1) throw new Error('the store is dead')
      return { pending: asked, processing: 0, completed: 0, error: 0, oldestSeconds: 12 }
    })
    const read = () => metrics.registry.metrics()
    const both = [read(), read()]
    await new Promise((resolve) => setTimeout(resolve, 250))
    both.push(read())
    answer()
    for (const text of [...(await Promise.all(both)), await read()])
      expect(text).toContain('twinspec_outbox_submissions{status="pending"} 1')
    expect(asked).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 250))
    const last = read()
    await new Promise((resolve) => setTimeout(resolve, 20))
    answer()
    expect(await last).not.toContain('twinspec_outbox_submissions{')
    expect(asked).toBe(2)
  })

  it.each([
    [1, 10, 10 * 34 + 150],
    // One of the four is for callers with a key.
    [4, 10, 10 * 13 + 150],
  ])('rest while %i processes of %i s compile all that may wait', (processes, seconds, longest) => {
    const host = createHost({
      settings: { ...settings, compilerProcesses: processes, compilerSeconds: seconds },
      listener: () => undefined,
      metrics: createMetrics(),
      probes: {},
      isStopping: () => false,
    })
    expect(host.server.timeout).toBe(longest * 1_000)
  })
})
