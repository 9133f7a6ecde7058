import { describe, expect, it } from 'vitest'
import { createChecker } from '../../src/schema/check.js'
import { apiOf, openapiOf } from './api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
})

const CAT = object(['kind'], { kind: { type: 'string' }, lives: { type: 'integer' } })
const DOG = object(['kind', 'bark'], { kind: { type: 'string' }, bark: { type: 'boolean' } })
const MAPPING = { cat: ref('Cat').$ref, dog: ref('Dog').$ref }

const pet = (mapping?: object) => ({
  oneOf: [ref('Cat'), ref('Dog')],
  discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
})

describe('a mapping of a discriminator states the values of the property', () => {
  it('so that a value fits one alternative alone', async () => {
    const fits = await fitting({ Pet: pet(MAPPING), Cat: CAT, Dog: DOG })
    expect(fits('Pet', { kind: 'dog', bark: true })).toBe(true)
    expect(fits('Pet', { kind: 'cat' })).toBe(true)
    expect(fits('Pet', { kind: 'dog' })).toBe(false)
    expect(fits('Cat', { kind: 'dog' })).toBe(false)
  })

  it('also of a property that is inherited, or has an enum of all values', async () => {
    const Kind = { type: 'string', enum: ['cat', 'dog'] }
    const Base = object(['kind'], { kind: ref('Kind') })
    const Cat = { allOf: [ref('Base'), object([], { lives: { type: 'integer' } })] }
    const fits = await fitting({ Pet: pet(MAPPING), Kind, Base, Cat, Dog: DOG })
    expect(fits('Cat', { kind: 'cat' })).toBe(true)
    expect(fits('Cat', { kind: 'dog' })).toBe(false)
    expect(fits('Base', { kind: 'dog' })).toBe(true)
  })

  it('and all of them, where several values mean one schema', async () => {
    const mapping = { ...MAPPING, lion: ref('Cat').$ref }
    const fits = await fitting({ Pet: pet(mapping), Cat: CAT, Dog: DOG })
    expect([fits('Cat', { kind: 'lion' }), fits('Cat', { kind: 'cat' })]).toEqual([true, true])
    expect(fits('Cat', { kind: 'dog' })).toBe(false)
  })

  it.each([
    ['there is no mapping', { Pet: pet(), Cat: CAT }],
    ['another schema extends it', { Pet: pet(MAPPING), Cat: CAT, Lion: { allOf: [ref('Cat')] } }],
    ['the property is no string', { Pet: pet(MAPPING), Cat: object([], { kind: {} }) }],
    [
      'its enum has no such value',
      { Pet: pet(MAPPING), Cat: object([], { kind: { type: 'string', enum: ['Cat', 'dog'] } }) },
    ],
  ])('but not where %s', async (_, schemas) => {
    const fits = await fitting({ ...schemas, Dog: DOG })
    expect(fits('Cat', { kind: 'dog' })).toBe(true)
  })
})

async function fitting(schemas: object) {
  const api = await apiOf({ openapi: openapiOf({ schemas }) })
  const checker = createChecker(api.schemas)
  return (name: string, value: unknown) => checker.schema(ref(name)).check(value)
}
