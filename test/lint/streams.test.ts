import { expect, it } from 'vitest'
import { findingsOf, http } from './lint-documents.js'

const answering = (media: object, openapi = '3.2.0') =>
  http(
    { responses: { 200: { description: 'x', content: { 'text/event-stream': media } } } },
    { openapi },
  )

it('stream-without-item-schema', async () => {
  expect(await findingsOf('stream-without-item-schema', answering({}))).toMatchSnapshot()
  expect(
    await findingsOf('stream-without-item-schema', answering({ itemSchema: { type: 'string' } })),
  ).toEqual([])
  expect(
    await findingsOf('stream-without-item-schema', answering({ schema: { type: 'object' } })),
  ).toEqual([])
})

const reading = {
  type: 'object',
  required: ['at'],
  properties: { at: { type: 'integer' } },
}
const event = {
  type: 'object',
  required: ['data'],
  properties: {
    event: { enum: ['reading'] },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: reading },
  },
}

it.each<[title: string, example: unknown, faults: number]>([
  ['an event', { event: 'reading', data: '{"at":1}' }, 0],
  ['an event whose data breaks the schema of its content', { data: '{"at":"x"}' }, 1],
  ['an event whose data is no JSON', { data: 'at 1' }, 1],
  ['a list of events', [{ data: '{"at":1}' }, { data: '{}' }], 1],
  ['the text of a stream', 'event: reading\ndata: {"at":1}\n\n', 0],
  ['the text of a stream with the end of streams', 'data: {"at":1}\n\ndata: END\n\n', 0],
  ['a text whose data breaks the schema', 'data: {"at":1}\n\ndata: {"at":"x"}\n\n', 1],
  ['a text without its last blank line', 'data: {"at":"x"}\n', 1],
  ['a text whose data is no JSON', 'data: at 1\n\n', 1],
  ['a text with another event', 'event: other\ndata: {"at":1}\n\n', 1],
])('example-invalid of a stream: %s', async (_, example, faults) => {
  const document = answering({ itemSchema: event, example, 'x-stream-end': 'END' })
  expect(await findingsOf('example-invalid', document)).toHaveLength(faults)
})

it.each<[title: string, example: string, faults: number]>([
  ['lines', '{"at":1}\n{"at":2}\n', 0],
  ['lines of which one breaks the schema', '{"at":1}\n{"at":"x"}\n', 1],
  ['a line that is no JSON', '{"at":1}\nat 2\n', 1],
])('example-invalid of JSON Lines: %s', async (_, example, faults) => {
  const content = { 'application/jsonl': { itemSchema: reading, example } }
  const document = http({ responses: { 200: { description: 'x', content } } }, { openapi: '3.2.0' })
  expect(await findingsOf('example-invalid', document)).toHaveLength(faults)
})

it('item-schema-of-a-later-version', async () => {
  const media = { itemSchema: { type: 'string' } }
  expect(
    await findingsOf('item-schema-of-a-later-version', answering(media, '3.1.0')),
  ).toMatchSnapshot()
  expect(await findingsOf('item-schema-of-a-later-version', answering(media))).toEqual([])
})

it('extension-misplaced, x-stream-end', async () => {
  const media = { schema: { type: 'string' }, 'x-stream-end': 'END' }
  expect(await findingsOf('extension-misplaced', answering(media))).toEqual([])
  const misplaced = { schema: { type: 'string', 'x-stream-end': 'END' } }
  expect(await findingsOf('extension-misplaced', answering(misplaced))).toHaveLength(1)
})
