import { type Validator, type ValidatorSchema, validator } from 'twinspec/runtime/validate'
import { describe, expect, it } from 'vitest'
import { validatorSource } from '../../src/runtime/validate/validator.js'

const INTEGER = { type: 'integer' } as const
const NULLABLE = { type: ['string', 'null'] } as const

const object = (properties: Record<string, ValidatorSchema>, required: string[] = []) =>
  ({ type: 'object', properties, required }) as const

const fee = validator(() => object({ fee: INTEGER, at: NULLABLE }))
const cat = validator(() => object({ kind: { const: 'cat' }, lives: INTEGER }, ['kind']))
const dog = validator(() => object({ kind: { const: 'dog' }, lives: NULLABLE }, ['kind']))
const tree: Validator = validator(() => object({ left: tree, leaf: INTEGER }))

describe('a tolerated response gets its type', () => {
  it.each<[string, ValidatorSchema, unknown, unknown]>([
    ['null for an optional property', object({ a: INTEGER }), { a: null }, {}],
    ['null that is allowed', object({ a: NULLABLE }), { a: null }, { a: null }],
    ['null for an enum', object({ a: { enum: ['x'] } }), { a: null }, {}],
    ['null for an optional list', object({ a: { type: 'array' } }), { a: null }, {}],
    ['behind a reference', object({ a: fee }), { a: { fee: null, at: null } }, { a: { at: null } }],
    ['null for a reference', object({ a: fee, b: INTEGER }), { a: null, b: 1 }, { b: 1 }],
    ['in a list', { items: fee }, [{ fee: null }, { fee: 1 }], [{}, { fee: 1 }]],
    ['in a tuple', { prefixItems: [true, fee], items: false }, [1, { fee: null }], [1, {}]],
    ['in a map', { additionalProperties: fee }, { x: { fee: null } }, { x: {} }],
    ['as a value of a map', { additionalProperties: INTEGER }, { x: null, y: 1 }, { y: 1 }],
    [
      'as a value of a map that allows it',
      { additionalProperties: NULLABLE },
      { x: null },
      { x: null },
    ],
    [
      'as a value of a map in a map',
      { additionalProperties: { type: 'object', additionalProperties: { type: 'string' } } },
      { a: { x: null, y: 'y' }, b: null },
      { a: { y: 'y' } },
    ],
    [
      'as a value of a map in a list',
      { items: object({ balances: { type: 'object', additionalProperties: INTEGER } }) },
      [{ balances: { x: null, y: 1 } }],
      [{ balances: { y: 1 } }],
    ],
    ['by the pattern of a name', { patternProperties: { '^x': INTEGER } }, { x: null }, {}],
    ['in an allOf', { allOf: [fee, object({ b: INTEGER })] }, { fee: null, b: null }, {}],
    [
      'in the matching alternative',
      { oneOf: [cat, dog] },
      { kind: 'cat', lives: null },
      { kind: 'cat' },
    ],
    [
      'not in the other alternative',
      { oneOf: [cat, dog] },
      { kind: 'dog', lives: null },
      { kind: 'dog', lives: null },
    ],
    ['in an unnamed alternative', { anyOf: [{ type: 'null' }, fee] }, { fee: null }, {}],
    [
      'in the alternative with the fewest changes',
      object({
        a: { anyOf: [object({ x: INTEGER }, ['x']), object({ y: INTEGER, z: NULLABLE })] },
      }),
      { a: { y: null, z: null } },
      { a: { z: null } },
    ],
    [
      'where a condition does not hold',
      { if: object({ a: { const: 1 } }, ['a']), else: object({ b: INTEGER }) },
      { a: 2, b: null },
      { a: 2 },
    ],
    [
      'at every depth',
      tree,
      { left: { left: { leaf: null } }, leaf: null },
      { left: { left: {} } },
    ],
    ['a missing property that may be null', object({ a: NULLABLE }, ['a']), {}, { a: null }],
    [
      'which an allOf declares',
      { allOf: [object({ a: NULLABLE }), { required: ['a'] }] },
      {},
      { a: null },
    ],
    [
      'a name of the language',
      object({ __proto__x: INTEGER, constructor: INTEGER }),
      JSON.parse('{"constructor":null}'),
      {},
    ],
  ])('%s', async (_, schema, value, typed) => {
    const before = structuredClone(value)
    expect(await read(schema, value)).toStrictEqual({ isTolerated: true, value: typed })
    expect(value).toStrictEqual(before)
  })

  it.each<[string, ValidatorSchema, unknown]>([
    ['null for a required property', object({ a: INTEGER }, ['a']), { a: null }],
    [
      'null for one that another part requires',
      { allOf: [fee, { required: ['fee'] }] },
      { fee: null },
    ],
    ['null as an item', { items: INTEGER }, [null]],
    ['null as a whole', fee, null],
    ['a wrong value beside it', object({ a: INTEGER, b: INTEGER }), { a: null, b: 'x' }],
    ['a missing property that may not be null', object({ a: INTEGER }, ['a']), {}],
    [
      'an object that gets too small',
      { ...object({ fee: INTEGER }), minProperties: 1 },
      { fee: null },
    ],
  ])('but %s is rejected', async (_, schema, value) => {
    expect((await read(schema, value)).isTolerated).toBe(false)
  })

  it('once for each value, also where alternatives lead to themselves', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `k${at}`)
    const any: Validator = validator(() => ({ anyOf: kinds }))
    const kinds: readonly Validator[] = names.map((name) =>
      validator(() => object({ next: any, [name]: INTEGER }, [name])),
    )
    let value: object = { k7: 1, next: null }
    for (let depth = 0; depth < 40; depth++) value = { k3: 1, next: value }
    const { isTolerated } = await read(any, value)
    expect(isTolerated).toBe(true)
  })
})

async function read(schema: ValidatorSchema, value: unknown) {
  const source = validatorSource(validator(() => schema))
  if (!source) throw new TypeError('a validator has a source')
  const { findRepair, tolerant } = await source.readings()
  const repaired = findRepair(value)(value)
  return { isTolerated: tolerant.check(repaired), value: repaired }
}
