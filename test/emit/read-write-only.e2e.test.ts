import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const body = (schema: object) => ({ content: { 'application/json': { schema } } })

const schemas = {
  /** Marked itself, wherever it is a property. */
  Id: { ...text, readOnly: true },
  Owner: { type: 'object', properties: { name: text, since: { ...text, readOnly: true } } },
  Base: { type: 'object', required: ['id'], properties: { id: ref('Id') } },
  Pet: {
    allOf: [
      ref('Base'),
      {
        type: 'object',
        required: ['id', 'name', 'pin'],
        properties: {
          name: text,
          pin: { ...text, writeOnly: true },
          etag: { ...text, readOnly: true },
          owner: ref('Owner'),
          owners: { type: 'array', items: ref('Owner') },
          byName: { type: 'object', additionalProperties: ref('Owner') },
          inline: {
            type: 'object',
            properties: { made: { ...text, readOnly: true }, size: { type: 'integer' } },
          },
          either: { oneOf: [ref('Owner'), { type: 'integer' }] },
        },
      },
    ],
  },
  Stamp: {
    type: 'object',
    additionalProperties: false,
    properties: { at: { ...text, readOnly: true } },
  },
}

const paths = {
  '/pets': {
    post: {
      operationId: 'addPet',
      requestBody: { required: true, ...body(ref('Pet')) },
      responses: { 200: { description: '', ...body(ref('Pet')) } },
    },
    put: {
      operationId: 'stamp',
      requestBody: {
        required: true,
        ...body({
          type: 'object',
          properties: { at: { ...text, readOnly: true }, by: text, stamp: ref('Stamp') },
        }),
      },
      responses: {
        200: {
          description: '',
          ...body({ type: 'object', properties: { at: text, key: { ...text, writeOnly: true } } }),
        },
      },
    },
  },
}

const webhooks = {
  petAdded: {
    post: {
      operationId: 'petAdded',
      requestBody: { required: true, ...body(ref('Pet')) },
      responses: { 204: { description: '' } },
    },
  },
}

const USE = `import { createHttpClient } from './http.client.js'
import type { Pet, PetRequest, PetResponse } from './http.types.js'
import type { Handlers } from './server.js'
import { createWebhooks } from './webhooks.js'

type Has<T, K extends PropertyKey> = K extends keyof T ? true : false
const is = <T>(value: T) => value

const http = createHttpClient()
const pet = await http.addPet({ body: { name: 'Rex', pin: '1', owner: { name: 'Ada' } } })
is<PetResponse>(pet)
is<string>(pet.id)
is<string | undefined>(pet.etag ?? pet.owner?.since ?? pet.owners?.[0]?.since)
is<false>(null as unknown as Has<PetResponse, 'pin'>)
is<false>(null as unknown as Has<PetRequest, 'id' | 'etag'>)
is<true>(null as unknown as Has<Pet, 'pin'>)
// @ts-expect-error read only
await http.addPet({ body: { name: 'Rex', pin: '1', id: '1' } })
// @ts-expect-error read only, in an object
await http.addPet({ body: { name: 'Rex', pin: '1', owner: { since: '' } } })
// @ts-expect-error read only, in a list
await http.addPet({ body: { name: 'Rex', pin: '1', owners: [{ since: '' }] } })
// @ts-expect-error read only, in a map
await http.addPet({ body: { name: 'Rex', pin: '1', byName: { a: { since: '' } } } })
// @ts-expect-error read only, in a schema without a name
await http.addPet({ body: { name: 'Rex', pin: '1', inline: { made: '' } } })
// @ts-expect-error read only, in a branch
await http.addPet({ body: { name: 'Rex', pin: '1', either: { since: '' } } })
const stamped = await http.stamp({ body: { by: 'Ada', stamp: {} } })
is<string | undefined>(stamped.at)
// @ts-expect-error write only
stamped.key
// @ts-expect-error read only
await http.stamp({ body: { at: '' } })

export const addPet: Handlers['addPet'] = ({ body }) => {
  // @ts-expect-error a caller does not send it
  body.id
  return { status: 200, body: { id: '1', name: body.name } }
}
export const webhooksOfPets = createWebhooks({
  petAdded: (body) => {
    is<string>(body.id)
    // @ts-expect-error the service does not send it
    body.pin
  },
}, { secret: 'whsec_' })
`

it('request types have no read-only property, response types no write-only one', async () => {
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', paths, schemas, webhooks }) })
  const files = emitAll(api, [], ['client', 'types', 'validators', 'server', 'webhooks'])
  const texts = new Map(files.map(({ name, text }) => [name, text]))
  expect(diagnose(texts.set('use.ts', USE))).toEqual([])
})
