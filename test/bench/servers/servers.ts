import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Bench, BenchOptions, Row } from '../bench.js'
import { CANNED_RESULTS } from '../canned.js'
import { inFlight } from '../cpu-race.js'
import { bundleSide, installPeers } from '../peers.js'
import { interleave } from '../rounds.js'
import { runSides } from '../sides.js'
import { METHODS } from '../validators/methods.js'
import { readSubjects } from '../validators/subjects.js'

/** What a request costs the process of the server, beside a canned answer of node:http and beside other servers. */
export const serverBenches: readonly Bench[] = [
  {
    name: 'servers-call',
    run: (options) => race('eth_chainId', CALL, 5000, 1.1, options),
  },
  {
    name: 'servers-batch',
    run: async (options) => race('batch of 40', await batchOf(), 2000, 2.9, options),
  },
  { name: 'servers-adapter', run: adapter },
]

const CALL = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }

async function batchOf(): Promise<unknown> {
  const { list } = await readSubjects()
  return JSON.parse(list.find(({ schema }) => schema === 'RequestBatch')?.text ?? 'null')
}

const SIDES = `ours,canned answer,fastify,hono,jayson,json-rpc-2.0,@open-rpc/server-js`.split(',')

const PATH = '/zgt/try-it-out'

async function race(
  what: string,
  sent: unknown,
  times: number,
  atMost: number,
  { rounds, report }: BenchOptions,
): Promise<readonly Row[]> {
  report('building all sides')
  await installPeers()
  const program = await bundleSide(new URL('side.mjs', import.meta.url), 'servers')
  const text = JSON.stringify(sent)
  const want = answerTo(sent)
  const job = {
    results: CANNED_RESULTS,
    canned: JSON.stringify(want),
    request: Array.isArray(sent) ? { type: 'array', maxItems: 40, items: REQUEST } : REQUEST,
    path: PATH,
  }
  const running: Running[] = []
  try {
    for (const name of SIDES) {
      report(`starting ${name}`)
      const side = await start(program, name, job)
      running.push(side)
      const reply = await post(undefined, side.port, text)
      // Not one byte less to write: only the order of members may be another.
      if (
        !isDeepStrictEqual(JSON.parse(reply), want) ||
        reply.length !== JSON.stringify(want).length
      )
        throw new Error(`${name} answers ${reply}`)
      report(`warming up ${name}`)
      // Compiling takes processor time as well, and goes on for thousands of requests.
      await load(side.port, text, times * 5)
    }
    const sides = running.map(({ name, port, child }) => ({
      name,
      run: async () => {
        const before = await cpuOf(child, 'begin')
        await load(port, text, times)
        return { milliseconds: ((await cpuOf(child, 'end')) - before) / times }
      },
    }))
    const [measured, against, ...peers] = await interleave(sides, rounds, report)
    if (!measured || !against) throw new Error('nobody ran')
    const row = { what: `server, ${what}`, measured }
    return [
      { ...row, against, atMost },
      ...peers.map((peer) => ({ ...row, against: peer, atMost: 1 })),
    ]
  } finally {
    for (const { child } of running) child.disconnect()
  }
}

const WIDTH = 32

/** What fastify is given to validate: as the others, nothing about the params of each method. */
const REQUEST = {
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'number', 'null'] },
    method: { enum: METHODS },
    params: { type: 'array' },
  },
}

type Running = { readonly name: string; readonly port: number; readonly child: ChildProcess }

function answerTo(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(answerTo)
  const { id, method } = sent as { readonly id: unknown; readonly method: Method }
  return { jsonrpc: '2.0', id, result: CANNED_RESULTS[method] }
}

type Method = keyof typeof CANNED_RESULTS

async function start(program: string, name: string, job: object): Promise<Running> {
  const child = fork(program, [JSON.stringify({ ...job, name })], {
    execArgv: ['--expose-gc'],
    // Some greet the world.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with exit code ${code}`)
  })
  // It ends after the race too, when nobody waits for that any longer.
  gone.catch(() => undefined)
  const [{ port }] = await Promise.race([once(child, 'message'), gone])
  return { name, port, child }
}

async function cpuOf(child: ChildProcess, at: 'begin' | 'end'): Promise<number> {
  child.send(at)
  const [{ cpu }] = await once(child, 'message')
  return cpu
}

/** With connections of its own, as a server closes those that wait while it is another's turn. */
async function load(port: number, text: string, times: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: WIDTH })
  try {
    await inFlight(() => post(agent, port, text), times, WIDTH)
  } finally {
    agent.destroy()
  }
}

const post = (agent: Agent | undefined, port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const options = { agent, host: '127.0.0.1', port, path: PATH, method: 'POST', headers }
    request(options, (response) => {
      let reply = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        reply += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(reply)
        else reject(new Error(`HTTP ${response.statusCode}: ${reply}`))
      })
    })
      .on('error', reject)
      .end(text)
  })

/** Without a socket: a Request in, a Response out. */
async function adapter({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  report('building all sides')
  await installPeers()
  const program = await bundleSide(new URL('adapter.mjs', import.meta.url), 'adapter')
  const job = { rounds, times: 5000, results: CANNED_RESULTS, path: PATH, sent: CALL }
  const [measured, against] = await runSides(program, { ...job, want: answerTo(CALL) }, report)
  if (!measured || !against) throw new Error('nobody ran')
  return [{ what: 'Request -> Response, eth_chainId', measured, against, atMost: 1.3 }]
}
