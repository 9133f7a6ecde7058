import { once } from 'node:events'
import { createServer } from 'node:http'

/** A node that lies about one thing at a time, and passes everything else on to a real one. */
export const lyingNode = async (url: string): Promise<LyingNode> => {
  let lie: Lie | undefined
  /** Called when the node tells the truth again. */
  let onTruth: (() => void)[] = []

  const pass = async (call: Call): Promise<Answer> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    return (await answer.json()) as Answer
  }
  const silent = (): Promise<void> =>
    lie === undefined ? Promise.resolve() : new Promise((resolve) => onTruth.push(resolve))
  const answerTo = async (call: Call): Promise<Answer> => {
    const told = await lie?.(call, { pass, silent })
    return told === undefined ? pass(call) : { jsonrpc: '2.0', id: call.id, ...told }
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent: Call | readonly Call[] = JSON.parse(Buffer.concat(chunks).toString())
    try {
      const answer = Array.isArray(sent)
        ? await Promise.all(sent.map(answerTo))
        : await answerTo(sent as Call)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    } catch {
      response.writeHead(502).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    lie: (name) => {
      lie = LIES[name]
    },
    recover: () => {
      lie = undefined
      for (const resolve of onTruth) resolve()
      onTruth = []
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type LyingNode = {
  readonly url: string
  readonly lie: (name: string) => void
  /** Tells the truth from now on, and answers what it was silent about. */
  readonly recover: () => void
  readonly stop: () => Promise<void>
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Told = { readonly result: unknown } | { readonly error: { code: number; message: string } }
type Answer = Told & { readonly jsonrpc: string; readonly id: number }

type Tools = {
  readonly pass: (call: Call) => Promise<Answer>
  /** Resolves when the node tells the truth again. */
  readonly silent: () => Promise<void>
}

/** What the node answers instead of the truth; undefined for a call that it tells the truth about. */
type Lie = (call: Call, tools: Tools) => Promise<Told | undefined> | Told | undefined

const SEND = 'eth_sendRawTransaction'
const COUNT = 'eth_getTransactionCount'
const RECEIPT = 'eth_getTransactionReceipt'
const NUMBER = 'eth_blockNumber'

const error = (message: string, code = -32000): Told => ({ error: { code, message } })
const hex = (value: number): Told => ({ result: `0x${Math.max(0, value).toString(16)}` })

/** Lies about one method, with the true answer where it is a number. */
const about =
  (method: string, tell: (call: Call, tools: Tools) => ReturnType<Lie>): Lie =>
  (call, tools) =>
    call.method === method ? tell(call, tools) : undefined

const number = async (call: Call, { pass }: Tools): Promise<number> => {
  const answer = await pass(call)
  return 'result' in answer ? Number(answer.result) : 0
}

/** A hash that no transaction has. */
const NOBODY = `0x${'ab'.repeat(32)}`

const SIMPLE: Readonly<Record<string, Lie>> = {
  'a transaction is known that was dropped': about(SEND, () => error('already known')),
  'a hash for a transaction that was dropped': about(SEND, () => ({ result: NOBODY })),
  'the hash of another transaction': about(SEND, async (call, { pass }) => {
    await pass(call)
    return { result: NOBODY }
  }),
  'each nonce is too low': about(SEND, () => error('nonce too low')),
  'each nonce is too high': about(SEND, () => error('nonce too high')),
  'each transaction is underpriced': about(SEND, () =>
    error('replacement transaction underpriced'),
  ),
  'the pool is full': about(SEND, () => error('txpool is full')),
  'an error for a transaction that was sent': about(SEND, async (call, { pass }) => {
    await pass(call)
    return error('internal error', -32603)
  }),
  'no answer for a transaction that was sent': about(SEND, async (call, { pass, silent }) => {
    const answer = await pass(call)
    await silent()
    return answer
  }),
  'no receipts': about(RECEIPT, () => ({ result: null })),
  'no transactions': about('eth_getTransactionByHash', () => ({ result: null })),
  'no nonce was used': about(COUNT, () => hex(0)),
  'nonces were used that were not': about(COUNT, async (call, tools) =>
    hex((await number(call, tools)) + 5),
  ),
  'fewer blocks than before': about(NUMBER, async (call, tools) =>
    hex((await number(call, tools)) - 10),
  ),
  'no new blocks': about(NUMBER, () => hex(1)),
}

const LIES: Readonly<Record<string, Lie>> = {
  ...SIMPLE,
  'another lie at each call': (call, tools) => {
    const lies = Object.values(SIMPLE)
    return (lies[Math.floor(Math.random() * lies.length)] as Lie)(call, tools)
  },
}

export const LIE_NAMES: readonly string[] = Object.keys(LIES)
