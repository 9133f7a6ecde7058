import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { decodePercent } from '../../../src/runtime/shared/template.js'

const OPENAPI = `
openapi: 3.0.3
info: { title: Library, version: '1' }
servers: [{ url: https://library.example }]
x-limits: { payloadBytes: 2000 }
paths:
  /desks/{key}/loans:
    post:
      operationId: lend
      x-variants:
        loan:
          request: { $ref: '#/components/schemas/Wish' }
          responses: [{ $ref: '#/components/schemas/Taken' }]
          errors: [{ $ref: '#/components/schemas/Failure' }]
          example: novel
      parameters:
        - { name: key, in: path, required: true, x-secret: true, schema: { type: string, minLength: 1 } }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Wish' }
            examples: { novel: { value: { title: A novel } } }
      responses:
        '200':
          description: Taken.
          content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Taken' }, { $ref: '#/components/schemas/Failure' }] } } }
          links:
            loan: { operationId: loan, parameters: { id: $response.body#/id } }
            entry: { x-rpc-method: ledger_entry, parameters: { ticket: $response.body#/ticket } }
        4XX: &failed
          description: Refused.
          content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } }
        '413': *failed
        '429': *failed
        '401': *failed
  /loans/{id}:
    get:
      operationId: loan
      x-access: public
      x-poll: { field: state, order: [asked, packed, lent, refused], terminal: [lent, refused] }
      parameters:
        - name: id
          in: path
          required: true
          schema: { type: string, pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }
          example: 0b8e4d57-3f1a-4c62-9e80-d2a7c5164f3b
      responses:
        '200':
          description: How far it is.
          content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } }
          links:
            entry: { x-rpc-method: ledger_entry, parameters: { ticket: $response.body#/ticket } }
        '404': *failed
        4XX: *failed
components:
  schemas:
    Wish: { type: object, additionalProperties: false, required: [title], properties: { title: { type: string } } }
    Taken:
      type: object
      required: [id]
      properties: { id: { type: string }, ticket: { type: string }, error: { not: {} } }
    Failure: { type: object, required: [error], properties: { error: { type: string } } }
    Loan:
      type: object
      required: [id, state]
      properties: { id: { type: string }, state: { type: string }, ticket: { type: string } }
`

const OPENRPC = `
openrpc: 1.2.6
info: { title: Ledger, version: '1' }
servers: [{ name: main, url: https://library.example/ledger }]
methods:
  - name: ledger_entry
    x-idempotent: true
    params: [{ name: ticket, required: true, schema: { type: string } }]
    result: { name: entry, schema: { oneOf: [{ type: object }, { type: 'null' }] } }
`

/** A library lends on a desk's key, tells how far a loan is, and keeps a ledger over JSON-RPC. */
export const libraryApi = () =>
  loadApi({
    openapi: parseDocument(OPENAPI, 'library.yaml'),
    openrpc: parseDocument(OPENRPC, 'ledger.yaml'),
  })

export const KEY = 'the-desk-of-nobody'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Undefined where there were more than 2,000 bytes, or are said to be. */
  readonly body: Buffer | undefined
  /** How many requests there were before. */
  readonly at: number
}

export type Given = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Answered only when all was read. */
  readonly isLate?: true
}

/** A library that keeps its documents; each has books of its own. */
export const createLibrary = (): ((asked: Asked) => Given) => {
  const loans = new Map<string, number>()
  const ticketOf = (id: string) => `ticket-${id}`
  const failure = (status: number, error: string, headers = {}): Given => ({
    status,
    headers,
    body: { error },
  })

  const lend = ({ method, path, headers, body }: Asked): Given => {
    if (method !== 'POST') return failure(405, 'POST alone', { allow: 'POST' })
    if (path !== `/desks/${KEY}/loans`) return failure(401, 'no such desk')
    const type = headers['content-type'] ?? ''
    if (!/^application\/json\s*(;\s*charset=utf-8)?$/i.test(type)) return failure(415, 'no JSON')
    if (!body) return failure(413, 'too large')
    try {
      const wish: unknown = JSON.parse(
        new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body),
      )
      const isWish =
        typeof wish === 'object' && wish !== null && Object.keys(wish).join() === 'title'
      if (!isWish) return failure(400, 'a wish has a title')
    } catch {
      return failure(400, 'it cannot be read')
    }
    const id = `0b8e4d57-3f1a-4c62-9e80-${String(loans.size + 1).padStart(12, 'a')}`
    loans.set(id, 0)
    return { status: 200, body: { id, ticket: ticketOf(id) } }
  }

  const look = ({ method, path }: Asked): Given => {
    if (method !== 'GET' && method !== 'HEAD')
      return failure(405, 'GET alone', { allow: 'GET, HEAD' })
    const id = (decodePercent(path.slice('/loans/'.length)) ?? '').toLowerCase()
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return failure(400, 'no id')
    const asked = loans.get(id)
    if (asked === undefined) return failure(404, 'no such loan')
    loans.set(id, asked + 1)
    const state = ['asked', 'packed'][asked] ?? 'lent'
    const ticket = state === 'lent' ? { ticket: ticketOf(id) } : {}
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: { id, state, ...ticket } }
  }

  const entry = ({ body }: Asked): Given => {
    const { id, params } = JSON.parse(String(body)) as { id: unknown; params: readonly string[] }
    const known = [...loans.keys()].some((one) => ticketOf(one) === params[0])
    return {
      status: 200,
      body: { jsonrpc: '2.0', id, result: known ? { ticket: params[0] } : null },
    }
  }

  return (asked) => {
    if (asked.path === '/ledger') return entry(asked)
    if (/^\/desks\/[^/]+\/loans$/.test(asked.path)) return lend(asked)
    if (/^\/loans\/[^/]+$/.test(asked.path)) return look(asked)
    return failure(404, 'nothing here')
  }
}
