import { describe, expect, it } from 'vitest'
import { changesOf } from './versions.js'

type Json = Readonly<Record<string, unknown>>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const object = (properties: Json, required: readonly string[] = [], more: Json = {}) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...more,
})

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }

const document = (operation: Json, schemas: Json) => ({
  http: JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { post: { operationId: 'pets', ...operation } } },
    components: { schemas },
  }),
})

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const requestOf = (schema: unknown, schemas: Json = {}) =>
  document(
    {
      requestBody: { required: true, ...json(schema) },
      responses: { '204': { description: 'Done' } },
    },
    schemas,
  )
const responseOf = (schema: unknown, schemas: Json = {}) =>
  document({ responses: { '200': { description: 'Ok', ...json(schema) } } }, schemas)

/** The levels and rules of what is at least a warning, with the witness. */
const breaking = async (...pair: Parameters<typeof changesOf>) =>
  (await changesOf(...pair))
    .filter(({ level }) => level !== 'note')
    .map(({ level, rule, witness }) =>
      witness ? [`${level} ${rule}`, witness.value] : [`${level} ${rule}`],
    )

const levels = async (...pair: Parameters<typeof changesOf>) =>
  (await changesOf(...pair)).map(({ level, rule }) => `${level} ${rule}`)

/** The usual output of generators: a discriminator without mapping, and the property as a plain string. */
const PET = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'petType' } }
const CAT = object({ petType: TEXT, name: TEXT, age: NUMBER }, ['petType'])
const DOG = object({ petType: TEXT, bark: { type: 'boolean' } }, ['petType'])
const pets = (cat: unknown) => ({ Pet: PET, Cat: cat, Dog: DOG })

/** A change of an object, and what it is in a response and in a request where the object is alone. */
const CHANGES: readonly (readonly [
  string,
  (name: string) => (one: typeof CAT) => Json,
  string,
  string,
])[] = [
  [
    'a type',
    (name) => (one) => ({
      ...one,
      properties: { ...one.properties, [name]: { type: 'array', items: TEXT } },
    }),
    'error response-type-widened',
    'error request-type-narrowed',
  ],
  [
    'null',
    (name) => (one) => ({
      ...one,
      properties: { ...one.properties, [name]: { ...TEXT, nullable: true } },
    }),
    'error response-became-nullable',
    '',
  ],
  [
    'a bound',
    (name) => (one) => ({
      ...one,
      properties: { ...one.properties, [name]: { ...TEXT, maxLength: 3 } },
    }),
    '',
    'error request-max-length-lowered',
  ],
  [
    'a pattern',
    (name) => (one) => ({
      ...one,
      properties: { ...one.properties, [name]: { ...TEXT, pattern: '^a' } },
    }),
    '',
    'error request-pattern-narrowed',
  ],
  [
    'a list of values',
    (name) => (one) => ({
      ...one,
      properties: { ...one.properties, [name]: { ...TEXT, enum: ['a'] } },
    }),
    '',
    'error request-became-enum',
  ],
  [
    'a new requirement',
    (name) => (one) => ({ ...one, required: [...(one.required ?? []), name] }),
    '',
    'error request-property-became-required',
  ],
  [
    'a format',
    (name) => (one) => ({
      ...one,
      properties: { ...one.properties, [name]: { ...TEXT, format: 'uuid' } },
    }),
    '',
    'warning request-format-added',
  ],
  [
    'a removed property',
    (name) => (one) => ({
      ...one,
      properties: Object.fromEntries(
        Object.entries(one.properties).filter(([key]) => key !== name),
      ),
    }),
    'warning response-property-removed',
    'warning request-property-removed',
  ],
]

describe('a change of one alternative has the level of the same change of an object', () => {
  const plain = object({ name: TEXT }, [])
  const FORMS: readonly (readonly [string, (one: Json) => readonly [unknown, Json]])[] = [
    ['a discriminator without mapping', (one) => [ref('Pet'), { ...pets(one) }]],
    [
      'a discriminator with a mapping by name',
      (one) => [
        ref('Pet'),
        {
          ...pets(one),
          Pet: {
            ...PET,
            discriminator: {
              propertyName: 'petType',
              mapping: { cat: 'Cat', dog: ref('Dog').$ref },
            },
          },
        },
      ],
    ],
    ['no discriminator', (one) => [{ oneOf: [one, DOG] }, {}]],
    ['an alternative that is more general', (one) => [{ oneOf: [one, object({})] }, {}]],
    ['an anyOf', (one) => [{ anyOf: [one, DOG] }, {}]],
    [
      'a union in a union',
      (one) => [{ oneOf: [{ oneOf: [one, DOG] }, { type: 'array', items: TEXT }] }, {}],
    ],
    ['a nullable union', (one) => [{ nullable: true, oneOf: [one, DOG] }, {}]],
    [
      'a union beside properties',
      (one) => [object({ id: TEXT }, ['id'], { oneOf: [one, DOG] }), {}],
    ],
    [
      'lists of either',
      (one) => [
        {
          oneOf: [
            { type: 'array', items: one },
            { type: 'array', items: DOG },
          ],
        },
        {},
      ],
    ],
    [
      'a required property of another object',
      (one) => [object({ data: { oneOf: [one, DOG] } }, ['data']), {}],
    ],
    ['the items of a list', (one) => [{ type: 'array', items: ref('Pet') }, pets(one)]],
    [
      'schemas that extend one with a discriminator',
      (one) => [
        ref('Pet'),
        {
          Pet: object({ petType: TEXT }, ['petType'], {
            discriminator: { propertyName: 'petType' },
          }),
          Cat: { allOf: [ref('Pet'), one] },
          Dog: { allOf: [ref('Pet'), DOG] },
        },
      ],
    ],
    [
      'schemas that extend those',
      (one) => [
        object({ pets: { type: 'array', items: ref('Pet') } }),
        {
          Pet: object({ petType: TEXT }, ['petType'], {
            discriminator: { propertyName: 'petType' },
          }),
          Cat: { allOf: [ref('Pet'), object({ claws: NUMBER })] },
          Lion: { allOf: [ref('Cat'), one] },
        },
      ],
    ],
  ]

  describe.each(FORMS)('%s', (_, form) => {
    it.each(CHANGES)('%s', async (_name, change, ofResponse, ofRequest) => {
      const after = change('name')(CAT)
      const alone = change('name')(plain as typeof CAT)
      expect((await levels(responseOf(plain), responseOf(alone))).filter(isNoNote)).toEqual(
        ofResponse === '' ? [] : [ofResponse],
      )
      expect((await levels(requestOf(plain), requestOf(alone))).filter(isNoNote)).toEqual(
        ofRequest === '' ? [] : [ofRequest],
      )
      const [response, request] = [responseOf, requestOf].map((version) =>
        levels(version(...form(CAT)), version(...form(after))),
      )
      expect((await response)?.filter(isNoNote)).toEqual(ofResponse === '' ? [] : [ofResponse])
      expect((await request)?.filter(isNoNote)).toEqual(ofRequest === '' ? [] : [ofRequest])
    })
  })
})

const isNoNote = (one: string) => !one.startsWith('note')

it('the value is shown that the alternative no longer accepts, within the whole', async () => {
  const version = (name: Json) =>
    responseOf(object({ data: { oneOf: [object({ name }), object({ bark: TEXT })] } }, ['data']))
  const found = await changesOf(version(TEXT), version(NUMBER))
  const [error] = found.filter(({ level }) => level === 'error')
  expect(error?.witness).toEqual({ value: { data: { name: 0 } }, isOfAlternative: true })
  expect(error?.message).toContain('although another alternative of the old version accepts it')
})

it.each([
  ['a response', responseOf, 'response-alternative-added'],
  ['a request', requestOf, 'request-property-became-required'],
] as const)(
  '%s: a value that several alternatives accept is shown as that of one',
  async (_, of, rule) => {
    const open = {
      oneOf: [
        object({ x: TEXT }, [], { additionalProperties: false }),
        object({ y: TEXT }, [], { additionalProperties: false }),
        object({ a: TEXT, b: { enum: ['u'] } }),
      ],
    }
    const closed = { allOf: [object({ a: TEXT, b: TEXT }, ['a', 'b']), open] }
    const pair = of === responseOf ? [closed, open] : [open, closed]
    const [before, after] = pair.map((one) => of(one))
    const found = await changesOf(before ?? {}, after ?? {})
    const [whole] = found.filter(({ message }) => /alternative.* `a` or `b`/.test(message))
    expect([whole?.rule, whole?.witness]).toEqual([rule, { value: {}, isOfAlternative: true }])
  },
)

it('what is beside a union that no value fulfils is compared', async () => {
  const version = (page: Json) =>
    responseOf(object({ data: { oneOf: [CAT, CAT] }, page }, ['data']))
  expect(await breaking(version(NUMBER), version(TEXT))).toEqual([
    ['error response-type-widened', expect.objectContaining({ page: '' })],
  ])
})

describe('an alternative that is new or gone', () => {
  const [number, iban, bic] = ['number', 'iban', 'bic'].map((name) => object({ [name]: TEXT }))
  const needed = ['number', 'iban', 'bic'].map((name) => object({ [name]: TEXT }, [name]))
  const [a, b] = ['x', 'y'].map((name) => object({ k: TEXT, [name]: NUMBER }, ['k']))
  const tagged = (...names: readonly string[]) => ({
    oneOf: names.map(ref),
    discriminator: { propertyName: 'k' },
  })

  it.each<readonly [string, Json]>([
    ['any object', { type: 'object' }],
    ['an object with an optional property of its own', object({ z: { type: 'integer' } })],
    ['what both others have, optional', object({ number: TEXT, iban: TEXT })],
  ])(
    'a new alternative of a request that accepts what the others do is an error: %s',
    async (_, added) => {
      const found = await breaking(
        requestOf({ oneOf: needed }),
        requestOf({ oneOf: [...needed, added] }),
      )
      expect(found).toEqual([['error request-alternatives-overlap', expect.anything()]])
    },
  )

  it('a response in which alternatives overlap before and after has none that no longer do', async () => {
    const [one, two] = needed
    const found = await breaking(
      responseOf({ oneOf: [one, two] }),
      responseOf({ oneOf: [one, two, object({ z: { type: 'integer' } })] }),
    )
    expect(JSON.stringify(found)).not.toContain('no-longer-overlap')
    expect(found).not.toEqual([])
  })

  it.each<readonly [string, unknown, unknown, Json]>([
    ['all are optional', { oneOf: [number, iban] }, { oneOf: [number] }, {}],
    ['each has a requirement', { oneOf: needed }, { oneOf: needed.slice(1) }, {}],
    ['of an anyOf', { anyOf: [number, iban, bic] }, { anyOf: [iban, bic] }, {}],
    ['by reference', tagged('A', 'B'), tagged('A'), { A: a, B: b }],
    ['down to no union', { oneOf: [ref('A'), ref('B')] }, ref('A'), { A: a, B: b }],
    ['a oneOf becomes an anyOf', { oneOf: needed.slice(1) }, { anyOf: needed.slice(1) }, {}],
    [
      'in a property',
      object({ p: { oneOf: [number, iban] } }),
      object({ p: { oneOf: [iban] } }),
      {},
    ],
  ])('a response that no longer has it is safe: %s', async (_, before, after, schemas) => {
    expect(await breaking(responseOf(before, schemas), responseOf(after, schemas))).toEqual([])
  })

  it.each<readonly [string, unknown, unknown, Json]>([
    ['all are optional', { oneOf: [number] }, { oneOf: [number, iban] }, {}],
    ['another one is optional', { oneOf: [number, iban] }, { oneOf: [number, iban, bic] }, {}],
    ['each has a requirement', { oneOf: needed.slice(1) }, { oneOf: needed }, {}],
    ['of an anyOf', { anyOf: [iban, bic] }, { anyOf: [number, iban, bic] }, {}],
    ['by reference', tagged('A'), tagged('A', 'B'), { A: a, B: b }],
    ['from no union', ref('A'), { oneOf: [ref('A'), ref('B')] }, { A: a, B: b }],
    ['in the place of another', { oneOf: [number, iban] }, { oneOf: [number, bic] }, {}],
  ])('a response that has it now is at least a warning: %s', async (_, before, after, schemas) => {
    expect(await breaking(responseOf(before, schemas), responseOf(after, schemas))).not.toEqual([])
  })

  it.each<readonly [string, unknown, unknown, Json]>([
    ['all are optional', { anyOf: [number] }, { anyOf: [number, iban] }, {}],
    ['each has a requirement', { oneOf: needed.slice(1) }, { oneOf: needed }, {}],
    ['by reference', { anyOf: [ref('A')] }, { anyOf: [ref('A'), ref('B')] }, { A: a, B: b }],
  ])('a request that has it now is safe: %s', async (_, before, after, schemas) => {
    expect(await breaking(requestOf(before, schemas), requestOf(after, schemas))).toEqual([])
  })

  it('a request that contains others of a oneOf now is an error: validators reject a value of both', async () => {
    expect(
      await breaking(requestOf({ oneOf: [number] }), requestOf({ oneOf: [number, iban] })),
    ).toEqual([['error request-alternatives-overlap', {}]])
  })

  it.each<readonly [string, unknown, unknown, Json]>([
    ['all are optional', { oneOf: [number, iban] }, { oneOf: [number] }, {}],
    ['each has a requirement', { oneOf: needed }, { oneOf: needed.slice(1) }, {}],
    ['by reference', tagged('A', 'B'), tagged('A'), { A: a, B: b }],
    ['down to no union', { oneOf: [ref('A'), ref('B')] }, ref('A'), { A: a, B: b }],
  ])(
    'a request that no longer has it is at least a warning: %s',
    async (_, before, after, schemas) => {
      expect(await breaking(requestOf(before, schemas), requestOf(after, schemas))).not.toEqual([])
    },
  )

  it('a schema that extends one with a discriminator is an alternative', async () => {
    const pet = object({ k: TEXT }, ['k'], { discriminator: { propertyName: 'k' } })
    const cat = { allOf: [ref('Pet'), a] }
    const [few, more] = [
      { Pet: pet, Cat: cat },
      { Pet: pet, Cat: cat, Dog: { allOf: [ref('Pet'), b] } },
    ]
    const version = (schemas: Json) => responseOf(ref('Pet'), schemas)
    expect(await levels(version(few), version(more))).toContain(
      'warning response-alternative-added',
    )
    expect(await breaking(version(more), version(few))).toEqual([])
  })
})

describe('alternatives are paired', () => {
  const card = (type: Json) => object({ number: type, holder: TEXT }, ['number'])
  const bank = object({ iban: TEXT, number: NUMBER })

  it('by reference, in any order', async () => {
    const version = (order: readonly string[], name: Json) =>
      requestOf({ oneOf: order.map(ref) }, { Cat: object({ name }), Dog: object({ bark: TEXT }) })
    expect(await breaking(version(['Cat', 'Dog'], TEXT), version(['Dog', 'Cat'], TEXT))).toEqual([])
    expect(await breaking(version(['Cat', 'Dog'], TEXT), version(['Dog', 'Cat'], NUMBER))).toEqual([
      ['error request-type-narrowed', { name: '' }],
    ])
  })

  it('by the values that select them, under a new name', async () => {
    const pet = (name: string, age: Json) =>
      responseOf(
        { anyOf: [ref(name), ref('Any')] },
        { [name]: object({ kind: { enum: ['cat'] }, age }, ['kind']), Any: object({}) },
      )
    expect(await breaking(pet('Cat', NUMBER), pet('Feline', NUMBER))).toEqual([])
    expect(await breaking(pet('Cat', NUMBER), pet('Feline', TEXT))).toEqual([
      ['error response-type-widened', { kind: 'cat', age: '' }],
    ])
  })

  it('by required names, then by likeness', async () => {
    const version = (first: unknown, second: unknown) =>
      responseOf({ anyOf: [first, second, object({})] })
    expect(await breaking(version(card(TEXT), bank), version(bank, card(TEXT)))).toEqual([])
    const found = await breaking(
      version(card(TEXT), bank),
      version(bank, card({ type: 'boolean' })),
    )
    expect(found.map(([rule]) => rule)).toEqual(['error response-type-widened'])
  })

  it('an alternative may be divided', async () => {
    const one = object({ kind: { type: 'string', enum: ['a', 'b'] }, x: TEXT }, ['kind'])
    const half = (value: string) =>
      object({ kind: { type: 'string', enum: [value] }, x: TEXT }, ['kind'])
    const [whole, halves] = [
      { anyOf: [one, object({})] },
      { anyOf: [half('a'), half('b'), object({})] },
    ]
    expect(await breaking(requestOf(whole), requestOf(halves))).toEqual([])
  })
})

describe('the change of an alternative is reported at that alternative, not at one that is unchanged', () => {
  const first = object({ a: TEXT }, ['a'])
  const second = (...required: readonly string[]) => object({ a: TEXT, b: TEXT }, required)
  const [before, after] = [second('b'), second()]
  const holding = (one: unknown) => object({ p: { anyOf: [first, one] } })

  it.each<readonly [string, unknown, unknown, Json, Json]>([
    ['anyOf', { anyOf: [first, before] }, { anyOf: [first, after] }, {}, {}],
    ['oneOf', { oneOf: [first, before] }, { oneOf: [first, after] }, {}, {}],
    ['in another order', { anyOf: [first, before] }, { anyOf: [after, first] }, {}, {}],
    [
      'by reference',
      { anyOf: [ref('X'), ref('Y')] },
      { anyOf: [ref('X'), ref('Y')] },
      { X: first, Y: before },
      { X: first, Y: after },
    ],
    ['in a property', holding(before), holding(after), {}, {}],
    [
      'of a list',
      { type: 'array', items: { anyOf: [first, before] } },
      { type: 'array', items: { anyOf: [first, after] } },
      {},
      {},
    ],
    [
      'in an alternative',
      { anyOf: [{ anyOf: [first, before] }, object({ z: TEXT }, ['z'])] },
      { anyOf: [{ anyOf: [first, after] }, object({ z: TEXT }, ['z'])] },
      {},
      {},
    ],
  ])('%s', async (_, one, other, schemas, changed) => {
    const texts = async (...[old, now]: Parameters<typeof changesOf>) =>
      (await changesOf(old, now))
        .filter(({ rule }) => /property-became-(optional|required)$/.test(rule))
        .map(({ level, message }) => `${level} ${/`[^`]*[ab]`/.exec(message)?.[0]}`)
    const blamed = [expect.stringMatching(/error `(p\.)?(\[\]\.)?b`/)]
    expect(await texts(responseOf(one, schemas), responseOf(other, changed))).toEqual(blamed)
    expect(await texts(requestOf(other, changed), requestOf(one, schemas))).toEqual(blamed)
    const noted = [expect.stringMatching(/note `(p\.)?(\[\]\.)?b`/)]
    expect(await texts(requestOf(one, schemas), requestOf(other, changed))).toEqual(noted)
  })

  /** Discriminators in each form, in one union. */
  const kinds = (links: readonly string[], lives: readonly string[]) => ({
    Kinds: { type: 'string', enum: ['link_list', 'course'] },
    Shared: object({ id: TEXT, type: ref('Kinds') }, ['id', 'type']),
    Link: { allOf: [ref('Shared'), object({ links: TEXT }, links)] },
    Course: { allOf: [ref('Shared'), object({ title: TEXT }, ['title'])] },
    Block: {
      oneOf: [ref('Link'), ref('Course')],
      discriminator: {
        propertyName: 'type',
        mapping: { link_list: ref('Link').$ref, course: ref('Course').$ref },
      },
    },
    Pet: PET,
    Cat: object({ petType: TEXT, lives: NUMBER }, ['petType', ...lives]),
    Dog: DOG,
  })
  const UNIONS = [
    ['Pet', 'Block'],
    ['Block', 'Pet'],
  ].flatMap((names) => [{ oneOf: names.map(ref) }, { anyOf: names.map(ref) }])

  it.each(UNIONS)('of a union of unions: %j', async (union) => {
    const version = (links: readonly string[], lives: readonly string[]) =>
      responseOf(union, kinds(links, lives))
    const found = async (...pair: Parameters<typeof changesOf>) =>
      (await changesOf(...pair)).map(({ level, message }) => `${level} ${message}`)
    const all = version(['links'], ['lives'])
    for (const [name, less] of [
      ['links', version([], ['lives'])],
      ['lives', version(['links'], [])],
    ] as const) {
      expect(await found(all, less)).toEqual([expect.stringContaining(`error \`${name}\` in`)])
      expect(await found(less, all)).toEqual([
        expect.stringMatching(`note \`${name}\` in .* is required now`),
      ])
    }
  })
})

describe('the name of a schema is the value that selects it', () => {
  const by = (propertyName: string, ...names: readonly string[]) => ({
    discriminator: { propertyName, ...(names.length > 0 && { mapping: mapped(names) }) },
  })
  const mapped = (names: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [`kind${at}`, ref(name).$ref]))
  const cat = object({ petType: TEXT, lives: NUMBER }, ['petType'])
  const union = (keyword: string, name: string, more: Json = by('petType')) => ({
    [name]: cat,
    Dog: DOG,
    Pet: { [keyword]: [ref(name), ref('Dog')], ...more },
  })
  const family = (name: string) => ({
    Pet: object({ petType: TEXT }, ['petType'], by('petType')),
    [name]: { allOf: [ref('Pet'), object({ lives: NUMBER })] },
    Dog: { allOf: [ref('Pet'), object({ bark: TEXT })] },
  })
  const listed = (name: string) => ({
    ...union('oneOf', name),
    [name]: object({ petType: { enum: ['c'] } }, ['petType']),
    Dog: object({ petType: { enum: ['d'] } }, ['petType']),
  })
  const versions = async (of: (name: string) => Json, root: (name: string) => unknown) => {
    const pair = (version: typeof requestOf) =>
      ['Cat', 'Feline'].map((name) => version(root(name), of(name))) as [object, object]
    return [await breaking(...pair(requestOf)), await breaking(...pair(responseOf))]
  }
  const values = [
    [['error request-value-removed', { petType: 'Cat' }]],
    [['error response-value-added', { petType: 'Feline' }]],
  ]

  it.each<readonly [string, (name: string) => Json, (name: string) => unknown]>([
    ['of a oneOf', (name) => union('oneOf', name), () => ref('Pet')],
    ['of an anyOf', (name) => union('anyOf', name), () => ref('Pet')],
    [
      'of a property that is not required',
      (name) => ({ ...union('oneOf', name), [name]: object({ petType: TEXT, lives: NUMBER }) }),
      () => ref('Pet'),
    ],
    [
      'of a property that no alternative declares',
      (name) => ({ ...union('oneOf', name), [name]: object({ lives: NUMBER }), Dog: object({}) }),
      () => ref('Pet'),
    ],
    [
      'of a discriminator that the alternatives inherit',
      family,
      (name) => ({ oneOf: [ref(name), ref('Dog')] }),
    ],
  ])('a renamed schema is an error: %s', async (_, of, root) => {
    expect(await versions(of, root)).toEqual(values)
  })

  it('a renamed schema that extends one with a discriminator is an error', async () => {
    const [request, response] = await versions(family, () => ref('Pet'))
    expect(request).toEqual([['error request-discriminator-value-removed']])
    expect(response).toContainEqual(['error response-discriminator-value-added'])
  })

  it.each<readonly [string, (name: string) => Json, (name: string) => unknown]>([
    [
      'with a mapping',
      (name) => union('oneOf', name, by('petType', name, 'Dog')),
      () => ref('Pet'),
    ],
    ['whose schema lists its values', listed, () => ref('Pet')],
    [
      'without a discriminator',
      (name) => ({ [name]: cat, Dog: DOG }),
      (name) => ({ anyOf: [ref(name), ref('Dog')] }),
    ],
    ['beside one that is used alone', family, () => ref('Dog')],
  ])('a renamed schema is safe: %s', async (_, of, root) => {
    expect(await versions(of, root)).toEqual([[], []])
  })

  it('a new alternative of a request is safe, and of a response an error', async () => {
    const few = union('oneOf', 'Cat')
    const more = {
      ...few,
      Bird: object({ petType: TEXT, wings: NUMBER }, ['petType']),
      Pet: { oneOf: ['Cat', 'Dog', 'Bird'].map(ref), ...by('petType') },
    }
    const [one, other] = [few, more]
    const version = [requestOf, responseOf].map((of) => [
      of(ref('Pet'), one),
      of(ref('Pet'), other),
    ])
    const [request, response] = version as [[object, object], [object, object]]
    expect(await breaking(...request)).toEqual([])
    expect(await breaking(...response)).toEqual([
      ['error response-value-added', { petType: 'Bird' }],
    ])
  })

  it('a discriminator that is new changes no values', async () => {
    const before = union('oneOf', 'Cat', {})
    const after = union('oneOf', 'Cat')
    expect(await breaking(requestOf(ref('Pet'), before), requestOf(ref('Pet'), after))).toEqual([])
  })
})

it('the parent is named where it accepts a value that a schema which extends it rejects', async () => {
  const version = (lives: Json) =>
    requestOf(ref('Pet'), {
      Pet: object({ petType: TEXT }, ['petType'], { discriminator: { propertyName: 'petType' } }),
      Cat: { allOf: [ref('Pet'), object({ lives })] },
    })
  const [error] = await changesOf(version(NUMBER), version(TEXT))
  expect(error?.level).toBe('error')
  expect(error?.message).toContain('although the parent schema of the new version accepts it')
})

describe('nothing is reported', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['of alternatives in another order', { oneOf: [CAT, DOG] }, { oneOf: [DOG, CAT] }],
    [
      'of a list of known values beside any text',
      { anyOf: [TEXT, { ...TEXT, enum: ['a'] }] },
      { anyOf: [TEXT, { ...TEXT, enum: ['a', 'b'] }] },
    ],
    [
      'of a value that moves to another alternative with the same properties',
      {
        oneOf: [object({ k: { enum: ['a', 'b'] } }, ['k']), object({ k: { enum: ['c'] } }, ['k'])],
      },
      {
        oneOf: [object({ k: { enum: ['a'] } }, ['k']), object({ k: { enum: ['b', 'c'] } }, ['k'])],
      },
    ],
  ])('%s', async (_, before, after) => {
    expect(await breaking(responseOf(before), responseOf(after))).toEqual([])
    expect(await breaking(requestOf(before), requestOf(after))).toEqual([])
  })

  it('a value of a text that a request may send in any case is undecided', async () => {
    const version = (...values: readonly string[]) =>
      requestOf({ anyOf: [TEXT, { ...TEXT, enum: values }] })
    expect(await breaking(version('a', 'b'), version('a'))).toEqual([
      ['warning request-value-removed'],
    ])
  })
})
