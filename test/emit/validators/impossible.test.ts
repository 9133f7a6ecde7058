import { expect, test } from 'vitest'
import { emitAll } from '../../../src/emit/emit.js'
import { kindNames } from '../../../src/emit/kinds.js'
import { answering, apiOf, openapiOf } from '../../read/api-of.js'
import { diagnose } from '../strictest.js'
import { interpret, runWritten, type Schemas, verdictsOf } from './written.js'

const twoTypes = { allOf: [{ type: 'object' }, { type: 'string', minLength: 2 }] } as const

/** What their authors did not mean: no value, or fewer than it seems, can match. */
const SCHEMAS: Schemas = {
  Misspelt: {
    type: 'object',
    required: ['id', 'nmae'],
    properties: { id: { type: 'string' }, name: { type: 'string', minLength: 2 } },
    additionalProperties: false,
  },
  TwoTypes: twoTypes,
  Within: {
    type: 'object',
    required: ['one'],
    properties: {
      one: { anyOf: [twoTypes, { type: 'string', maxLength: 3 }] },
      two: twoTypes,
      three: { not: twoTypes },
      four: { $ref: '#/components/schemas/Misspelt' },
      five: { type: 'array', items: twoTypes, minItems: 0 },
      six: {
        type: 'object',
        additionalProperties: false,
        required: ['x', 'y'],
        properties: { x: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
  Listed: {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string' } }, none: false },
    required: ['none'],
  },
}

test('what refuses everything compiles, by itself and within others', async () => {
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      schemas: SCHEMAS,
      paths: { '/within': answering({ $ref: '#/components/schemas/Within' }, 'getWithin') },
    }),
  })
  const files = emitAll(api, [], kindNames).filter(({ name }) => name.endsWith('.ts'))
  expect(diagnose(new Map(files.map(({ name, text }) => [name, text])))).toEqual([])
  const validators = files.find(({ name }) => name === 'validators.ts')?.text
  expect(validators).not.toContain('if (true)')
})

test('and says what the run-time checker says', async () => {
  const written = await runWritten(SCHEMAS)
  const interpreted = interpret(SCHEMAS)
  const values = [
    ...[{}, [], '', 'ab', null, 1, { id: 'a', nmae: 1 }, { id: 'a', name: 'ab' }, { none: 1 }],
    ...[{ list: ['a'] }, { one: 'ab' }, { one: 'abcd' }, { one: 'ab', two: 'ab' }, { one: {} }],
    ...[
      { one: '', three: 1 },
      { one: '', five: [] },
      { one: '', five: ['ab'] },
    ],
    ...[
      { one: '', four: { id: 'a', nmae: 1 } },
      { one: '', six: { x: [], y: 1 } },
    ],
  ]
  const accepted: unknown[] = []
  for (const [name, checks] of Object.entries(written)) {
    for (const value of values) {
      const verdicts = verdictsOf(checks, interpreted(name), value)
      expect(verdicts.written, `${name} ${JSON.stringify(value)}`).toEqual(verdicts.interpreted)
      if (verdicts.written.strict) accepted.push([name, value])
    }
  }
  expect(accepted).toEqual([
    ['Within', { one: 'ab' }],
    ['Within', { one: '', three: 1 }],
    ['Within', { one: '', five: [] }],
  ])
})
