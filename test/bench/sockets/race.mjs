// A process of plain JavaScript that calls a feed over a WebSocket as each client does; `sockets.ts` bundles it.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { WebSocketProvider } from 'ethers'
import { createPublicClient, webSocket } from 'viem'
import { WebSocket } from 'ws'
import { createSubscriptions, serveHandlers } from '../../../src/runtime/duplex.ts'
import { socketLink } from '../../../src/runtime/link/socket.ts'
import { createRpc } from '../../../src/runtime/rpc.ts'
import { validator } from '../../../src/runtime/validate.ts'
import { cpuRace, inFlight } from '../cpu-race.ts'

const { task, rounds, times, feed } = JSON.parse(process.argv[2])

const server = fork(feed, [], { execArgv: [] })
const { port } = await new Promise((resolve) => server.once('message', resolve))
const url = `ws://127.0.0.1:${port}`

const plain = (() => {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const pending = new Map()
  const listeners = new Map()
  let last = 0
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString())
    if (message.method !== undefined)
      return listeners.get(message.params.subscription)?.(message.params.result)
    pending.get(message.id)(message.result)
    pending.delete(message.id)
  })
  const opened = new Promise((resolve) => socket.once('open', resolve))
  return {
    opened,
    listeners,
    call: (method, params) =>
      new Promise((resolve) => {
        last += 1
        pending.set(last, resolve)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }))
      }),
  }
})()
await plain.opened

const operation = (id, method, names, more = {}) => ({
  ...{ kind: 'rpc', id, method, paramStructure: 'by-position', errors: [], idempotent: true },
  params: names.map((name) => ({ name, required: true })),
  ...more,
})
const hex = { type: 'string', pattern: '^0x[0-9a-f]+$' }
const hash = { type: 'string', pattern: '^0x[0-9a-f]{64}$' }
const head = {
  type: 'object',
  required: ['number', 'hash', 'parentHash'],
  properties: { number: hex, hash, parentHash: hash },
}
const list = (...items) => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
})
const checks = (params, result) => ({
  params: validator(() => params),
  result: validator(() => result),
})
const service = {
  servers: [],
  path: '/',
  operations: {
    ethBlockNumber: operation('ethBlockNumber', 'eth_blockNumber', []),
    benchSend: operation('benchSend', 'bench_send', ['count']),
    ethUnsubscribe: operation('ethUnsubscribe', 'eth_unsubscribe', ['id']),
    ethSubscribe: operation('ethSubscribe', 'eth_subscribe', ['kind'], {
      subscription: {
        unsubscribe: 'eth_unsubscribe',
        id: '/subscription',
        notifications: [{ method: 'eth_subscription', item: '/result' }],
      },
    }),
  },
  sent: {
    ethSubscription: operation('ethSubscription', 'eth_subscription', ['subscription', 'result'], {
      paramStructure: 'by-name',
      isNotification: true,
    }),
  },
}
const validators = {
  ethBlockNumber: checks(list(), hex),
  benchSend: checks(list({ type: 'integer' }), true),
  ethUnsubscribe: checks(list(hex), { type: 'boolean' }),
  ethSubscribe: checks(list({ type: 'string' }), hex),
  ethSubscription: checks(
    {
      type: 'object',
      required: ['subscription', 'result'],
      properties: { subscription: hex, result: head },
    },
    true,
  ),
}
const own = createRpc(service, validators, { link: socketLink(url) }, undefined, {
  serveHandlers,
  createSubscriptions,
})

const viem = createPublicClient({ transport: webSocket(url) })
const ethers = new WebSocketProvider(url, 1, { staticNetwork: true })
await ethers.ready

const calls = {
  twinspec: () => own.ethBlockNumber(),
  'ws with JSON.parse': () => plain.call('eth_blockNumber', []),
  viem: () => viem.request({ method: 'eth_blockNumber' }),
  ethers: () => ethers.send('eth_blockNumber', []),
}

/** Subscribes, has as many items sent, and resolves when all have arrived. */
const items = {
  twinspec: async (count) => {
    const subscription = own.subscribe.ethSubscribe('newHeads', { buffer: count })
    let arrived = 0
    const first = subscription.next()
    await new Promise((resolve) => setTimeout(resolve, 20))
    const sent = own.benchSend(count)
    for (let step = await first; !step.done; step = await subscription.next()) {
      arrived += 1
      if (arrived === count) break
    }
    await subscription.return()
    await sent
  },
  'ws with JSON.parse': async (count) => {
    const id = await plain.call('eth_subscribe', ['newHeads'])
    let arrived = 0
    const whole = new Promise((resolve) => {
      plain.listeners.set(id, () => {
        arrived += 1
        if (arrived === count) resolve()
      })
    })
    await plain.call('bench_send', [count])
    await whole
    await plain.call('eth_unsubscribe', [id])
  },
  viem: async (count) => {
    let arrived = 0
    let resolve
    const whole = new Promise((end) => {
      resolve = end
    })
    const { unsubscribe } = await viem.transport.subscribe({
      params: ['newHeads'],
      onData: () => {
        arrived += 1
        if (arrived === count) resolve()
      },
    })
    await viem.request({ method: 'bench_send', params: [count] })
    await whole
    await unsubscribe()
  },
  ethers: async (count) => {
    const id = await ethers.send('eth_subscribe', ['newHeads'])
    let arrived = 0
    const whole = new Promise((resolve) => {
      ethers._register(id, {
        _handleMessage: () => {
          arrived += 1
          if (arrived === count) resolve()
        },
      })
    })
    await ethers.send('bench_send', [count])
    await whole
    await ethers.send('eth_unsubscribe', [id])
  },
}

const WIDTH = 64
for (const [side, call] of Object.entries(calls)) assert.equal(await call(), '0x10d4f', side)
const works =
  task === 'call'
    ? Object.entries(calls).map(([side, call]) => [side, (count) => inFlight(call, count, WIDTH)])
    : Object.entries(items)
const report = (progress) => process.send({ report: progress })
/** Milliseconds of the clock for one message, of the last round. */
const walls = {}
const timed = works.map(([side, work]) => [
  side,
  async (count) => {
    const begun = performance.now()
    await work(count)
    walls[`wall, ${side}`] = (performance.now() - begun) / count
  },
])
const result = await cpuRace(Object.fromEntries(timed), { times, rounds, report })
process.send({ sides: { ...result, ...walls } }, () => {
  server.disconnect()
  process.exit()
})
