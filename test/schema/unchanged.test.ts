import { describe, expect, it } from 'vitest'
import { createUnchanged } from '../../src/schema/same.js'
import type { Schema } from '../../src/schema/schema.js'
import { recordDiscriminator } from '../../src/schema/source.js'

const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const named = (schemas: Readonly<Record<string, Schema>>) =>
  new Map(Object.entries(schemas).map(([name, schema]) => [name, { schema }]))

const listOf = (name: string): Schema => ({ type: 'array', items: to(name) })

const tree = (leaf: Schema) =>
  named({
    Leaf: leaf,
    Node: { type: 'object', properties: { next: to('Node'), leaf: to('Leaf') } },
    Alone: { type: 'object', properties: { next: to('Alone') } },
  })

describe('an unchanged schema', () => {
  const isUnchanged = createUnchanged(tree({ type: 'string' }), tree({ type: 'integer' }))

  it('is identical in both versions, and may refer to itself', () => {
    expect(isUnchanged(listOf('Alone'), listOf('Alone'))).toBe(true)
    expect(isUnchanged(listOf('Alone'), to('Alone'))).toBe(false)
  })

  it('refers to no changed schema, however indirectly', () => {
    expect(isUnchanged(to('Leaf'), to('Leaf'))).toBe(false)
    expect(isUnchanged(listOf('Node'), listOf('Node'))).toBe(false)
  })

  it('refers to no schema that only one version has, or neither', () => {
    const grown = createUnchanged(named({}), named({ New: true }))
    expect(grown(to('New'), to('New'))).toBe(false)
    expect(grown(to('Unknown'), to('Unknown'))).toBe(false)
  })

  it('may have more properties than a call has arguments', () => {
    const names = Array.from({ length: 150_000 }, (_, index) => [`p${index}`, true])
    const large: Schema = { properties: Object.fromEntries(names) }
    expect(isUnchanged(large, large)).toBe(true)
  })

  it('has the same discriminators', () => {
    const union = (propertyName: string): Schema => {
      const schema = { oneOf: [to('Leaf'), to('Alone')] }
      recordDiscriminator(schema, { ...schema, discriminator: { propertyName } })
      return schema
    }
    const schemas = tree({ type: 'string' })
    const same = createUnchanged(schemas, schemas)
    expect(same({ items: union('kind') }, { items: union('kind') })).toBe(true)
    expect(same({ items: union('kind') }, { items: union('type') })).toBe(false)
  })
})
