import { HttpError, RpcError } from 'twinspec/runtime/errors'
import { encodeErrorResult, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { MOST_OF_NODE } from '../../../src/service/node/failure.js'
import { resultOfError } from '../../../src/service/outbox/broadcast-result.js'
import { errorOfNode } from '../../../src/service/zkt/node-error.js'
import { scriptNode, startMethods } from './service.js'

/** A contract chooses the reason of a revert; nodes copy it into their messages. Patterns once took minutes for these. */
const LENGTH = 200_000
const reason = (repeated: string, end = '') => repeated.repeat(LENGTH / repeated.length) + end
const reasons = [
  ...['a-', 'a.', '/a', ' ', 'a', '0.', '://', 'a:', '1.2.3.', 'at a ', '\t\n', 'C:\\a', '"/a'],
].map((repeated) => [JSON.stringify(repeated), reason(repeated, '!')] as const)

/** Quadratic time would be half a minute at least. */
const MOST_MILLISECONDS = 3_000

const inTime = async <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
  const began = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(MOST_MILLISECONDS)
  return value
}

const account = '0x3f1c2a9be07d5486c1f0a37d92e64b58a1c03d7e'
const reverted = (text: string) => ({
  error: {
    code: 3,
    message: `execution reverted: ${text}`,
    data: encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] }),
  },
})

it.each(reasons)('a revert with a long reason of %s is answered at once', async (_, text) => {
  const failed = reverted(text)
  const logged: Error[] = []
  const { fetch } = scriptNode(() => failed)
  const service = startMethods({ fetch, onError: (error) => logged.push(error) })
  for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList']) {
    const code = method === 'eth_createAccessList' ? -32000 : 3
    const { error } = await inTime(() => service.call(method, [{ to: account }, 'latest']))
    expect(error?.code).toBe(code)
    expect(error?.message.length).toBeLessThan(1_100)
    expect(error?.data).toBe(failed.error.data)
  }
  expect(service.unexpected).toEqual([])
  for (const { message } of logged) expect(message.length).toBeLessThanOrEqual(MOST_OF_NODE + 1)
})

it.each(reasons)('any error of the node with %s is answered at once', async (_, text) => {
  const replies = [
    { error: { code: -32000, message: text } },
    { error: { code: -32000, message: text, data: text } },
    { error: { code: -32603, message: `gas required exceeds allowance${text}` } },
    { error: { code: -32603, message: 'failed', data: { a: [text, { b: text }], stack: text } } },
    { error: { code: -32003, message: `BlockOutOfRangeError${text}` } },
  ]
  for (const reply of replies) {
    const service = startMethods({ fetch: scriptNode(() => reply).fetch })
    const sent = [
      ['eth_call', { to: account }, 'latest'],
      ['eth_sendRawTransaction', '0x01'],
      ['debug_traceCall', { to: account }, 'latest'],
    ] as const
    for (const [method, ...params] of sent) {
      const { error } = await inTime(() => service.call(method, params))
      expect(JSON.stringify({ error }).length).toBeLessThan(5 * MOST_OF_NODE)
    }
  }
})

it.each(reasons)('the outbox and a ZKT call read %s at once', async (_, text) => {
  const errors = [
    new RpcError({ code: -32000, message: text, data: text }),
    new RpcError({ code: 3, message: `execution reverted: ${text}`, data: '0x' }),
    new HttpError({ operation: 'eth_call', status: 502, body: text, message: text }),
  ]
  for (const error of errors) {
    expect((await inTime(() => resultOfError(error))).message.length).toBeLessThanOrEqual(300)
    const { body } = (await inTime(() => errorOfNode(error, [], 'the call'))) as never
    expect(JSON.stringify(body ?? '').length).toBeLessThan(2_000)
  }
})

it('the data of a revert stays whole, also after a word', async () => {
  const bytes = `0x${'ab'.repeat(LENGTH)}`
  for (const data of [bytes, `Reverted ${bytes}`]) {
    const { fetch } = scriptNode(() => ({
      error: { code: 3, message: 'execution reverted', data },
    }))
    const { error } = await startMethods({ fetch }).call('eth_call', [{ to: account }, 'latest'])
    expect(error?.data).toBe(data)
  }
})
