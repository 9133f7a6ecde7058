import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Hex, hexToString, parseTransaction } from 'viem'

/** A node that refuses one transaction for good, known by its text, and passes everything else on to a real one. */
export const refusingNode = async (url: string, text: string): Promise<RefusingNode> => {
  let refused = 0
  const answerTo = async (call: Call): Promise<unknown> => {
    if (call.method === 'eth_sendRawTransaction' && textOf(call.params[0] as Hex) === text) {
      refused += 1
      const error = { code: -32000, message: 'intrinsic gas too low: have 21000, want 21064' }
      return { jsonrpc: '2.0', id: call.id, error }
    }
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    return answer.json()
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent: Call | readonly Call[] = JSON.parse(Buffer.concat(chunks).toString())
    const answer = Array.isArray(sent)
      ? await Promise.all(sent.map(answerTo))
      : await answerTo(sent as Call)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    refused: () => refused,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type RefusingNode = {
  readonly url: string
  readonly refused: () => number
  readonly stop: () => Promise<void>
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

const textOf = (raw: Hex): string => {
  const { data = '0x' } = parseTransaction(raw)
  return data === '0x' ? '' : hexToString(data)
}
