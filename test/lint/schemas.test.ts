import { expect, it } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { findingsOf, http, json, rpc, schema } from './lint-documents.js'

const text = { type: 'string' }

it('reference-has-ignored-siblings', async () => {
  const answering = (one: object, version = '3.0.3') =>
    http({ responses: { 200: json(one) } }, { version, schemas: { Text: text } })
  const beside = { $ref: '#/components/schemas/Text', maxLength: 5 }
  const within = { allOf: [{ $ref: '#/components/schemas/Text' }], maxLength: 5 }
  expect(
    await findingsOf('reference-has-ignored-siblings', answering(beside)),
  ).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/200/content/application~1json/schema/maxLength maxLength is ignored next to a $ref: put the $ref under allOf",
    ]
  `)
  expect(await findingsOf('reference-has-ignored-siblings', answering(within))).toEqual([])
  expect(await findingsOf('reference-has-ignored-siblings', answering(beside, '3.1.0'))).toEqual([])
})

it.each([
  ['without a type', schema({ nullable: true, description: 'Any.' })],
  ['beside an enum without null', schema({ type: 'string', nullable: true, enum: ['a'] })],
  ['in OpenAPI 3.1', schema({ type: 'string', nullable: true }, { version: '3.1.0' })],
  ['in OpenRPC', rpc({ result: { name: 'a', schema: { type: 'string', nullable: true } } })],
])('nullable-has-no-effect, %s', async (_, documents) => {
  expect(await findingsOf('nullable-has-no-effect', documents)).toMatchSnapshot()
  expect(
    await findingsOf(
      'nullable-has-no-effect',
      schema({ type: 'string', nullable: true, enum: ['a', null] }),
    ),
  ).toEqual([])
})

it('keyword-has-no-effect', async () => {
  expect(
    await findingsOf('keyword-has-no-effect', schema({ type: 'integer', minLength: 2 })),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/minLength minLength applies only to strings, and the type is integer: correct one of them",
    ]
  `)
  expect(
    await findingsOf('keyword-has-no-effect', schema({ type: 'integer', minimum: 2 })),
  ).toEqual([])
})

it.each([
  ['string', { uniqueItems: true }],
  ['object', { minContains: 2 }],
  ['object', { maxContains: 2 }],
  ['array', { dependentRequired: { a: ['b'] } }],
])('keyword-has-no-effect, of the type %s with %j', async (type, keyword) => {
  const one = schema({ type, ...keyword }, { version: '3.1.0' })
  expect(await findingsOf('keyword-has-no-effect', one)).toHaveLength(1)
})

it('keyword-has-no-effect ignores required: true, as Swagger documents have it in a property', async () => {
  const one = schema({ ...text, required: true })
  expect(await findingsOf('keyword-has-no-effect', one)).toEqual([])
})

it('enum-value-has-wrong-type', async () => {
  expect(
    await findingsOf('enum-value-has-wrong-type', schema({ ...text, enum: ['a', 7] })),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/enum/1 the enum lists 7, and the type allows only string: it is read as "7"; write that",
    ]
  `)
  expect(
    await findingsOf('enum-value-has-wrong-type', schema({ ...text, enum: ['a', '7'] })),
  ).toEqual([])
})

it.each([
  [
    { type: 'integer', enum: [1, 2.5] },
    'enum/1 the enum lists 2.5, and the type allows only integer: correct one of them',
  ],
  [{ type: 'number', enum: [1, 2.5] }, undefined],
  [
    { type: ['integer', 'string'], enum: [2.5] },
    'enum/0 the enum lists 2.5, and the type allows only integer or string: it is read as "2.5"; write that',
  ],
  [
    { type: 'string', const: 7 },
    'const the const is 7, and the type allows only string: it is read as "7"; write that',
  ],
  [
    { type: 'boolean', const: 'true' },
    'const the const is "true", and the type allows only boolean: it is read as true; write that',
  ],
  [
    { type: 'string', const: null },
    'const the const is null, and the type allows only string: correct one of them',
  ],
  [{ type: 'number', const: 7 }, undefined],
  [{ type: ['string', 'null'], const: null }, undefined],
])('enum-value-has-wrong-type of %j', async (one, expected) => {
  const found = await findingsOf('enum-value-has-wrong-type', schema(one, { version: '3.1.0' }))
  expect(found).toEqual(expected ? [`warning /components/schemas/One/${expected}`] : [])
})

it('enum-value-has-wrong-type accepts null of a nullable integer', async () => {
  const one = schema({ type: 'integer', nullable: true, enum: [1, null] })
  expect(await findingsOf('enum-value-has-wrong-type', one)).toEqual([])
})

it('enum-value-is-duplicate', async () => {
  expect(
    await findingsOf('enum-value-is-duplicate', schema({ enum: ['a', 'b', 'a'] })),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/enum/2 the enum lists "a" again: remove it, or correct it if another value is meant",
    ]
  `)
  expect(await findingsOf('enum-value-is-duplicate', schema({ enum: ['a', 'b'] }))).toEqual([])
})

it('enum-names-do-not-fit', async () => {
  const named = (names: unknown, key = 'x-enum-varnames') =>
    findingsOf('enum-names-do-not-fit', schema({ enum: [0, 1], [key]: names }))
  expect([
    ...(await named(['Open'])),
    ...(await named('Open', 'x-enumNames')),
  ]).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/x-enum-varnames x-enum-varnames has 1 names for 2 values: give each value a name of its own",
      "warning /components/schemas/One/x-enumNames x-enumNames must be a list of texts: give each value a name of its own",
    ]
  `)
  expect(await named(['Open', 'Open'])).toEqual([
    expect.stringContaining('x-enum-varnames has the name Open twice'),
  ])
  expect(await named(['Open', 'Paid'])).toEqual([])
})

it('bounds-contradict', async () => {
  const bounds = (minLength: number) => schema({ ...text, minLength, maxLength: 5 })
  expect(await findingsOf('bounds-contradict', bounds(6))).toMatchInlineSnapshot(`
    [
      "error /components/schemas/One/minLength minLength is 6 and maxLength is 5, so no string is valid: correct one of them",
    ]
  `)
  expect(await findingsOf('bounds-contradict', bounds(5))).toEqual([])
})

it.each([
  [{ minimum: 5, exclusiveMaximum: 5 }, 'minimum is 5 and the exclusive maximum is 5'],
  [{ minimum: 5, exclusiveMaximum: 6 }, undefined],
  [{ exclusiveMinimum: 5, maximum: 5 }, 'the exclusive minimum is 5 and maximum is 5'],
  [
    { exclusiveMinimum: 5, exclusiveMaximum: 5 },
    'the exclusive minimum is 5 and the exclusive maximum is 5',
  ],
  [{ exclusiveMinimum: 4.5, exclusiveMaximum: 5 }, undefined],
])('bounds-contradict of a number with %j', async (bounds, expected) => {
  const one = schema({ type: 'number', ...bounds }, { version: '3.1.0' })
  const found = await findingsOf('bounds-contradict', one)
  const message = `${expected}, so no number is valid: correct one of them`
  expect(found).toEqual(expected ? [expect.stringContaining(message)] : [])
})

it.each([
  [{ type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 6 }, 'integer'],
  [{ type: 'integer', minimum: 5.2, maximum: 5.8 }, 'integer'],
  [{ type: 'number', minimum: 1, maximum: 4, multipleOf: 5 }, 'multiple of 5'],
  [{ type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 7 }, undefined],
  [{ type: 'number', minimum: 1, maximum: 5, multipleOf: 5 }, undefined],
])('bounds-contradict without a whole number between the bounds: %j', async (bounds, kind) => {
  const found = await findingsOf('bounds-contradict', schema(bounds, { version: '3.1.0' }))
  expect(found).toEqual(kind ? [expect.stringContaining(`so no ${kind} is valid`)] : [])
})

it('bounds-contradict, where OpenAPI 3.0 excludes a bound by true', async () => {
  const bounds = (exclusiveMaximum: boolean) =>
    schema({ type: 'number', minimum: 5, maximum: 5, exclusiveMaximum })
  expect(await findingsOf('bounds-contradict', bounds(true))).toEqual([
    'error /components/schemas/One/minimum minimum is 5 and the exclusive maximum is 5, so no number is valid: correct one of them',
  ])
  expect(await findingsOf('bounds-contradict', bounds(false))).toEqual([])
})

it.each([
  [{ contains: {}, minContains: 2, maxContains: 1 }, 'minContains is 2 and maxContains is 1'],
  [{ contains: {}, maxContains: 0 }, 'minContains is 1 and maxContains is 0'],
  [{ contains: {}, minContains: 0, maxContains: 0 }, undefined],
  [{ minContains: 2, maxContains: 1 }, undefined],
])('bounds-contradict of an array with %j', async (counts, expected) => {
  const one = schema({ type: 'array', ...counts }, { version: '3.1.0' })
  const found = await findingsOf('bounds-contradict', one)
  const message = `${expected}, so no array is valid: correct one of them`
  expect(found).toEqual(expected ? [expect.stringContaining(message)] : [])
})

it('pattern-is-unportable', async () => {
  const matching = (pattern: string) => schema({ ...text, pattern })
  expect(await findingsOf('pattern-is-unportable', matching('^\\d+$'))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/pattern in ^\\d+$, \\d is ASCII in ECMAScript and every script in Python, .NET and Rust: write [0-9]",
    ]
  `)
  expect(await findingsOf('pattern-is-unportable', matching('^[0-9]+$'))).toEqual([])
})

it('pattern-takes-too-long', async () => {
  const matching = (pattern: string, maxLength?: number) => schema({ ...text, pattern, maxLength })
  const rule = 'pattern-takes-too-long'
  expect(await findingsOf(rule, matching('^(a+)+$'))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/pattern ^(a+)+$ takes exponential time for a text that repeats "a" and does not match: write it so that each text can match in one way only, or add a maxLength of 19 or less",
    ]
  `)
  expect(await findingsOf(rule, matching('^a*a*a*b$'))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/pattern ^a*a*a*b$ takes time that grows with the power of 3 for a text that repeats "a" and does not match: write it so that each text can match in one way only, or add a maxLength of 99 or less",
    ]
  `)
  for (const usual of ['^a+$', '^(a|b)*$', '^([a-z]+[.])+[a-z]+$', '^a*a*$', '.*a.*'])
    expect(await findingsOf(rule, matching(usual))).toEqual([])
  expect(await findingsOf(rule, matching('^(a+)+$', 19))).toEqual([])
  expect(await findingsOf(rule, matching('^a*a*a*b$', 100))).toEqual([])
})

it('required-property-is-undeclared', async () => {
  const needing = (...required: readonly string[]) =>
    schema({ type: 'object', required, properties: { name: text } })
  expect(
    await findingsOf('required-property-is-undeclared', needing('nmae')),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/required/0 nmae is required and not among the properties: declare it, or correct the name",
    ]
  `)
  expect(await findingsOf('required-property-is-undeclared', needing('name'))).toEqual([])
})

it('makes no more than a note of a reserved word, and nothing of the name of a global', async () => {
  const schemas = {
    Error: { type: 'string' },
    delete: { type: 'string' },
    'my-type': { type: 'string' },
  }
  expect(await findingsOf('schema-name-was-changed', http({}, { schemas }))).toEqual([
    'note /components/schemas/delete the schema delete is called delete_ in generated code: its own name is a reserved word',
    'warning /components/schemas/my-type the schema my-type is called MyType in generated code: its own name is not an identifier',
  ])
})

it('tells a name that is required and not declared once, whatever other rules say of free shapes', async () => {
  const one = { type: 'object', required: ['nmae'], properties: { name: text } }
  const api = await apiOf(schema({ description: 'One.', ...one }))
  const about = lint(api).filter(({ location }) => location.pointer.includes('schemas/One'))
  expect(about.map(({ rule }) => rule)).toEqual(['required-property-is-undeclared'])
})

it('leaves alone what another branch of a combination may declare', async () => {
  const one = { allOf: [{ required: ['name'], properties: {} }, { properties: { name: text } }] }
  expect(await findingsOf('required-property-is-undeclared', schema(one))).toEqual([])
})

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

it.each<[string, object, boolean]>([
  ['beside the reference', { allOf: [ref('Base')], properties: { name: text } }, true],
  ['in the next part', { allOf: [ref('Base'), { properties: { name: text } }] }, true],
  ['in another component', { allOf: [ref('Base'), ref('Named')] }, true],
  ['in no part', { allOf: [ref('Base'), { properties: { other: text } }] }, false],
  ['in another alternative', { oneOf: [ref('Base'), ref('Named')] }, false],
  ['in a property', { properties: { base: ref('Base'), name: text } }, false],
])('a schema may require what those that extend it declare: %s', async (_, one, isDeclared) => {
  const Base = { type: 'object', required: ['name'], properties: { id: text } }
  const schemas = { Base, Middle: { allOf: [ref('Base')] }, Named: { properties: { name: text } } }
  const found = async (schema: object) =>
    findingsOf(
      'required-property-is-undeclared',
      http({ responses: { 200: json(schema) } }, { schemas }),
    )
  expect(await found(one)).toHaveLength(isDeclared ? 0 : 1)
  // Through a schema between them.
  const further = JSON.parse(JSON.stringify(one).replace('schemas/Base', 'schemas/Middle'))
  expect(await found(further)).toHaveLength(isDeclared ? 0 : 1)
})

it.each([
  (one: object) => ({ oneOf: [one] }),
  (one: object) => ({ allOf: [one] }),
  (one: object) => ({ description: 'One.', anyOf: [{ allOf: [one] }] }),
])('the only part of a schema is not that schema written out: %s', async (around) => {
  expect(await findingsOf('schema-is-repeated', schema(around(point)))).toEqual([])
  const twice = http(
    { responses: { 200: json(ref('One')), 201: json(point) } },
    { schemas: { One: around(point) } },
  )
  expect(await findingsOf('schema-is-repeated', twice)).toEqual([
    expect.stringMatching(/responses\/201\/.* this is One written out/),
  ])
})

const point = {
  type: 'object',
  required: ['x', 'y'],
  properties: {
    ...{ x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number' } },
    ...{ label: { type: 'string' }, note: { type: 'string' } },
  },
}

it('schema-is-written-twice', async () => {
  const reordered = { ...point, description: 'A point.', required: ['y', 'x'] }
  const both = (Spot: object) => ({
    ...schema(point),
    openrpc: openrpcOf({ schemas: { Spot } }),
  })
  expect(await findingsOf('schema-is-written-twice', both(reordered))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/Spot Spot accepts the same values as One of the other document (openapi.json:28): let both refer to one file",
    ]
  `)
  expect(await findingsOf('schema-is-written-twice', both({ ...point, required: ['x'] }))).toEqual(
    [],
  )
})

it('schema-is-written-twice, where only the names of what is referred to differ', async () => {
  const list = (name: string) => ({
    type: 'array',
    items: { $ref: `#/components/schemas/${name}` },
  })
  const documents = {
    ...http({ responses: {} }, { schemas: { Points: list('Point'), Point: point } }),
    openrpc: openrpcOf({ schemas: { Spots: list('Spot'), Spot: { title: 'Spot', ...point } } }),
  }
  expect(await findingsOf('schema-is-written-twice', documents)).toHaveLength(2)
})

it('schema-is-repeated', async () => {
  const answering = (other: object) => http({ responses: { 200: json(point), 201: json(other) } })
  expect(await findingsOf('schema-is-repeated', answering(point))).toMatchInlineSnapshot(`
    [
      "note /paths/~1a/get/responses/200/content/application~1json/schema the same schema is at openapi.json:47: give it a name and refer to it",
    ]
  `)
  expect(await findingsOf('schema-is-repeated', answering({ ...point, required: ['x'] }))).toEqual(
    [],
  )
})

it('schema-is-repeated says the names of the document', async () => {
  const one = http(
    { responses: { 200: json(point), 201: json(ref('A--Point')), 202: json(ref('B--Point')) } },
    { schemas: { 'A--Point': point, 'B--Point': point } },
  )
  const found = await findingsOf('schema-is-repeated', one)
  expect(found).toEqual([
    expect.stringContaining(' this is B--Point written out'),
    expect.stringContaining(' B--Point accepts the same values as A--Point ('),
  ])
})

it('schema-is-repeated, where it has a name already', async () => {
  const answering = (one: object) =>
    http({ responses: { 200: json(one) } }, { schemas: { Point: point } })
  expect(await findingsOf('schema-is-repeated', answering(point))).toMatchInlineSnapshot(`
    [
      "note /paths/~1a/get/responses/200/content/application~1json/schema this is Point written out: refer to it",
    ]
  `)
  expect(
    await findingsOf('schema-is-repeated', answering({ $ref: '#/components/schemas/Point' })),
  ).toEqual([])
})

it('component-is-unused', async () => {
  const loop = { properties: { next: { $ref: '#/components/schemas/Loop' } } }
  const holding = (schemas: object) =>
    http({ responses: { 200: json({ $ref: '#/components/schemas/Used' }) } }, { schemas })
  expect(
    await findingsOf('component-is-unused', holding({ Used: text, Loop: loop })),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/Loop no operation uses Loop of the schemas, directly or through other components: use it or remove it",
    ]
  `)
  const used = { properties: { loop: { $ref: '#/components/schemas/Loop' } } }
  expect(await findingsOf('component-is-unused', holding({ Used: used, Loop: loop }))).toEqual([])
})

it('component-is-unused, where a schema extends a used parent that has a discriminator', async () => {
  const extending = (parent: string) => ({
    allOf: [{ $ref: `#/components/schemas/${parent}` }, { required: ['fins'] }],
  })
  const unused = async (animal: object, used: string) =>
    (
      await findingsOf(
        'component-is-unused',
        http(
          { responses: { 200: json({ $ref: `#/components/schemas/${used}` }) } },
          {
            schemas: {
              ...{ Animal: animal, Text: text, Fish: extending('Animal'), Cod: extending('Fish') },
            },
          },
        ),
      )
    ).map((finding) => finding.split(' ')[1])
  const animal = { type: 'object', properties: { kind: text }, required: ['kind'] }
  const discriminator = { propertyName: 'kind' }
  const [all, children] = [
    ['Animal', 'Fish', 'Cod'],
    ['Fish', 'Cod'],
  ].map((names) => names.map((name) => `/components/schemas/${name}`))
  expect(await unused({ ...animal, discriminator }, 'Animal')).toEqual(['/components/schemas/Text'])
  expect(await unused({ ...animal, discriminator }, 'Text')).toEqual(all)
  expect(await unused(animal, 'Animal')).toEqual(['/components/schemas/Text', ...(children ?? [])])
})

it('a security scheme is used where it is named', async () => {
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'key' } }
  const secured = (security: object) =>
    http({ responses: {}, ...security }, { components: { securitySchemes } })
  expect(await findingsOf('component-is-unused', secured({}))).toHaveLength(1)
  expect(await findingsOf('component-is-unused', secured({ security: [{ key: [] }] }))).toEqual([])
})

it('property-name-is-unsafe', async () => {
  const named = (name: string) =>
    schema({ type: 'object', properties: Object.fromEntries([[name, text]]) })
  expect(await findingsOf('property-name-is-unsafe', named('__proto__'))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/properties/__proto__ __proto__ has a meaning of its own in JavaScript, and many libraries drop a property of this name: choose another name",
    ]
  `)
  expect(await findingsOf('property-name-is-unsafe', named('constructor'))).toHaveLength(1)
  expect(await findingsOf('property-name-is-unsafe', named('prototype'))).toHaveLength(1)
  expect(await findingsOf('property-name-is-unsafe', named('Constructor'))).toEqual([])
})
