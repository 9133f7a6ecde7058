import { expect, it } from 'vitest'
import type { Declaration } from '../../src/emit/declaration.js'
import { emitAll } from '../../src/emit/emit.js'
import { declared } from '../../src/emit/file.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import type { Division } from '../../src/emit/split-by-tag/division.js'
import { divideValues } from '../../src/emit/split-by-tag/values.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const declaration = (
  name: string,
  kind: Declaration['kind'],
  uses: string | undefined,
): Declaration => {
  const { imports } = uses === undefined ? { imports: [] } : declared(uses)
  return { name, kind, keyword: 'const', body: { ...declared('x'), imports } }
}

it('a long chain of declarations that call each other is divided', () => {
  const length = 20_000
  const chain = Array.from({ length }, (_, at) =>
    declaration(`check${at}`, 'support', at + 1 < length ? `check${at + 1}` : 'deepest'),
  )
  const callers = ['one', 'two'].map((name) => declaration(name, 'item', 'check0'))
  const deepest = declaration('deepest', 'item', undefined)
  const module = { name: 'validators.ts', declarations: [...callers, ...chain, deepest] }
  const division: Division = {
    folders: [{ name: 'pets', operations: [] }],
    places: ['pets/deepest', 'pets/one', 'pets/two'],
    placeOf: (name) => `pets/${name}`,
    placeForAll: () => undefined,
  }
  const parts = divideValues(module, division)
  const textOf = (place: string) => parts.find(({ where }) => where === place)?.body.text
  // Both callers read what the chain calls at last, so the chain is beside it.
  expect(textOf('pets/deepest')).toContain('const check0x')
  expect(textOf('pets/deepest')).toContain(`const check${length - 1}x`)
  expect(textOf('pets/one')).not.toContain('check')
})

it('the folder of a tag of 5,000 letters has a name that a file system allows', async () => {
  const read = (at: number) => ({
    get: {
      operationId: `read${at}`,
      tags: ['a'.repeat(5_000) + (at % 2)],
      responses: { 200: { description: 'Read.' } },
    },
  })
  const paths = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`/${at}`, read(at)]))
  const api = await apiOf({ openapi: openapiOf({ paths }) })
  const segments = emitAll(api, [], [...DEFAULT_KINDS, 'server']).flatMap(({ name }) =>
    name.split('/'),
  )
  expect(new Set(segments.filter((one) => one.startsWith('aaa'))).size).toBe(2)
  expect(Math.max(...segments.map(({ length }) => length))).toBeLessThan(230)
})
