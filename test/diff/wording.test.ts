import { expect, it } from 'vitest'
import { changesOf, findingsOf, method, orders, type Texts } from './versions.js'

const result = (schema: string) =>
  method(['params: []', `result: { name: r, schema: ${schema} }`].join('\n'))
const query = (schema: string) => orders(`parameters: [{ name: q, in: query, schema: ${schema} }]`)

const messagesOf = async (before: Texts, after: Texts): Promise<readonly string[]> =>
  (await changesOf(before, after)).map(({ message }) => message)

const LISTS =
  '[{ type: array, items: { type: string } }, { type: array, items: { type: array, items: { type: string } } }]'

it.each(['oneOf', 'anyOf'])(
  'items that only the alternatives of a list declare are not any value: %s',
  async (keyword) => {
    const found = await messagesOf(
      result('{ type: array, items: { type: string } }'),
      result(`{ ${keyword}: ${LISTS} }`),
    )
    expect(found.join('\n')).toContain(
      'an item of the result of order_get can be an array now; it was a string',
    )
    expect(found.join('\n')).not.toContain('any value')
  },
)

it('items that nothing declares may be any value', async () => {
  const found = await messagesOf(
    result('{ type: array, items: { type: string } }'),
    result('{ type: array }'),
  )
  expect(found.join('\n')).toContain('may be any value now')
})

const ONE_TO_THREE = 'must be 1, 2 or 3 now: callers may be rejected'

it.each([
  ['oneOf', '[{ const: 1, title: A }, { const: 2, title: B }, { const: 3, title: C }]'],
  ['anyOf', '[{ const: 1 }, { const: 2 }, { const: 3 }]'],
  ['oneOf', '[{ enum: [1, 2] }, { const: 3 }]'],
] as const)('constants of a union are one list of values: %s %s', async (keyword, branches) => {
  const found = await messagesOf(
    query('{ type: integer }'),
    query(`{ type: integer, ${keyword}: ${branches} }`),
  )
  expect(found).toEqual([`the query parameter \`q\` of GET /orders/{id} ${ONE_TO_THREE}`])
})

const pay = (...kinds: readonly string[]) =>
  `{ oneOf: [${kinds.map((kind) => `{ type: object, required: [kind, ${kind}], properties: { kind: { const: ${kind} }, ${kind}: { type: string } } }`).join(', ')}] }`

it('an alternative that lacks what all others have is a new alternative', async () => {
  const text = await findingsOf(result(pay('card', 'bank')), result(pay('card', 'bank', 'wallet')))
  expect(text).toContain('error response-alternative-added')
  expect(text).not.toContain('response-property-became-optional')
  expect(text).not.toContain('keep sending it')
})
