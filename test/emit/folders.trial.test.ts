import { expect, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'
import { documents, read, ref, schemas } from './tagged-documents.js'

test('a document of 2,001 operations compiles', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 2001 }, (_, at) => [
      `/p/${at}`,
      read(
        `pet${at}`,
        `kind ${at % 3}`,
        ref(at % 3 === 0 ? 'Pet' : at % 2 === 0 ? 'Tree' : 'label'),
      ),
    ]),
  )
  const large = emitAll(
    await apiOf({ ...documents, openapi: openapiOf({ paths: many, schemas }) }),
    [],
    [...DEFAULT_KINDS, 'server'],
  )
  expect(large.length).toBeLessThanOrEqual(48)
  const sources = large.filter(({ name }) => name.endsWith('.ts'))
  const call = `
    import { createPet0Client } from './kind-0/http.calls.js'
    import { createHttpClient } from './http.client.js'
    export const name = async (): Promise<string> => (await createPet0Client().pet0({})).name
    export const same: typeof name = async () => (await createHttpClient().kind0.pet0({})).name`
  const texts = sources.map(({ name, text }) => [name, text] as const)
  expect(diagnose(new Map([...texts, ['call.ts', call]]))).toEqual([])
})
