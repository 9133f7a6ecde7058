import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Handlers, notOffered } from '../../../generated/server.js'
import type { KeyRecord } from '../../../src/service/access/keys.js'
import { createLimits } from '../../../src/service/access/limits.js'
import { createGateway, type GatewayOptions } from '../../../src/service/gateway/gateway.js'
import { createMetrics, type Metrics } from '../../../src/service/gateway/metrics.js'
import { walletOf } from '../../../src/service/gateway/request-context.js'
import { createLog } from '../../../src/service/log.js'

export const PRIVATE_KEY = 'private-key-sesame-4711'
export const PUBLIC_KEY = 'public-key-open-0815'
export const HASH = `0x${'ab'.repeat(32)}` as const
export const QUEUE_ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
export const MESSAGE = '{"arguments":"hello"}'
export const CHAIN_ID = '{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":1}'

/** Limits that no test meets by chance. */
export const settings = {
  host: '127.0.0.1',
  port: 0,
  addressConnections: 500,
  trustProxy: [],
  corsOrigin: '*',
  checkAnswers: true,
  stopSeconds: 5,
  waitSeconds: 60,
  nodeSeconds: 30,
  compilerProcesses: 1,
  compilerSeconds: 10,
  rpcLimit: 100_000,
  zktLimit: 100_000,
  tryItOutLimit: 100_000,
  statusLimit: 100_000,
}

export type Running = {
  readonly url: string
  readonly port: number
  readonly metrics: Metrics
  /** Everything that was logged, as it was written. */
  readonly logged: () => string
  readonly close: () => Promise<void>
}

export type Changes = Partial<Omit<GatewayOptions, 'settings' | 'handlers'>> & {
  readonly settings?: Partial<typeof settings>
  readonly handlers?: Partial<Handlers>
}

/** A gateway on a free port, before handlers that need no chain. */
export const start = async (changes: Changes = {}): Promise<Running> => {
  const lines: string[] = []
  const log = createLog(NO_SECRETS, { write: (line) => lines.push(line) })
  const all = { ...settings, ...changes.settings }
  const metrics = createMetrics()
  const gateway = createGateway({
    keys,
    limits: createLimits({ settings: all }),
    log,
    metrics,
    probes: { store: async () => undefined },
    ...changes,
    settings: all,
    handlers: { ...handlers, ...changes.handlers },
  })
  const { url } = await gateway.listen()
  const close = async (): Promise<void> => void (await gateway.close())
  running.push(close)
  const { port } = new URL(url)
  return { url, port: Number(port), metrics, logged: () => lines.join(''), close }
}

const NO_SECRETS = {
  logLevel: 'trace',
  databaseUrl: undefined,
  mnemonic: undefined,
  upstream: undefined,
} as const

const running: (() => Promise<void>)[] = []

/** For `afterEach`. */
export const stopAll = async (): Promise<void> => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(running.splice(0).map((close) => close()))
}

export const keys: GatewayOptions['keys'] = {
  find: async (text) => records.get(text),
}

const record = (kind: KeyRecord['kind'], wallet: number): KeyRecord => ({
  id: `id-of-${kind}`,
  name: kind,
  kind,
  wallet,
  createdAt: new Date(0),
  revokedAt: undefined,
})

const records = new Map([
  [PRIVATE_KEY, record('private', 7)],
  [PUBLIC_KEY, record('public', 8)],
])

/** Tells the wallet in the last digits of the hash. */
const write = (_: unknown, context: Parameters<typeof walletOf>[0]) => ({
  status: 200 as const,
  body: {
    success: true as const,
    hash: `0x${String(walletOf(context)).padStart(64, '0')}` as `0x${string}`,
  },
})

const deploy = () => ({
  status: 200,
  body: { success: true, contractAddress: `0x${'cd'.repeat(20)}`, abi: [], hash: HASH },
})

const forms = { message: write, call: write, deploy } as unknown as Handlers['tryZkt']

export const handlers: Handlers = {
  ...notOffered,
  tryZkt: forms,
  submitZkt: forms as unknown as Handlers['submitZkt'],
  getZktTransaction: ({ path }) => ({
    status: 200,
    body: { status: 'pending', queueId: path.queueId },
  }),
  ethChainId: () => '0x133edcb',
  ethSendRawTransaction: () => HASH,
  ethBlockNumber: () => {
    throw new Error('the node behind broke')
  },
}

export const post = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const sockets: Socket[] = []

export const open = async (port: number): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Writes bytes as they are and reads until the connection ends, or `end` has come. */
export const speak = async (
  port: number,
  text: string | Uint8Array,
  end?: string,
): Promise<string> => {
  const socket = await open(port)
  socket.write(text)
  return hear(socket, end)
}

export const hear = (socket: Socket, end?: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = ''
    const done = (): void => resolve(heard)
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
      if (end !== undefined && heard.includes(end)) done()
    })
    socket.once('close', done)
    if (socket.destroyed) done()
  })
