import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceProcess } from './service-process.js'

/** Everything that callers without a key are known to have tried, from several addresses at once, until `stop`. */
export const startFlood = (
  { port }: ServiceProcess,
  addresses: readonly string[],
  sockets: number,
): { readonly stop: () => Promise<Tallies> } => {
  const tally: Record<string, number> = {}
  const spent: Record<string, number> = {}
  let isOver = false
  const opened: Socket[] = []
  const attack = async (localAddress: string): Promise<void> => {
    const agent = new Agent({ localAddress, keepAlive: true, maxSockets: 8 })
    const deployed = await post(agent, port, '/zkt/try-it-out', JSON.stringify({ code: LOGS }))
    const to: string =
      /"contractAddress":"(0x\w{40})"/.exec(deployed.body)?.[1] ?? `0x${'0'.repeat(40)}`
    const bodies = attacks(to)
    const worker = async (first: number): Promise<void> => {
      for (let at = first; !isOver; at += 1) {
        const [path, body] = bodies[at % bodies.length] as Attack
        const { status } = await post(agent, port, path, body)
        tally[status] = (tally[status] ?? 0) + 1
        await pause(20)
      }
    }
    await Promise.all([0, 5, 10, 15].map(worker))
    agent.destroy()
  }
  for (let at = 0; at < sockets; at += 1) {
    const localAddress = SILENT[at % SILENT.length] as string
    opened.push(connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined))
  }
  /** Goes on with small and large requests after the limit of its address is spent. */
  const spend = async (localAddress: string): Promise<void> => {
    const agent = new Agent({ localAddress, keepAlive: true, maxSockets: 8 })
    for (let at = 0; !isOver; at += 1) {
      const body = at < 6 ? READS : at % 4 === 3 ? (LARGE[at % LARGE.length] as string) : READ
      const { status } = await post(agent, port, '/zgt/try-it-out', body)
      spent[status] = (spent[status] ?? 0) + 1
      if (status === 429) await pause(20)
    }
    agent.destroy()
  }
  const running = Promise.all([...addresses.map(attack), spend(SPENDING)])
  return {
    stop: async () => {
      isOver = true
      await running
      for (const socket of opened) socket.destroy()
      return { tally, spent }
    },
  }
}

/** How many responses there were of each status; 0 for none. */
type Tally = Readonly<Record<string, number>>

export type Tallies = {
  readonly tally: Tally
  /** Of the address whose limit is spent. */
  readonly spent: Tally
}

const SPENDING = '127.0.0.8'

/** Where connections come from that say nothing, so that those of the other callers are not counted with them. */
const SILENT = ['127.0.0.5', '127.0.0.6', '127.0.0.7']

type Attack = readonly [path: string, body: string]

const LOGS =
  'contract W { event L(bytes b); function logs(uint n, uint k) public { for(uint i;i<n;i++) emit L(new bytes(k)); } }'

const attacks = (to: string): readonly Attack[] => {
  const logs = { abi: ['function logs(uint256 n, uint256 k)'], to, method: 'logs' }
  const loop = '0x3333333333333333333333333333333333333333'
  const trace = [{ to: loop, gas: '0xf4240' }, 'latest', TRACED(loop)]
  const read = [{ fromBlock: '0x0', toBlock: 'latest' }]
  return [
    ['/zkt/try-it-out', JSON.stringify({ ...logs, arguments: ['1000', '4000'] })],
    ['/zgt/try-it-out', batch(40, 'eth_getLogs', read)],
    ['/zgt/try-it-out', batch(40, 'debug_traceCall', trace)],
    ...LARGE.map((body): Attack => ['/zkt/try-it-out', body]),
    ...LARGE.map((body): Attack => ['/zgt/try-it-out', body]),
  ]
}

const TRACED = (address: string) => ({
  stateOverrides: { [address]: { code: '0x5b600056' } },
  enableMemory: true,
})

const batch = (count: number, method: string, params: unknown): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method, params })))

const READ = batch(1, 'eth_blockNumber', [])

/** Five of them spend the limit of a minute. */
const READS = batch(40, 'eth_blockNumber', [])

const CHARACTERS = 1_000_000

const many = (item: string): string =>
  Array(Math.floor(CHARACTERS / (item.length + 1)))
    .fill(item)
    .join()

const members = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join()

const call = (abi: readonly string[], given: string): string =>
  `{"abi":${JSON.stringify(abi)},"to":"0x${'1'.repeat(40)}","method":"f","arguments":${given}}`

/** Bodies of 1 MB, each of another shape. */
const LARGE: readonly string[] = [
  JSON.stringify({ arguments: 'a'.repeat(CHARACTERS) }),
  `{"arguments":"${'\\n'.repeat(CHARACTERS / 2)}"}`,
  `{${members}}`,
  `[${many('1e5')}]`,
  `[${many('-0')}]`,
  `[${many('12345678901234567890')}]`,
  `[${many('{}')}]`,
  '['.repeat(CHARACTERS),
  call(['function f(string s) view'], JSON.stringify(['a'.repeat(CHARACTERS - 200)])),
  call(['function f(address[] a) view'], `[[${many(`"0x${'1'.repeat(40)}"`).slice(0, -1)}"]]`),
  call([`function f(${'uint256,'.repeat(CHARACTERS / 10)}uint256)`], '[]'),
  call(Array(30_000).fill('event E(uint256)'), '[]'),
  JSON.stringify({ code: `contract A { /*${'a'.repeat(CHARACTERS - 100)}*/ }` }),
  `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{${members}},"latest"]}`,
  `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${many('1e5')}]}`,
]

const HEADERS = { 'content-type': 'application/json' }

/** Status 0 where the connection broke before there was a response. */
const post = (
  agent: Agent,
  port: number,
  path: string,
  body: string,
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve) => {
    const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body) }
    const options = {
      agent,
      port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      headers,
      timeout: 60_000,
    }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < 100_000) text += chunk
      })
      response.on('close', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve({ status: 0, body: '' }))
    sent.end(body)
  })
