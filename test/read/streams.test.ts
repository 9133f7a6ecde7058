import { describe, expect, it } from 'vitest'
import { createChecker } from '../../src/schema/check.js'
import { apiOf, openapiOf } from './api-of.js'

const TEXT = { type: 'string' }
const NAMED = { type: 'object', required: ['name'], properties: { name: TEXT } }
const LINES = '{"name":"a"}\n{"name":"b"}\n'
const SEQUENTIAL = ['application/x-ndjson', 'application/jsonl', 'application/json-seq']

describe('the schema of a body in JSON Lines or json-seq describes the whole body', () => {
  /** The verdicts on an item that is an object with a name, that is an empty object, that is a text. */
  const NAMES = [true, false, false]
  const ANYTHING = [true, true, true]
  it.each<[string, object, readonly boolean[]]>([
    ['a text says nothing about its items', { schema: TEXT }, ANYTHING],
    ['a text by reference', { schema: { $ref: '#/components/schemas/Text' } }, ANYTHING],
    ['a text of a format', { schema: { type: 'string', format: 'binary' } }, ANYTHING],
    ['a list describes its members', { schema: { type: 'array', items: NAMED } }, NAMES],
    ['a list by reference', { schema: { $ref: '#/components/schemas/Names' } }, NAMES],
    [
      'a list in an allOf',
      { schema: { allOf: [{ $ref: '#/components/schemas/Names' }, { maxItems: 9 }] } },
      NAMES,
    ],
    ['a list of anything', { schema: { type: 'array' } }, ANYTHING],
    [
      'a list with a first member',
      { schema: { type: 'array', prefixItems: [TEXT], items: NAMED } },
      [true, false, true],
    ],
    ['an object can only be an item', { schema: NAMED }, NAMES],
    ['itemSchema describes an item', { itemSchema: NAMED }, NAMES],
    ['itemSchema of texts', { itemSchema: TEXT }, [false, false, true]],
    ['itemSchema beside the text of the whole', { schema: TEXT, itemSchema: NAMED }, NAMES],
    ['nothing', {}, ANYTHING],
  ])('%s', async (_, media, verdicts) => {
    for (const type of SEQUENTIAL) {
      const { stream, check, findings } = await read(type, { ...media, example: LINES })
      expect(stream).toMatchObject({ item: 'data', data: 'json' })
      expect([check({ name: 'a' }), check({}), check('a')]).toEqual(verdicts)
      expect(findings).toEqual(verdicts[0] ? [] : ['example-invalid'])
    }
  })

  it('and an example that is a list is checked item by item', async () => {
    const media = { itemSchema: NAMED, example: [{ name: 'a' }, {}] }
    expect((await read('application/jsonl', media)).findings).toEqual(['example-invalid'])
  })
})

describe('the data of an event that is the text of JSON', () => {
  const data = (content: object) => ({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: content,
  })
  const event = (content: object, more: object = {}) => ({
    itemSchema: {
      type: 'object',
      required: ['data'],
      additionalProperties: false,
      properties: { data: data(content), event: TEXT },
      ...more,
    },
  })
  it.each<[string, object, readonly string[]]>([
    ['as it is sent', { example: { data: '{"name":"a"}' } }, []],
    ['as its value', { example: { data: { name: 'a' } } }, []],
    [
      'in a list',
      { example: [{ data: '{"name":"a"}' }, { event: 'x', data: '{"name":"b"}' }] },
      [],
    ],
    ['as a named example', { examples: { one: { value: { data: '{"name":"a"}' } } } }, []],
    ['as the text of the whole stream', { example: 'data: {"name":"a"}\n\n' }, []],
    ['of another shape', { example: { data: '{"title":"a"}' } }, ['example-invalid']],
    ['that is no JSON', { example: { data: '{"name"' } }, ['example-invalid']],
    [
      'with a field that no event has',
      { example: { data: '{"name":"a"}', more: 1 } },
      ['example-invalid'],
    ],
  ])('%s', async (_, media, want) => {
    const { stream, check, findings } = await read('text/event-stream', {
      ...event(NAMED),
      ...media,
    })
    expect(stream).toMatchObject({ item: 'event', data: 'json' })
    expect([check({ data: { name: 'a' } }), check({ data: {} })]).toEqual([true, false])
    expect(findings).toEqual(want)
  })

  it('may stand in the example of the schema itself', async () => {
    const own = event(NAMED, { examples: [{ data: '{"name":"a"}' }] })
    expect((await read('text/event-stream', own)).findings).toEqual([])
  })

  it('is text where only some alternatives have JSON', async () => {
    const either = {
      itemSchema: {
        type: 'object',
        properties: { data: TEXT },
        oneOf: [
          { properties: { data: { contentMediaType: 'application/json', contentSchema: NAMED } } },
          { properties: { data: { const: '[DONE]' } } },
        ],
      },
    }
    const { stream, findings } = await read('text/event-stream', {
      ...either,
      example: [{ data: '{"name":"a"}' }, { data: '[DONE]' }],
    })
    expect(stream).toMatchObject({ item: 'event', data: 'either' })
    expect(findings).toEqual([])
  })
})

async function read(type: string, media: object) {
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.2.0',
      schemas: { Text: TEXT, Names: { type: 'array', items: NAMED } },
      paths: {
        '/all': {
          get: { responses: { 200: { description: 'All.', content: { [type]: media } } } },
        },
      },
    }),
  })
  const [operation] = api.operations
  if (operation?.kind !== 'http') throw new TypeError('the document has an operation')
  const [content] = operation.responses[0]?.content ?? []
  const { check } = createChecker(api.schemas).schema(content?.schema ?? true)
  return { stream: content?.stream, check, findings: api.findings.map(({ rule }) => rule) }
}
