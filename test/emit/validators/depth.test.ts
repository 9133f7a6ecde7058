import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitValidators } from '../../../src/emit/validators.js'
import type { Schema } from '../../../src/schema/schema.js'
import { cpuClock } from '../../cpu-time.js'
import { apiOfSchemas, bundle, interpret, runWritten, type Schemas } from './written.js'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const LIST: Schemas = {
  Node: {
    type: 'object',
    required: ['next'],
    properties: { next: { oneOf: [{ type: 'null' }, ref('Node')] } },
    additionalProperties: false,
  },
}

const nested = (depth: number, end: unknown): unknown => {
  let value = end
  for (let level = 0; level < depth; level++) value = { next: value }
  return value
}

describe('a check of schemas that refer to each other in a circle', () => {
  test('follows a value to any depth', async () => {
    const { Node } = await runWritten(LIST)
    expect(Node?.check(nested(200_000, null))).toBe(true)
    expect(Node?.check(nested(200_000, 5))).toBe(false)
    expect(Node?.open?.(nested(200_000, { next: null, more: 1 }))).toBe(true)
    expect(Node?.check(nested(200_000, { next: null, more: 1 }))).toBe(false)
  })

  test('refuses a value that contains itself', async () => {
    const value: { next?: unknown } = {}
    value.next = { next: value }
    const { Node } = await runWritten(LIST)
    expect([Node?.check(value), interpret(LIST)('Node').check(value)]).toEqual([false, false])
  })

  test('takes linear time where several branches follow the circle', async () => {
    const branch = (kind: string): Schema => ({
      type: 'object',
      properties: { next: ref('Tree'), [kind]: { type: 'string' } },
      required: [kind],
    })
    const { Tree } = await runWritten({
      Tree: { anyOf: [{ type: 'null' }, branch('a'), branch('b'), branch('c')] },
    })
    let value: unknown = null
    for (let level = 0; level < 5_000; level++) value = { next: value, c: 'c' }
    const used = cpuClock()
    expect(Tree?.check(value)).toBe(true)
    expect(used()).toBeLessThan(2_000)
  })

  test('and a chain of 10,000 schemas, which no circle closes', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at): [string, Schema] => [
        `S${at}`,
        at === 9_999
          ? { type: 'string' }
          : { type: 'object', required: ['next'], properties: { next: ref(`S${at + 1}`) } },
      ]),
    )
    const { S0 } = await runWritten(chain)
    expect(S0?.check(nested(9_999, 'end'))).toBe(true)
    expect(S0?.check(nested(9_999, 5))).toBe(false)
  })
})

test('runs where code may not be made from text', async () => {
  const { text } = inOneFile(
    emitValidators(
      apiOfSchemas({
        ...LIST,
        Size: { type: 'number', multipleOf: 0.01 },
        Kind: { enum: ['a', {}] },
        Rest: { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      }),
    ),
  )
  const script = `${await bundle(text)}
console.log([Node.check({ next: null }), Node.check({}), Size.check(4.07), Kind.check({}), Kind.check(1), Rest.check({ a: 1 }), Rest.check({ b: 1 })].join())`
  const output = execFileSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  )
  expect(output.trim()).toBe('true,false,true,true,false,true,false')
})

test('imports the helpers that it calls and nothing else but types', () => {
  const { text } = inOneFile(emitValidators(apiOfSchemas(LIST)))
  expect(text.match(/^import (?!type ).*/gm)).toEqual([
    "import { countKeys, follow } from 'twinspec/runtime/checks'",
  ])
})

test('gives way to exports that have the names of its helpers', async () => {
  const { isObject, follow, Node } = await runWritten({
    ...LIST,
    isObject: { type: 'object' },
    follow: { type: 'string' },
  })
  expect([isObject?.check({}), isObject?.check([]), follow?.check('a'), follow?.check(1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect(Node?.check(nested(60, null))).toBe(true)
})
