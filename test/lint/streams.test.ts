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
