import { expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { withoutQuery } from '../../../src/runtime/wire/routes.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

/** The declared key of a status, and the status that the server sends. */
type Status = readonly [key: string, sent: number]

const PET = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
}

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
const requestBody = {
  required: true,
  content: { 'application/json': { ...content['application/json'], example: { name: 'Rex' } } },
}
const described = ([key]: Status, more: object = {}) => ({
  [key]: { description: 'Done.', ...more },
  404: { description: 'Missing.' },
})

/** The findings about a server that creates pets and that neither changes nor deletes them. */
const reported = async (read: Status, write: Status, remove: Status) => {
  const parameters = [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }]
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      paths: {
        '/pets': {
          post: {
            operationId: 'createPet',
            requestBody,
            responses: described(['201', 201], { content }),
          },
        },
        '/pets/{petId}': {
          parameters,
          get: { operationId: 'getPet', responses: described(read, { content }) },
          put: { operationId: 'changePet', requestBody, responses: described(write) },
          delete: { operationId: 'removePet', responses: described(remove) },
        },
      },
      components: { schemas: { Pet: PET } },
    }),
  })
  const pets = new Map<string, object>()
  const wire: Wire = async (sent) => {
    const { method } = sent
    const id = /\/pets\/([^/]+)$/.exec(withoutQuery(sent.url))?.[1]
    const answer = (status: number, value?: unknown) => ({
      ...{ sent, failure: undefined },
      answer: {
        ...{ status, milliseconds: 1 },
        headers: value === undefined ? [] : [['content-type', 'application/json'] as const],
        body: Buffer.from(value === undefined ? '' : JSON.stringify(value)),
      },
    })
    if (id === undefined) {
      if (method !== 'POST' || !isNamed(String(sent.body))) return answer(400)
      const pet = { ...JSON.parse(String(sent.body)), id: `pet-${pets.size}` }
      pets.set(pet.id, pet)
      return answer(201, pet)
    }
    const pet = pets.get(id)
    if (pet === undefined) return answer(404)
    if (method === 'GET') return answer(read[1], pet)
    return answer(method === 'PUT' ? write[1] : remove[1])
  }
  let clock = 0
  const { findings } = await conform(api, {
    ...{ url: 'http://127.0.0.1:9', wire, rate: null, maxExamples: 0 },
    now: () => clock,
    sleep: async (milliseconds) => {
      clock += milliseconds
    },
  })
  const rules = new Set(findings.map(({ rule }) => rule))
  return BOTH.filter((rule) => rules.has(rule))
}

const isNamed = (text: string): boolean => {
  try {
    return typeof JSON.parse(text).name === 'string'
  } catch {
    return false
  }
}

const BOTH = ['deleted-resource-remains', 'write-not-stored']

// Any declared success counts, and neither 202 (RFC 9110, 15.3.3) nor 207 (RFC 4918, 11.1) says that anything was done.
it.each<[read: Status, write: Status, remove: Status, rules: readonly string[]]>([
  [['200', 200], ['204', 204], ['204', 204], BOTH],
  [['203', 203], ['204', 204], ['204', 204], BOTH],
  [['2XX', 203], ['204', 204], ['200', 200], BOTH],
  [['default', 200], ['205', 205], ['205', 205], BOTH],
  [['200', 200], ['default', 204], ['default', 204], BOTH],
  [['200', 200], ['2XX', 205], ['2XX', 203], BOTH],
  [['200', 200], ['202', 202], ['202', 202], []],
  [['200', 200], ['2XX', 202], ['2XX', 207], []],
  [['200', 200], ['202', 202], ['204', 204], ['deleted-resource-remains']],
])(
  'GET %j, PUT %j and DELETE %j of a server that changes nothing: %j',
  async (read, write, remove, rules) => {
    expect(await reported(read, write, remove)).toEqual(rules)
  },
)
