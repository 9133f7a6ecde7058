import { describe, expect, it } from 'vitest'
import { printSchemas } from '../../src/emit/openapi-types.js'
import { createChecker } from '../../src/schema/check.js'
import { alternativeValues } from '../../src/schema/discriminator.js'
import { apiOf, openapiOf } from './api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
})

const STRING = { type: 'string' }
const CAT = object(['kind'], { kind: STRING, lives: { type: 'integer' } })
const DOG = object(['kind', 'bark'], { kind: STRING, bark: { type: 'boolean' } })
const MAPPING = { cat: ref('Cat').$ref, dog: ref('Dog').$ref }

const pet = (mapping?: object, rest: object = {}) => ({
  oneOf: [ref('Cat'), ref('Dog')],
  discriminator: { propertyName: 'kind', ...(mapping && { mapping }), ...rest },
})

describe('a mapping of a discriminator states the values of the property', () => {
  it('so that a value fits one alternative alone', async () => {
    const { fits } = await read({ Pet: pet(MAPPING), Cat: CAT, Dog: DOG })
    expect(fits('Pet', { kind: 'dog', bark: true })).toBe(true)
    expect(fits('Pet', { kind: 'cat' })).toBe(true)
    expect(fits('Pet', { kind: 'dog' })).toBe(false)
    expect(fits('Cat', { kind: 'dog' })).toBe(false)
  })

  it('also of a property that is inherited, or has an enum of all values', async () => {
    const Kind = { type: 'string', enum: ['cat', 'dog'] }
    const Base = object(['kind'], { kind: ref('Kind') })
    const Cat = { allOf: [ref('Base'), object([], { lives: { type: 'integer' } })] }
    const { fits } = await read({ Pet: pet(MAPPING), Kind, Base, Cat, Dog: DOG })
    expect(fits('Cat', { kind: 'cat' })).toBe(true)
    expect(fits('Cat', { kind: 'dog' })).toBe(false)
    expect(fits('Base', { kind: 'dog' })).toBe(true)
  })

  it('and all of them, where several values mean one schema', async () => {
    const mapping = { ...MAPPING, lion: ref('Cat').$ref }
    const { fits } = await read({ Pet: pet(mapping), Cat: CAT, Dog: DOG })
    expect([fits('Cat', { kind: 'lion' }), fits('Cat', { kind: 'cat' })]).toEqual([true, true])
    expect(fits('Cat', { kind: 'dog' })).toBe(false)
  })
})

describe('however the property is written', () => {
  const Kind = { type: 'string', enum: ['cat', 'dog'] }
  it.each<[string, object]>([
    ['a reference', ref('Kind')],
    ['a reference with a description', { ...ref('Kind'), description: 'Which.' }],
    ['an allOf of one', { allOf: [ref('Kind')] }],
    ['an allOf of one with a default', { allOf: [ref('Kind')], default: 'cat' }],
    ['an allOf of one, read only', { allOf: [ref('Kind')], readOnly: true }],
    ['a oneOf of one', { oneOf: [ref('Kind')] }],
    ['an anyOf of one', { anyOf: [ref('Kind')] }],
    ['an anyOf of one and null', { anyOf: [ref('Kind'), { type: 'null' }] }],
    ['any text', STRING],
    ['a text of a pattern', { type: 'string', pattern: '^[a-z]+$' }],
    ['a text or null', { type: ['string', 'null'] }],
    ['without a type', {}],
    ['true', true as unknown as object],
    ['a list with values of no alternative', { type: 'string', enum: ['cat', 'dog', 'cow'] }],
  ])('%s', async (_, kind) => {
    const { fits, typeOf, findings } = await read({
      Kind,
      Pet: pet(MAPPING),
      Cat: object(['kind'], { kind }),
      Dog: object(['kind', 'bark'], { kind, bark: STRING }),
    })
    expect(fits('Pet', { kind: 'cat' })).toBe(true)
    expect(fits('Pet', { kind: 'dog' })).toBe(false)
    expect(fits('Pet', { kind: 'dog', bark: 'x' })).toBe(true)
    expect(fits('Pet', { kind: null })).toBe(false)
    expect(typeOf('Cat')).toMatch(/kind: 'cat'/)
    expect(findings).toEqual([])
  })

  it('as a number or a boolean', async () => {
    const { fits, typeOf } = await read({
      Pet: pet({ 1: ref('Cat').$ref, true: ref('Dog').$ref }),
      Cat: object(['kind'], { kind: { type: 'integer' } }),
      Dog: object(['kind'], { kind: { type: 'boolean' } }),
    })
    expect([fits('Cat', { kind: 1 }), fits('Cat', { kind: 2 })]).toEqual([true, false])
    expect([fits('Dog', { kind: true }), fits('Dog', { kind: false })]).toEqual([true, false])
    expect(typeOf('Cat')).toMatch(/kind: 1/)
  })

  it('not at all, if the object may have more properties', async () => {
    const Dog = { ...object([], { bark: STRING }), additionalProperties: false }
    const { fits } = await read({ Pet: pet(MAPPING), Cat: object([], { lives: STRING }), Dog })
    expect([fits('Cat', { kind: 'cat' }), fits('Cat', { kind: 'dog' })]).toEqual([true, false])
    expect(fits('Dog', { bark: 'x' })).toBe(true)
  })

  it('keeps what describes it', async () => {
    const kind = { type: 'string', description: 'Which.', default: 'dog', example: 'cat' }
    const { api } = await read({ Pet: pet(MAPPING), Cat: object([], { kind }), Dog: DOG })
    const schema = api.schemas.get('Cat')?.schema
    expect(schema).toMatchObject({
      properties: { kind: { enum: ['cat'], description: 'Which.', examples: ['cat'] } },
    })
    expect(JSON.stringify(schema)).not.toContain('default')
  })
})

describe('without a mapping, the name of a schema is its value', () => {
  it('in the union that refers to it', async () => {
    const { fits, typeOf } = await read({ Pet: pet(), Cat: CAT, Dog: DOG })
    expect(fits('Pet', { kind: 'Cat', lives: 9 })).toBe(true)
    expect(fits('Pet', { kind: 'Dog', bark: true })).toBe(true)
    expect(fits('Pet', { kind: 'Fish' })).toBe(false)
    expect(fits('Pet', { kind: 'Dog' })).toBe(false)
    expect(typeOf('Dog')).toMatch(/kind: 'Dog'/)
  })

  it('also for the alternatives that a mapping leaves out', async () => {
    const { fits } = await read({ Pet: pet({ dog: 'Dog' }), Cat: CAT, Dog: DOG })
    expect([fits('Cat', { kind: 'Cat' }), fits('Cat', { kind: 'cat' })]).toEqual([true, false])
    expect(fits('Dog', { kind: 'dog', bark: true })).toBe(true)
    expect(fits('Dog', { kind: 'Dog', bark: true })).toBe(false)
  })

  it('as it is in the document', async () => {
    const union = { oneOf: [ref('pet-cat'), ref('Dog')], discriminator: { propertyName: 'kind' } }
    const { fits } = await read({ Pet: union, 'pet-cat': CAT, Dog: DOG })
    expect([fits('PetCat', { kind: 'pet-cat' }), fits('PetCat', { kind: 'PetCat' })]).toEqual([
      true,
      false,
    ])
  })

  it('in an anyOf, inline in a response, and as an allOf of one', async () => {
    const { Pet, ...schemas } = { Pet: pet(), Cat: CAT, Dog: DOG }
    const anyOf = [{ allOf: [ref('Cat')] }, ref('Dog')]
    const schema = { anyOf, discriminator: Pet.discriminator }
    const { fits } = await read(schemas, { 'application/json': { schema } })
    expect([fits('Cat', { kind: 'Cat' }), fits('Cat', { kind: 'Dog' })]).toEqual([true, false])
  })

  it('for schemas that extend the one with the discriminator, but not for that one', async () => {
    const Pet = { ...object(['kind'], { kind: STRING }), discriminator: { propertyName: 'kind' } }
    const extending = (name: string, own: object) => ({ allOf: [ref(name), object([], own)] })
    const { fits } = await read({
      Pet,
      Cat: extending('Pet', { lives: STRING }),
      Lion: extending('Cat', { mane: STRING }),
      Dog: extending('Pet', { bark: STRING }),
    })
    expect([fits('Pet', { kind: 'Dog' }), fits('Pet', { kind: 'Fish' })]).toEqual([true, true])
    expect([fits('Dog', { kind: 'Dog' }), fits('Dog', { kind: 'Cat' })]).toEqual([true, false])
    // A lion is a cat.
    expect([fits('Cat', { kind: 'Cat' }), fits('Cat', { kind: 'Lion' })]).toEqual([true, true])
    expect([fits('Cat', { kind: 'Dog' }), fits('Lion', { kind: 'Cat' })]).toEqual([false, false])
  })

  it('of each, where a union lists a schema beside one that extends it', async () => {
    const Pet = { ...object(['kind'], { kind: STRING }), discriminator: { propertyName: 'kind' } }
    const extending = (name: string, own: object) => ({ allOf: [ref(name), object([], own)] })
    const { fits } = await read({
      Pet,
      Cat: extending('Pet', { lives: STRING }),
      Lion: extending('Cat', { mane: STRING }),
      Any: { oneOf: [ref('Cat'), ref('Lion')] },
    })
    expect(fits('Any', { kind: 'Lion', mane: 'x' })).toBe(true)
    expect([fits('Cat', { kind: 'Lion' }), fits('Any', { kind: 'Pet' })]).toEqual([false, false])
  })
})

describe('a schema that extends an alternative', () => {
  const WithId = { allOf: [ref('Cat'), object(['id'], { id: STRING })] }

  it('leaves the alternative its values, and may have any value itself', async () => {
    const { fits, typeOf } = await read({ Pet: pet(MAPPING), Cat: CAT, Dog: DOG, WithId })
    expect([fits('Cat', { kind: 'cat' }), fits('Cat', { kind: 'dog' })]).toEqual([true, false])
    expect(fits('WithId', { kind: 'anything', id: '1' })).toBe(true)
    expect(fits('WithId', { kind: 'anything' })).toBe(false)
    expect(typeOf('WithId')).toMatch(/kind: string/)
  })

  it('may have values of its own, by another discriminator or as a constant', async () => {
    const Wild = { allOf: [ref('Cat'), object(['kind'], { kind: { const: 'wild' } })] }
    const Other = { oneOf: [ref('WithId'), ref('Dog')], discriminator: { propertyName: 'kind' } }
    const { fits } = await read({ Pet: pet(), Cat: CAT, Dog: DOG, WithId, Wild, Other })
    expect(fits('WithId', { kind: 'WithId', id: '1' })).toBe(true)
    expect(fits('WithId', { kind: 'Cat', id: '1' })).toBe(false)
    expect(fits('Wild', { kind: 'wild' })).toBe(true)
    expect(fits('Pet', { kind: 'wild' })).toBe(false)
  })

  it('is the alternative itself, if it adds no properties', async () => {
    const Owner = object([], { pet: { allOf: [ref('Cat')], description: 'The first one.' } })
    const { fits } = await read({ Pet: pet(MAPPING), Cat: CAT, Dog: DOG, Owner })
    expect(fits('Owner', { pet: { kind: 'dog' } })).toBe(false)
  })
})

describe('the schemas win where they have other values', () => {
  it.each<[string, object | undefined, object, string]>([
    ['a constant', undefined, { const: 'felis' }, 'note discriminator-name-differs'],
    [
      'a value beside the name',
      undefined,
      { enum: ['Cat', 'Lion'] },
      'note discriminator-name-differs',
    ],
    ['values of another case', MAPPING, { enum: ['Cat'] }, 'warning discriminator-value-differs'],
    ['numbers', MAPPING, { type: 'integer' }, 'warning discriminator-value-differs'],
  ])('%s', async (_, mapping, kind, finding) => {
    const { fits, findings, api } = await read({
      Pet: pet(mapping),
      Cat: object(['kind'], { kind }),
      Dog: object(['kind'], { kind: STRING }),
    })
    expect(api.schemas.get('Cat')?.discriminated).toBeUndefined()
    expect(findings).toEqual([`${finding} /components/schemas/Pet/discriminator`])
    // Names are no values of such a document.
    expect(fits('Dog', { kind: mapping ? 'dog' : 'anything' })).toBe(true)
  })

  it('and the schema for all other values stays as it is written', async () => {
    const { fits } = await read({
      Pet: pet({ cat: 'Cat' }, { defaultMapping: 'Dog' }),
      Cat: CAT,
      Dog: { ...DOG, properties: { ...DOG.properties, kind: { not: { enum: ['cat'] } } } },
    })
    expect(fits('Pet', { kind: 'wolf', bark: true })).toBe(true)
    expect(fits('Pet', { kind: 'cat' })).toBe(true)
  })
})

describe('the values of the alternatives of a union', () => {
  it.each<[string, object, unknown]>([
    ['by a mapping', { Pet: pet(MAPPING), Cat: CAT, Dog: DOG }, [['cat'], ['dog']]],
    ['by their names', { Pet: pet(), Cat: CAT, Dog: DOG }, [['Cat'], ['Dog']]],
    [
      'by their schemas',
      { Pet: pet(), Cat: object([], { kind: { const: 'felis' } }), Dog: DOG },
      [['felis'], undefined],
    ],
    [
      'by what they extend',
      {
        Pet: { oneOf: [ref('Cat'), ref('Dog')] },
        Base: { ...object([], { kind: STRING }), discriminator: { propertyName: 'kind' } },
        Cat: { allOf: [ref('Base')], properties: { lives: STRING } },
        Dog: { allOf: [ref('Base')], properties: { bark: STRING } },
      },
      [['Cat'], ['Dog']],
    ],
    ['without a discriminator', { Pet: { oneOf: [ref('Cat')] }, Cat: CAT }, undefined],
  ])('%s', async (_, schemas, values) => {
    const { api } = await read(schemas)
    const union = api.schemas.get('Pet')?.schema ?? true
    const found = alternativeValues(union, api.schemas, createChecker(api.schemas))
    expect(found?.values).toEqual(values)
  })
})

async function read(schemas: object, content?: object) {
  const paths = content && {
    '/pets': { get: { responses: { 200: { description: 'Pets.', content } } } },
  }
  const api = await apiOf({ openapi: openapiOf({ schemas, ...(paths && { paths }) }) })
  const checker = createChecker(api.schemas)
  const printed = new Map(printSchemas(api, 'http', {}).map((one) => [one.name, one.listed]))
  return {
    api,
    fits: (name: string, value: unknown) => checker.schema(ref(name)).check(value),
    typeOf: (name: string) => printed.get(name)?.replaceAll(/\s+/g, ' '),
    findings: api.findings
      .filter(({ rule }) => rule.startsWith('discriminator-'))
      .map(({ level, rule, location }) => `${level} ${rule} ${location.pointer}`),
  }
}
