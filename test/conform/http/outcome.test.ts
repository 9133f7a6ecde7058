import { expect, it } from 'vitest'
import { outcomeOf as outcomeOfValue } from '../../../src/conform/cases/evaluate.js'
import { outcomeOf } from '../../../src/conform/http/outcome.js'
import type { Exchange } from '../../../src/conform/wire/exchange.js'
import { parseDocument } from '../../../src/model/document.js'
import { loadApi } from '../../../src/model/load.js'
import { createChecker } from '../../../src/schema/check.js'

const api = await loadApi({
  openapi: parseDocument(
    `
openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /things:
    post:
      operationId: put
      x-variants:
        one:
          request: { $ref: '#/components/schemas/Wish' }
          responses: [{ $ref: '#/components/schemas/Done' }]
          errors: [{ $ref: '#/components/schemas/Failure' }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Wish' } } } }
      responses: { '200': { description: Answered. } }
components:
  schemas:
    Wish: { type: object }
    Done: { type: object, required: [done], properties: { done: { type: boolean } } }
    Failure: { type: object, additionalProperties: false, required: [error], properties: { error: { type: string } } }
`,
    'small.yaml',
  ),
})
const checker = createChecker(api.schemas)

it.each([
  ['an error of a form', { error: 'no' }, 'refused'],
  ['an error of a form that has grown', { error: 'no', hint: 'none' }, 'refused'],
  ['an answer', { done: true }, 'taken'],
  ['an answer with a warning', { done: true, error: 'late' }, 'taken'],
])('%s under 200 is the same to all who ask', (_, value, outcome) => {
  const [operation] = api.operations
  if (operation?.kind !== 'http') throw new Error('no operation')
  const body = new TextEncoder().encode(JSON.stringify(value))
  const exchange: Exchange = {
    sent: { method: 'POST', url: 'http://small.test/things', headers: {} },
    answer: { status: 200, headers: [], body, milliseconds: 1 },
    failure: undefined,
  }
  const session = { checker } as Parameters<typeof outcomeOfValue>[2]
  expect([
    outcomeOf(session, operation, exchange),
    outcomeOfValue(operation, exchange, session).kind,
  ]).toEqual([outcome, outcome])
})
