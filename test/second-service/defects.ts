import { isObject } from '../../src/model/json.js'
import type { Answer, Change } from './proxy.js'

/** What such a library may do wrongly, each with the rule that finds it and the cases that meet it. */
export const DEFECTS: readonly Defect[] = [
  {
    name: 'a subtitle is missing where it is null',
    change: inBooks(({ subtitle, ...book }) => (subtitle === null ? book : { ...book, subtitle })),
    by: 'body-invalid',
    only: ['findBooks'],
  },
  {
    name: 'a book that nobody has is missing, not null',
    change: inResult('book.get', (book) => (book === null ? {} : book)),
    by: 'result-invalid',
    only: ['book.get'],
  },
  {
    name: 'X-Total is forgotten',
    change: (answer) => {
      const { 'x-total': _, ...headers } = answer.headers
      return { ...answer, headers }
    },
    by: 'header-missing',
    only: ['findBooks'],
  },
  {
    name: 'anybody may borrow',
    change: (answer, { json }) =>
      answer.status === 401 && isObject(json)
        ? { ...answer, status: 200, json: { isbn: '9780156027601', member: 12, due: null } }
        : answer,
    by: 'missing-credentials-accepted',
    only: ['borrowBook'],
  },
  {
    name: 'a loan that is too long has another code',
    change: inError(4001, { code: 4003, message: 'that is too long' }),
    by: 'error-code-is-undeclared',
    only: ['loan.extend'],
  },
  {
    name: 'a loan is extended by no days, or by words',
    change: (answer, { json }) =>
      isObject(json) && json.method === 'loan.extend' && codeOf(answer) === -32602
        ? rpc({ jsonrpc: '2.0', id: json.id, result: { isbn: WE, member: 7, due: null } })
        : answer,
    by: 'invalid-params-accepted',
    only: ['loan.extend'],
  },
  {
    name: 'a note is answered, though nobody asked',
    change: (answer, { json }) =>
      isObject(json) && !('id' in json) && json.jsonrpc === '2.0' && answer.status === 204
        ? rpc({ jsonrpc: '2.0', id: null, result: null })
        : answer,
    by: 'notification-answered',
    only: ['JSON-RPC'],
  },
  {
    name: 'a batch of six is taken',
    change: (answer, { json }) =>
      Array.isArray(json) && json.length > 5
        ? rpc(
            json.map((one) => ({ jsonrpc: '2.0', id: isObject(one) ? one.id : null, result: [] })),
          )
        : answer,
    by: 'oversized-batch-accepted',
    only: ['JSON-RPC'],
  },
  {
    name: 'a body of four kilobytes is taken',
    change: (answer) =>
      answer.status === 413
        ? { ...answer, status: 200, json: { isbn: '9780156027601', member: 12, due: null } }
        : answer,
    by: 'payload-limit-not-enforced',
    only: ['borrowBook'],
  },
]

type Defect = {
  readonly name: string
  readonly change: Change
  readonly by: string
  readonly only: readonly string[]
}

const WE = '9780141187761'

type Fields = Readonly<Record<string, unknown>>

const rpc = (json: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  json,
})

/** The books that GET /books answers. */
function inBooks(change: (book: Fields) => Fields): Change {
  return (answer, { path }) =>
    path.startsWith('/v2/books') && Array.isArray(answer.json)
      ? { ...answer, json: answer.json.map((book) => change(book as Fields)) }
      : answer
}

/** The result of a single call of a method. */
function inResult(method: string, change: (result: unknown) => unknown): Change {
  return (answer, { json }) =>
    isObject(json) && json.method === method && isObject(answer.json) && 'result' in answer.json
      ? { ...answer, json: { ...answer.json, result: change(answer.json.result) } }
      : answer
}

/** The error of a single call that is refused with a code. */
function inError(code: number, error: Fields): Change {
  return (answer) =>
    codeOf(answer) === code && isObject(answer.json)
      ? { ...answer, json: { ...answer.json, error } }
      : answer
}

/** Of the error that a single call is answered by. */
function codeOf({ json }: Answer): unknown {
  return isObject(json) && isObject(json.error) ? json.error.code : undefined
}
