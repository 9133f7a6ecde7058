import { expect, it } from 'vitest'
import { stepValues } from '../../../src/compatibility/old-workflows.js'
import { NotTested } from '../../../src/conform/case.js'
import { createTarget } from '../../../src/conform/target.js'
import type { Scope } from '../../../src/conform/workflows/scope.js'
import { writeStep } from '../../../src/conform/workflows/write-step.js'
import { createChecker } from '../../../src/schema/check.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

const FORM = 'application/x-www-form-urlencoded'
const properties = {
  name: { type: 'string' },
  count: { type: 'integer' },
  tags: { type: 'array', items: { type: 'string' } },
  names: { type: 'array', items: { type: 'string' } },
  place: { type: 'object', properties: { x: { type: 'integer' } } },
  box: { type: 'object', properties: { y: { type: 'integer' } } },
}
const encoding = {
  names: { style: 'form', explode: false },
  box: { style: 'deepObject', explode: true },
}
const schema = { type: 'object', properties }
const api = await apiOf({
  openapi: openapiOf({
    servers: [{ url: 'http://127.0.0.1:9' }],
    paths: {
      '/things': {
        post: {
          operationId: 'add',
          requestBody: {
            content: {
              [FORM]: { schema, encoding },
              'application/json': { schema },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          responses: { 204: { description: 'Added.' } },
        },
      },
    },
  }),
})
const [operation] = api.operations

const scope: Scope = {
  inputs: {},
  steps: new Map(),
  workflows: new Map(),
  output: () => undefined,
  exchange: undefined,
  parameters: {},
} as Scope

const write = (payload: unknown, contentType: string | undefined) => {
  if (operation?.kind !== 'http') throw new Error('no operation')
  const requestBody = { contentType, payload, replacements: [] }
  const step = { id: 'one', parameters: [], requestBody } as never
  const written = writeStep(step, operation, createTarget(api, {}), scope)
  if ('missing' in written) throw new Error(written.missing)
  const values = stepValues(written, operation, createChecker(api.schemas))
  return { sent: written.sent.body, read: values.kind === 'http' ? values.body?.value : undefined }
}

// A step is sent as clients send it, and an old client gets the same value again.
it.each<[name: string, payload: unknown, type: string, sent: string]>([
  ['texts', { name: 'a b&c', count: 3 }, FORM, 'name=a+b%26c&count=3'],
  ['a list, once for each item', { tags: ['a', 'b'] }, FORM, 'tags=a&tags=b'],
  ['a list in a style', { names: ['a', 'b'] }, FORM, 'names=a,b'],
  ['an object', { place: { x: 1 } }, FORM, 'place=%7B%22x%22%3A1%7D'],
  ['an object in a style', { box: { y: 2 } }, FORM, 'box%5By%5D=2'],
  ['JSON', { name: 'ü', tags: [] }, 'application/json', '{"name":"ü","tags":[]}'],
  ['a text', 'a;b', 'text/csv', 'a;b'],
])('writes and reads the body of a step: %s', (_, payload, type, sent) => {
  expect(write(payload, type)).toEqual({ sent, read: payload })
})

it('omits a null of a form, which has none', () => {
  expect(write({ name: null, count: 1 }, FORM).sent).toBe('count=1')
})

it('reads a form that is written as a text', () => {
  expect(write('tags=a&tags=b&count=3', FORM).read).toEqual({ tags: ['a', 'b'], count: 3 })
})

it.each([
  ['JSON that is none', '{"name":', 'application/json'],
  ['a type that is not declared', 'a', 'text/html'],
])('does not send what it cannot read by an old client: %s', (_, payload, type) => {
  expect(() => write(payload, type)).toThrow(NotTested)
})
