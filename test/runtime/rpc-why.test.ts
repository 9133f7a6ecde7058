import { type CallError, createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import type { Checks } from 'twinspec/runtime/validate'
import { expect, test } from 'vitest'
import {
  errorOf,
  fakeFetch,
  service,
  type TestClient,
  validators,
  type WireCall,
} from './rpc-fixture.js'

/** What generated `validators.ts` has: verdicts alone. */
const checksOf = ({ check, open = check }: Checks): Checks => ({ check, open })
const checks = Object.fromEntries(
  Object.entries(validators).map(([id, { params, result }]) => [
    id,
    { params: checksOf(params), result: checksOf(result) },
  ]),
)

const answering = (result: unknown): RpcOptions =>
  fakeFetch(({ body }) => ({ jsonrpc: '2.0', id: (body as WireCall).id, result }))

const loading = () => {
  const loads: string[] = []
  const why = async () => {
    loads.push('loaded')
    return validators
  }
  return { loads, why }
}

const wrong = { amount: 1, parts: [{}] }
const open = { amount: '1', parts: [{ name: 'a', added: 1 }], added: 2 }

test('explanations are loaded when a value was refused, and say what the whole validators say', async () => {
  const { loads, why } = loading()
  const answered = createRpc<TestClient>(service, checks, answering(open), why)
  expect(await answered.nodeBalance('0xa')).toEqual(open)
  expect(loads).toEqual([])

  const client = createRpc<TestClient>(service, checks, answering(wrong), why)
  const whole = createRpc<TestClient>(service, validators, answering(wrong))
  for (const account of ['a', '0xa']) {
    const [error, want] = await Promise.all(
      [client, whole].map((one) => errorOf(one.nodeBalance(account))),
    )
    expect(error).toEqual(want)
    expect((error as CallError).issues.length).toBeGreaterThan(0)
  }
  expect(loads).toEqual(['loaded', 'loaded'])
})

test('checks alone refuse as much, and say how to learn more', async () => {
  const client = createRpc<TestClient>(service, checks, answering(wrong))
  expect(await errorOf(client.nodeBalance('a'))).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    issues: [{ pointer: '', keyword: 'schema' }],
    message: expect.stringMatching(/^node_balance was not sent: .*option `explanations`/),
  })
  expect(await errorOf(client.nodeBalance('0xa'))).toMatchObject({
    name: 'CallError',
    reason: 'invalid-answer',
    issues: [{ pointer: '', keyword: 'schema' }],
    message: expect.stringMatching(
      /^node_balance: the result does not match .*option `explanations`/,
    ),
  })
})

test('explanations that cannot be loaded hide no refusal, and no other answer of the batch', async () => {
  const fails = async () => {
    throw new Error('offline')
  }
  const answers = fakeFetch(({ body }) =>
    (body as WireCall[]).map(({ id }, index) => ({
      jsonrpc: '2.0',
      id,
      result: index === 0 ? open : wrong,
    })),
  )
  const client = createRpc<TestClient>(service, checks, answers, fails)
  const [good, bad] = await client.batch((b) =>
    Promise.allSettled([b.nodeBalance('0xa'), b.nodeBalance('0xb')]),
  )
  expect(good).toEqual({ status: 'fulfilled', value: open })
  expect(bad).toMatchObject({
    reason: { name: 'CallError', reason: 'invalid-answer', issues: [{ keyword: 'schema' }] },
  })
})

test('what JSON cannot carry is reported without explanations', async () => {
  const { loads, why } = loading()
  const client = createRpc<TestClient>(service, checks, answering(open), why)
  const error = await errorOf(client.nodeFind({ topic: 'a', limit: Number.NaN }))
  expect(error.message).toBe('node_find was not sent: /limit is NaN, which JSON cannot represent')
  expect(loads).toEqual([])
})
