import { describe, expect, it } from 'vitest'
import type { RpcOperation } from '../../src/model/api.js'
import { apiOf, method, openrpcOf } from './api-of.js'

const PARAMS = [
  { name: 'from', schema: { type: 'string' } },
  { name: 'value', schema: {} },
]

describe('an example of a method', () => {
  it.each([
    ['Example Objects', [{ name: 'from', value: 'a' }, { value: 1 }]],
    ['values in their place', ['a', 1]],
    ['both', ['a', { name: 'value', value: 1 }]],
    ['values by name, in any order', { value: 1, from: 'a' }],
    ['values by name, one as an Example Object', { value: { value: 1 }, from: 'a' }],
  ])('has params as %s', async (_what, params) => {
    const { examples } = await operationWith({ params, result: 'sent' })
    expect(examples[0]).toMatchObject({
      params: ['a', 1],
      namedParams: { from: 'a', value: 1 },
      outcome: { kind: 'result', value: 'sent' },
    })
  })

  it.each([
    ['an Example Object', { name: 'r', value: 'sent' }, 'sent'],
    ['a text', 'sent', 'sent'],
    ['null', null, null],
    ['a list', ['sent'], ['sent']],
    ['an object', { from: 'a' }, { from: 'a' }],
    ['an object with a value of its own', { from: 'a', value: 1 }, { from: 'a', value: 1 }],
  ])('has a result as %s', async (_what, result, value) => {
    const { examples } = await operationWith({ params: [], result })
    expect(examples[0]?.outcome).toMatchObject({ kind: 'result', value })
  })

  it('may have no result', async () => {
    const { examples } = await operationWith({ params: ['a'] })
    expect(examples[0]).toMatchObject({ params: ['a'], outcome: { kind: 'none' } })
  })
})

const operationWith = async (example: object): Promise<RpcOperation> => {
  const send = { ...method('send', PARAMS), examples: [{ name: 'one', ...example }] }
  const { operations } = await apiOf({ openrpc: openrpcOf({ methods: [send] }) })
  const [one] = operations
  if (one?.kind !== 'rpc') throw new Error('the method was not read')
  return one
}
