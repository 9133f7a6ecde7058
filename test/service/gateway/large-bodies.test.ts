import { expect, it } from 'vitest'
import type { BodyStream } from '../../../src/runtime/server/request.js'
import { createBodyTurns } from '../../../src/service/gateway/gateway.js'

const BYTES = 100_000

const bodyOf = (bytes: number): BodyStream => ({
  async *[Symbol.asyncIterator]() {
    yield new Uint8Array(bytes)
  },
  collect: async () => ({ value: new Uint8Array(bytes) }),
})

it('gives other work a turn between large bodies that arrive together, and a key its turn first', async () => {
  const inTurn = createBodyTurns()
  const order: string[] = []
  const parse = async (name: string, isKeyed: boolean): Promise<void> => {
    const headers = { 'content-length': String(BYTES) }
    const body = inTurn(bodyOf(BYTES), headers, () => ({ name, isKeyed })) as BodyStream
    const read = await body.collect?.(1_000_000)
    if (read?.rejection === undefined) order.push(`${name} ${read?.value.byteLength}`)
    setImmediate(() => order.push('other work'))
  }
  await Promise.all([parse('a', false), parse('b', false), parse('c', true)])
  expect(order.slice(0, 5)).toEqual([
    'a 100000',
    'other work',
    'c 100000',
    'other work',
    'b 100000',
  ])
})

it('leaves small bodies as they are', () => {
  const inTurn = createBodyTurns()
  const body = bodyOf(10)
  const caller = () => ({ name: 'a', isKeyed: false })
  expect(inTurn(body, { 'content-length': '10' }, caller)).toBe(body)
  expect(inTurn(undefined, {}, caller)).toBeUndefined()
})
