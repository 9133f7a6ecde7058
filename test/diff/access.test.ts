import { expect, it } from 'vitest'
import { openapiOf } from '../read/api-of.js'
import { changesOf, findingsOf } from './versions.js'

type Mark = 'readOnly' | 'writeOnly'

/** One schema that is both sent and answered, in which `id` stands one level down, behind references. */
const pets = (marks: { readonly [mark in Mark]?: true }, isRequired: boolean) => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
  return {
    http: JSON.stringify(
      openapiOf({
        paths: {
          '/pets': {
            post: {
              operationId: 'addPet',
              requestBody: { content },
              responses: { 200: { description: 'The pet', content } },
            },
          },
        },
        schemas: {
          Pet: { type: 'object', properties: { tag: { $ref: '#/components/schemas/Tag' } } },
          Tag: {
            type: 'object',
            properties: { id: { type: 'string', ...marks } },
            ...(isRequired && { required: ['id'] }),
          },
        },
      }),
    ),
  }
}

const marked = (mark: Mark, isRequired = false) => pets({ [mark]: true }, isRequired)

it('tells callers of a property that became the service’s own', async () => {
  expect(await findingsOf(pets({}, false), marked('readOnly'))).toMatchInlineSnapshot(`
    "warning request-property-became-read-only
      \`tag.id\` in the request body of POST /pets is read-only now: the service ignores or rejects it in requests
      at new.openapi.yaml:1 (old.openapi.yaml:1)
      instead: deprecate it first, with an x-sunset date
    note response-property-became-read-only
      \`tag.id\` in the 200 response of POST /pets is read-only now
      at new.openapi.yaml:1 (old.openapi.yaml:1)"
  `)
  expect(await findingsOf(marked('readOnly'), pets({}, false))).toMatchInlineSnapshot(`
    "note request-property-no-longer-read-only
      \`tag.id\` in the request body of POST /pets is no longer read-only
      at new.openapi.yaml:1 (old.openapi.yaml:1)
    note response-property-no-longer-read-only
      \`tag.id\` in the 200 response of POST /pets is no longer read-only
      at new.openapi.yaml:1 (old.openapi.yaml:1)"
  `)
})

it('tells readers of a property that is only sent from now on', async () => {
  expect(await findingsOf(pets({}, false), marked('writeOnly'))).toMatchInlineSnapshot(`
    "warning response-property-became-write-only
      \`tag.id\` in the 200 response of POST /pets is write-only now: clients no longer receive it
      at new.openapi.yaml:1 (old.openapi.yaml:1)
      instead: deprecate it first, with an x-sunset date
    note request-property-became-write-only
      \`tag.id\` in the request body of POST /pets is write-only now
      at new.openapi.yaml:1 (old.openapi.yaml:1)"
  `)
  expect(await findingsOf(marked('writeOnly'), pets({}, false))).toMatchInlineSnapshot(`
    "note request-property-no-longer-write-only
      \`tag.id\` in the request body of POST /pets is no longer write-only
      at new.openapi.yaml:1 (old.openapi.yaml:1)
    note response-property-no-longer-write-only
      \`tag.id\` in the 200 response of POST /pets is no longer write-only
      at new.openapi.yaml:1 (old.openapi.yaml:1)"
  `)
})

it.each([
  [
    'readOnly added',
    pets({}, true),
    marked('readOnly', true),
    ['note response-property-became-read-only', 'warning request-property-became-read-only'],
  ],
  [
    'readOnly removed',
    marked('readOnly', true),
    pets({}, true),
    ['error request-property-became-required', 'note response-property-no-longer-read-only'],
  ],
  [
    'writeOnly added',
    pets({}, true),
    marked('writeOnly', true),
    ['error response-property-became-optional', 'note request-property-became-write-only'],
  ],
  [
    'writeOnly removed',
    marked('writeOnly', true),
    pets({}, true),
    ['note request-property-no-longer-write-only', 'note response-property-became-required'],
  ],
])('of a required property, %s tells each direction once', async (_, before, after, want) => {
  const changes = await changesOf(before, after)
  expect(changes.map(({ level, rule }) => `${level} ${rule}`).sort()).toEqual(want)
})
