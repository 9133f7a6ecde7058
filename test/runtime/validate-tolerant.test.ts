import { open, type Validator, validator } from 'twinspec/runtime/validate'
import { expect, test } from 'vitest'
import { relaxed } from '../../src/runtime/validate/tolerant.js'

const tolerant = (v: Validator) => open(relaxed(v, validator))

const status = validator(() => ({ type: 'string', enum: ['pending', 'completed'] }))
const record = validator(() => ({
  type: 'object',
  properties: {
    status,
    hash: { anyOf: [{ type: 'string', pattern: '^0x' }, { type: 'null' }] },
    count: { type: 'integer', minimum: 0 },
    kind: { const: 'record' },
  },
  required: ['status', 'hash', 'count'],
  additionalProperties: false,
}))
const message = validator(() => ({
  type: 'object',
  properties: { type: { const: 'message' }, text: { type: 'string' } },
  required: ['type', 'text'],
}))
const call = validator(() => ({
  type: 'object',
  properties: { type: { const: 'call' }, to: { type: 'string' } },
  required: ['type', 'to'],
}))
const either = validator(() => ({ oneOf: [message, call] }))
const list = validator(() => ({ type: 'array', items: either }))
const nullable = validator(() => ({ anyOf: [status, { type: 'null' }] }))
const overlapping = validator(() => ({ oneOf: [{ type: 'integer' }, { minimum: 3 }] }))

const right = { status: 'pending', hash: null, count: 1 }

test.each<[title: string, schema: typeof record | typeof either, value: unknown, want: boolean]>([
  ['a valid value', record, right, true],
  ['an unknown property', record, { ...right, added: 1 }, true],
  ['an unknown value of an enum', record, { ...right, status: 'reverted' }, true],
  ['a value of another type in place of an enum', record, { ...right, status: 7 }, false],
  ['null in place of an enum', record, { ...right, status: null }, false],
  ['an unknown constant', record, { ...right, kind: 'receipt' }, true],
  ['a missing property that may be null', record, { status: 'pending', count: 1 }, true],
  ['a missing property that may not', record, { status: 'pending', hash: null }, false],
  ['a wrong value beside a tolerated one', record, { ...right, status: 'x', count: -1 }, false],
  ['a value that breaks its pattern', record, { ...right, hash: '12' }, false],
  ['an unknown value of an enum that may be null', nullable, 'reverted', true],
  ['an unknown variant', either, { type: 'deploy', code: '0x' }, true],
  ['an unknown variant within a list', list, [{ type: 'deploy' }], true],
  ['a known variant with the body of another', either, { type: 'message', to: '0x' }, false],
  ['a variant whose discriminator has another type', either, { type: 7, to: '0x' }, false],
  ['an object without its discriminator', either, { to: '0x' }, false],
])('%s: accepted %#', (_, schema, value, want) => {
  expect(tolerant(schema).check(value)).toBe(want)
})

test('schemas that refer to themselves are relaxed once', () => {
  type Tree = { kind: string; next?: Tree }
  const tree: ReturnType<typeof validator<Tree>> = validator<Tree>(() => ({
    type: 'object',
    properties: { kind: { enum: ['leaf', 'node'] }, next: tree },
    required: ['kind'],
  }))
  expect(tolerant(tree).check({ kind: 'a', next: { kind: 'b', next: { kind: 'leaf' } } })).toBe(
    true,
  )
  expect(tolerant(tree).check({ kind: 'a', next: { kind: 'b', next: { kind: 1 } } })).toBe(false)
})

test('an ambiguous value is not for this reading to decide', () => {
  expect(overlapping.explain(5)[0]?.isAmbiguous).toBe(true)
})

test('schemas that all lead to each other are read without compiling each of them for each property', () => {
  const names = Array.from({ length: 40 }, (_, index) => `p${index}`)
  const nodes: Validator[] = names.map(() =>
    validator(() => ({
      type: 'object',
      required: names,
      properties: Object.fromEntries(
        names.map((name, index) => [name, { anyOf: [nodes[index] ?? true, { type: 'null' }] }]),
      ),
    })),
  )
  const [first] = nodes
  expect(first && tolerant(first).check({})).toBe(true)
  expect(first && tolerant(first).check({ p1: 5 })).toBe(false)
})
