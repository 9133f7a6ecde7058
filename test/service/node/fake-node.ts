import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A node of chain 1 that answers what the service needs to start, and every other method as `answers` says. */
export const startFakeNode = async (
  answers: Readonly<Record<string, Answer>>,
): Promise<FakeNode> => {
  const requests: string[][] = []
  const sent = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const calls = [JSON.parse(body) as Call | Call[]].flat()
    requests.push(calls.map(({ method }) => method))
    response.writeHead(200, { 'content-type': 'application/json' })
    const endless = calls.find(({ method }) => answers[method] === 'endless')
    if (endless) return flood(response, (bytes) => sent.set(endless.method, bytes))
    const write = async ({ id, method, params }: Call): Promise<string> => {
      const answer = answers[method] ?? STARTS[method] ?? LACKING
      if (answer === 'endless') return ''
      const said = typeof answer === 'function' ? await answer(params) : answer
      return `{"jsonrpc":"2.0","id":${id},${textOf(said).slice(1)}`
    }
    const written = await Promise.all(calls.map(write))
    response.end(Array.isArray(JSON.parse(body)) ? `[${written.join()}]` : written[0])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sent,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type FakeNode = {
  readonly url: string
  /** The methods of each HTTP request that came. */
  readonly requests: readonly (readonly string[])[]
  /** Bytes of an endless response that were written when its connection was closed, by method. */
  readonly sent: ReadonlyMap<string, number>
  readonly close: () => void
}

type Said = { readonly result: unknown } | { readonly error: object }
export type Answer = Said | 'endless' | ((params: readonly unknown[]) => Said | Promise<Said>)
type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

const texts = new WeakMap<object, string>()

/** A large answer is written once. */
const textOf = (said: Said): string => {
  const text = texts.get(said) ?? JSON.stringify(said)
  texts.set(said, text)
  return text
}

const LACKING = { error: { code: -32601, message: 'the method does not exist' } }

const STARTS: Readonly<Record<string, Said>> = {
  eth_chainId: { result: '0x1' },
  eth_blockNumber: { result: '0x1' },
  eth_getTransactionCount: { result: '0x0' },
  eth_getBlockByNumber: { result: { hash: `0x${'ab'.repeat(32)}`, baseFeePerGas: '0x0' } },
}

/** Writes until the other side closes the connection. */
const flood = (response: ServerResponse, onClose: (bytes: number) => void): void => {
  const chunk = 'a'.repeat(65_536)
  let bytes = 0
  const write = (): void => {
    let hasRoom = true
    while (hasRoom && !response.destroyed) {
      hasRoom = response.write(chunk)
      bytes += chunk.length
    }
  }
  response.once('close', () => onClose(bytes))
  response.on('drain', write)
  response.write('{"jsonrpc":"2.0","id":1,"result":"')
  write()
}
