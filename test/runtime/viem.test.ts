import { createPublicClient } from 'viem'
import { expect, test } from 'vitest'
import { chains, rpcTransport } from '../../generated/viem.js'

const SECRET = 'a-key-that-nobody-may-see'
const RAW = '0x02f86f'

/** A client whose server gives each answer in turn, the last one again and again. */
const served = (...answers: readonly ((id: number) => Response)[]) => {
  const sent: string[] = []
  const fetch = async (url: unknown, init: RequestInit) => {
    sent.push(String(url))
    const [call = { id: 0 }] = [JSON.parse(String(init.body))].flat()
    const answer = answers[Math.min(sent.length, answers.length) - 1]
    return answer?.(call.id) ?? Response.error()
  }
  const retry = { delay: 1 }
  const transport = rpcTransport({ auth: { apiKey: SECRET }, fetch, retry })
  return { sent, client: createPublicClient({ chain: chains.mainnet, transport }) }
}

const broken = (id: number) =>
  Response.json({ jsonrpc: '2.0', id, error: { code: -32603, message: `broken by ${SECRET}` } })
const busy = () => new Response('later', { status: 503 })
const fine = (id: number) => Response.json({ jsonrpc: '2.0', id, result: '0x10' })

test('the server is that of the chain', async () => {
  const { sent, client } = served(fine)
  expect(await client.getBlockNumber()).toBe(16n)
  expect(sent).toEqual([`https://rpc.mainnet.example/zgt/${SECRET}`])
})

test('what may be repeated is, by the client alone', async () => {
  const { sent, client } = served(busy, busy, fine)
  expect(await client.getBlockNumber()).toBe(16n)
  expect(sent).toHaveLength(3)
})

test.each([
  ['a refusal', broken],
  ['a busy server', busy],
  ['no answer', () => Response.error()],
])('a transaction is sent once, whatever is asked of viem: %s', async (_, answer) => {
  const { sent, client } = served(answer)
  const stubborn = { retryCount: 5, retryDelay: 1 }
  const raw = client.request({ method: 'eth_sendRawTransaction', params: [RAW] }, stubborn)
  await expect(raw).rejects.toThrow()
  await expect(client.sendRawTransaction({ serializedTransaction: RAW })).rejects.toThrow()
  expect(sent).toHaveLength(2)
})

test('errors are of viem, ours their cause, and without the key', async () => {
  const { client } = served(broken)
  const error = await client.getBlockNumber().catch((thrown: unknown) => thrown)
  const names = chain(error).map(({ name }) => name)
  expect(names).toEqual(['InternalRpcError', 'RpcRequestError', 'RpcError'])
  for (const { message, stack } of chain(error)) {
    expect(`${message} ${stack}`).not.toContain(SECRET)
    expect(message).toContain('broken by [redacted]')
  }
  const lost = await served(() => Response.error())
    .client.getBlockNumber()
    .catch((thrown) => thrown)
  expect(chain(lost).map(({ name }) => name)).toContain('HttpRequestError')
  expect(
    chain(lost)
      .map(({ message }) => message)
      .join(),
  ).not.toContain(SECRET)
})

const chain = (error: unknown): readonly Error[] =>
  error instanceof Error ? [error, ...chain(error.cause)] : []
