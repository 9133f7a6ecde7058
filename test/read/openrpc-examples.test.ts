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

describe('a pairing whose values have the names of params, which may be sent by name', () => {
  const text = { type: 'string' }
  const params = [
    { name: 'sender', required: true, schema: text },
    { name: 'gas', schema: text },
    { name: 'budget', required: true, schema: text },
    { name: 'note', schema: text },
  ]
  const values = (...names: readonly string[]) => names.map((name) => ({ name, value: name[0] }))
  const reading = async (shown: readonly object[], more: object = {}) => {
    const pairing = { name: 'one', params: shown, result: { name: 'r', value: 1 } }
    const send = { ...method('send', params), ...more, examples: [pairing] }
    const api = await apiOf({ openrpc: openrpcOf({ methods: [send] }) })
    const [operation] = api.operations
    const found = api.findings.filter(({ rule }) => rule === 'example-invalid')
    return { example: operation?.kind === 'rpc' ? operation.examples[0] : undefined, found }
  }

  it.each<[string, string[], unknown[]]>([
    ['that omits an optional one', ['sender', 'budget'], ['s', null, 'b']],
    ['in another order', ['budget', 'sender', 'gas'], ['s', 'g', 'b']],
    ['that omits the last', ['sender', 'gas', 'budget'], ['s', 'g', 'b']],
    ['of all', ['note', 'budget', 'gas', 'sender'], ['s', 'g', 'b', 'n']],
  ])('has them in their positions: %s', async (_, names, positions) => {
    const { example, found } = await reading(values(...names))
    expect(example?.params).toEqual(positions)
    expect(example?.namedParams).toEqual(Object.fromEntries(names.map((name) => [name, name[0]])))
    expect(found).toEqual([])
  })

  it.each<[string, string[], object]>([
    ['without a required one', ['sender', 'gas'], {}],
    ['with a title', ['sender', 'the budget'], {}],
    ['with a name twice', ['sender', 'sender'], {}],
    ['of a method that takes a list', ['sender', 'budget'], { paramStructure: 'by-position' }],
  ])('is a list as written: %s', async (_, names, more) => {
    const { example, found } = await reading(values(...names), more)
    expect(example?.params).toEqual(names.map((name) => name[0]))
    expect(found).toHaveLength(1)
  })
})

const operationWith = async (example: object): Promise<RpcOperation> => {
  const send = { ...method('send', PARAMS), examples: [{ name: 'one', ...example }] }
  const { operations } = await apiOf({ openrpc: openrpcOf({ methods: [send] }) })
  const [one] = operations
  if (one?.kind !== 'rpc') throw new Error('the method was not read')
  return one
}
