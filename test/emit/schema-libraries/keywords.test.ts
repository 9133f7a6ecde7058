import { describe, expect, test } from 'vitest'
import { PLUGINS } from '../../../src/emit/plugins.js'
import { createChecker } from '../../../src/schema/check.js'
import type { Schema } from '../../../src/schema/schema.js'
import { api as serviceApi } from '../../spec/documents.js'
import { apiOfSchemas } from '../validators/written.js'
import { compareLibrary, isLeftOut } from './compare.js'
import { importSchemas, LIBRARIES, type LibraryName, verdictOf } from './imported.js'

const string = { type: 'string' } as const
const object = (properties: Readonly<Record<string, Schema>>, more: object = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
})
const branch = (kind: string, more: object = {}): Schema =>
  object({ kind: { const: kind } }, { required: ['kind'], ...more })

const RECURSIVE = object({ next: { $ref: '#/components/schemas/Recursive' } })

/** A schema, values that it accepts, and values that it rejects. */
const CASES: readonly (readonly [name: string, Schema, readonly unknown[], readonly unknown[]])[] =
  [
    ['integer', { type: 'integer' }, [1, 1.0, -0, 1e300, 2 ** 53], [1.5, '1', null]],
    ['number', { type: 'number' }, [1.5, 0], ['1', true]],
    ['minimum', { type: 'number', minimum: 1, exclusiveMaximum: 2 }, [1, 1.9], [0.9, 2]],
    ['multipleOf', { type: 'number', multipleOf: 0.01 }, [4.07, 0.07, 1e21], [4.071]],
    ['minLength', { ...string, minLength: 2 }, ['ab', '💩b'], ['💩', 'a']],
    ['minLength 1', { ...string, minLength: 1 }, ['💩', ' '], ['']],
    ['maxLength', { ...string, maxLength: 1 }, ['💩', ''], ['ab']],
    ['pattern', { ...string, pattern: '^\\p{L}+$' }, ['é'], ['1', 'é\n']],
    // A regular expression would take years.
    ['pattern, slow', { ...string, pattern: '^(a+)+$' }, ['a'], [`${'a'.repeat(99)}!`]],
    ['hex', { ...string, pattern: '^0x[0-9a-f]+$' }, ['0x0'], ['0x', '0xG', 'x']],
    ['format', { ...string, format: 'email' }, ['no address', ''], [1]],
    ['enum', { enum: ['a', '__proto__', 'toString'] }, ['__proto__'], ['b', 'constructor']],
    ['enum of texts', { ...string, enum: ['a', 'b'] }, ['a'], ['c', null]],
    ['enum of any', { enum: [1, null, false, 'a'] }, [null, 1, false], [0, true, 'null']],
    ['enum of objects', { enum: [{ a: [1] }, 2] }, [{ a: [1] }, 2], [{ a: [] }, 1]],
    ['const', { const: { b: 1, a: 2 } }, [{ a: 2, b: 1 }], [{ a: 2 }]],
    ['const null', { const: null }, [null], [0, '']],
    ['null', { type: ['string', 'null'], maxLength: 2 }, [null, 'ab'], ['abc', 1]],
    ['types', { type: ['integer', 'array'], minItems: 1, minimum: 5 }, [5, [1]], [4, [], 'a']],
    ['closed', object({ a: string }, { additionalProperties: false }), [{}], [{ b: 1 }, []]],
    ['closed, none', { type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]],
    ['open', object({ a: string }), [{ b: 1 }, { toString: 1 }], [{ a: 1 }, [], null]],
    [
      'map',
      { type: 'object', additionalProperties: string },
      [{ constructor: 'a' }],
      [{ constructor: 1 }, []],
    ],
    [
      'rest',
      object({ a: string }, { additionalProperties: { type: 'number' } }),
      [{ a: 'b', c: 1 }],
      [{ c: 'd' }, { prototype: 'e' }],
    ],
    [
      'inherited',
      object({ toString: string, constructor: string }),
      [{}, { toString: 'a' }],
      [{ toString: 1 }],
    ],
    [
      '__proto__',
      JSON.parse(
        '{ "type": "object", "properties": { "__proto__": { "type": "string" } }, "required": ["__proto__"] }',
      ),
      [JSON.parse('{ "__proto__": "a" }')],
      [{}, JSON.parse('{ "__proto__": 1 }')],
    ],
    ['required', object({ a: true }, { required: ['a'] }), [{ a: null }], [{}]],
    ['required, undeclared', object({ a: string }, { required: ['b'] }), [{ b: 1 }], [{ a: 'a' }]],
    ['forbidden', object({ a: false }), [{}], [{ a: null }]],
    ['properties without a type', { properties: { a: string } }, [1, [], { a: 'a' }], [{ a: 1 }]],
    ['minProperties', { type: 'object', minProperties: 1 }, [{ a: 1 }], [{}]],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^a': string }, additionalProperties: false },
      [{ ab: 'c' }],
      [{ a: 1 }, { b: 'c' }],
    ],
    ['propertyNames', { type: 'object', propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
    [
      'dependentRequired',
      object({}, { dependentRequired: { a: ['b'] } }),
      [{ b: 1 }, { a: 1, b: 1 }],
      [{ a: 1 }],
    ],
    [
      'dependentSchemas',
      object({}, { dependentSchemas: { a: { maxProperties: 1 } } }),
      [{ a: 1 }],
      [{ a: 1, b: 1 }],
    ],
    [
      'unevaluatedProperties',
      { allOf: [object({ a: true })], unevaluatedProperties: false },
      [{ a: 1 }],
      [{ b: 1 }],
    ],
    [
      'items',
      { type: 'array', items: string, minItems: 1, maxItems: 2 },
      [['a'], ['a', 'b']],
      [[], [1], ['a', 'b', 'c'], {}],
    ],
    ['uniqueItems', { type: 'array', uniqueItems: true }, [[1, '1', [1]]], [[{ a: 1 }, { a: 1 }]]],
    ['contains', { type: 'array', contains: string, maxContains: 1 }, [[1, 'a']], [[], ['a', 'b']]],
    [
      'prefixItems',
      { type: 'array', prefixItems: [string, true], minItems: 2, items: false },
      [['a', null]],
      [['a'], ['a', 1, 2], [1, 1]],
    ],
    [
      'prefixItems, optional',
      { type: 'array', prefixItems: [string, string], minItems: 1, items: false },
      [['a'], ['a', 'b']],
      [[], ['a', 1], ['a', 'b', 'c']],
    ],
    [
      'prefixItems, open',
      { type: 'array', prefixItems: [string], items: { type: 'number' } },
      [[], ['a', 1]],
      [['a', 'b']],
    ],
    [
      'allOf',
      { allOf: [object({ a: string }, { required: ['a'] }), object({ b: string })] },
      [{ a: 'a', c: [{}] }],
      [{ b: 'b' }, { a: 'a', b: 1 }],
    ],
    [
      'allOf of closed',
      {
        allOf: [
          object({ a: true }, { additionalProperties: false }),
          object({ b: true }, { additionalProperties: false }),
        ],
      },
      [{}],
      [{ a: 1 }, { a: 1, b: 1 }],
    ],
    [
      'allOf of a list',
      {
        allOf: [
          { type: 'array', items: object({}) },
          { type: 'array', maxItems: 1 },
        ],
      },
      [[{ constructor: 1 }]],
      [[1], [{}, {}]],
    ],
    ['anyOf', { anyOf: [string, { type: 'number' }] }, ['a', 1], [null]],
    ['oneOf', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, [1.5], [1, 'a']],
    [
      'oneOf, discriminated',
      { oneOf: [branch('a', { additionalProperties: false }), branch('b')] },
      [{ kind: 'a' }, { kind: 'b', c: 1 }],
      [{ kind: 'a', c: 1 }, { kind: 'c' }, {}, [], null],
    ],
    [
      'oneOf, optional kind',
      { oneOf: [object({ kind: { const: 'a' } }), branch('b')] },
      [{}, { kind: 'a' }, { kind: 'b' }],
      [{ kind: 'c' }],
    ],
    ['not', { ...string, not: { const: 'a' } }, ['b'], ['a', 1]],
    [
      'if',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { type: 'number', if: { minimum: 5 }, then: { multipleOf: 2 }, else: { maximum: 3 } },
      [6, 3],
      [7, 4],
    ],
    [
      'recursion',
      { $ref: '#/components/schemas/Recursive' },
      [{ next: { next: {} } }],
      [{ next: { next: 1 } }],
    ],
  ]

/** The keywords that our validator checks, for each of the schemas that have some. */
const COMMENTS: readonly string[] = [
  'multipleOf: multipleOf',
  'minLength: minLength',
  'maxLength: maxLength',
  'pattern: pattern',
  'pattern, slow: pattern',
  'hex: pattern',
  'enum of objects: enum',
  'const: const',
  'null: maxLength',
  'inherited: properties, type',
  '__proto__: properties, required, type',
  'required, undeclared: required',
  'properties without a type: properties, type',
  'minProperties: minProperties',
  'patternProperties: additionalProperties, patternProperties, type',
  'propertyNames: propertyNames',
  'dependentRequired: dependentRequired',
  'dependentSchemas: dependentSchemas',
  'unevaluatedProperties: allOf, properties, type, unevaluatedProperties',
  'uniqueItems: uniqueItems',
  'contains: contains, maxContains',
  'prefixItems, open: items, prefixItems, type',
  'not: not',
  'if: else, if, then',
]

/** Zod forgives a property that only one of two closed objects has. Items that may be absent have no type in Valibot. */
const OTHERS: Readonly<Record<LibraryName, readonly string[]>> = {
  zod: ['allOf of closed: additionalProperties, allOf, properties, type'],
  valibot: ['prefixItems, optional: items, minItems, prefixItems, type'],
}

describe.each(LIBRARIES)('%s', (library) => {
  const api = apiOfSchemas({
    ...Object.fromEntries(CASES.map(([, schema], at) => [`Case${at}`, schema])),
    Recursive: RECURSIVE,
    Issues: object({ a: { type: 'array', items: object({}, { required: ['b/c'] }) } }),
    Kept: object({ a: object({ b: string }) }),
  })
  const imported = importSchemas(api, library)
  const checker = createChecker(api.schemas)

  test.each(CASES.map((one, at) => [...one, `Case${at}`] as const))(
    '%s: has the verdicts of our validators',
    async (_, __, valid, invalid, name) => {
      const values = [...valid, ...invalid]
      const wanted = [...valid.map(() => true), ...invalid.map(() => false)]
      expect(values.map(checker.named(name).check)).toEqual(wanted)
      const schema = (await imported)[name]
      expect(values.map((value) => verdictOf(schema, value))).toEqual(wanted)
    },
  )

  test('what our validator checks is in the comment of the schema', () => {
    const lines = CASES.flatMap(([name, schema]) => {
      const { text } = PLUGINS[library].emit(apiOfSchemas({ Recursive: RECURSIVE, Case: schema }))
      const [, found] = /Checked by the validator of Twinspec: ([^.]*)\./.exec(text) ?? []
      return found === undefined
        ? []
        : [`${name}: ${found.replace(/[`*]|\n/g, '').replace(/ +/g, ' ')}`]
    })
    expect(lines.sort()).toEqual([...COMMENTS, ...OTHERS[library]].sort())
  })

  test('an issue of our validator has the path in the whole value, and does not repeat it', async () => {
    expect(issuesOf((await imported).Issues, { a: [{ 'b/c': 1 }, {}] })).toEqual([
      ['a.1.b/c', 'must have the property `b/c`'],
    ])
  })

  test('a value that passes keeps its other properties', async () => {
    const value = { a: { b: 'b', c: [1], constructor: 2 }, d: null }
    expect(resultOf((await imported).Kept, value)).toEqual(value)
  })

  test('the service: the verdicts of our validators on its examples and on mutants', async () => {
    const { differences, ...sum } = await compareLibrary(serviceApi, library, {
      values: 2000,
      seed: 1,
    })
    expect(differences.filter((one) => !isLeftOut(one))).toEqual([])
    expect(sum.examples).toBeGreaterThan(300)
    expect(sum.accepted).toBeGreaterThan(1500)
  })
})

const validate = (schema: unknown, value: unknown) =>
  (schema as Standard)['~standard'].validate(value)

const resultOf = (schema: unknown, value: unknown): unknown => validate(schema, value).value

const issuesOf = (schema: unknown, value: unknown) =>
  validate(schema, value).issues?.map(({ path = [], message }) => [
    path.map((key) => (typeof key === 'object' ? key.key : key)).join('.'),
    message,
  ])

type Standard = {
  readonly '~standard': {
    readonly validate: (value: unknown) => {
      readonly value?: unknown
      readonly issues?: readonly {
        readonly message: string
        readonly path?: readonly (string | number | { readonly key: string | number })[]
      }[]
    }
  }
}
