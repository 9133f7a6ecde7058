import { isObject } from '../validate/json-value.js'

/** What one call of an exchange came to, by the letter of JSON-RPC 2.0 §5 and §6. */
export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly error: ErrorObject }
  | {
      readonly kind: 'unusable'
      readonly reason: 'unmatched-answer' | 'malformed-answer'
      readonly message: string
      /** An error that no call claims and that may explain the gap. */
      readonly because?: ErrorObject
    }

/** The `error` member of an answer, its code an integer and its message a string. */
export type ErrorObject = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** How calls went out: one as an object, or any number as an array. */
export type Sent = 'alone' | 'batch'

/**
 * The outcome of every call, found by its id and by nothing else: order, length and neighbours of an
 * answer mean nothing, `"1"` is not `1`, and a second answer to one id spoils both.
 */
export const matchAnswers = (
  ids: readonly number[],
  body: unknown,
  sent: Sent,
): ReadonlyMap<number, Outcome> => {
  const each = (outcome: Outcome) => new Map(ids.map((id) => [id, outcome]))
  if (sent === 'alone' && Array.isArray(body)) {
    return each(malformed('an array answers a call that was sent alone'))
  }
  const answers = readAnswers(body)
  const refusal = sharedRefusal(answers)
  if (refusal !== undefined) return each({ kind: 'refused', error: refusal })

  const byId = new Map<unknown, Answer[]>()
  for (const answer of answers) byId.set(answer.id, [...(byId.get(answer.id) ?? []), answer])
  const [only] = answers
  if (
    !Array.isArray(body) &&
    only?.outcome.kind === 'unusable' &&
    !ids.some((id) => byId.has(id))
  ) {
    return each(only.outcome)
  }
  return new Map(ids.map((id) => [id, outcomeOf(id, byId.get(id) ?? [], answers)]))
}

/**
 * The refusal of everything that was sent: one error without an id, as an object or in an array
 * (ASSUMPTIONS 18), or the same error once per item.
 */
export const wholeRefusal = (body: unknown): ErrorObject | undefined =>
  sharedRefusal(readAnswers(body))

type Answer = { readonly id: unknown; readonly outcome: Outcome }

const outcomeOf = (id: number, own: readonly Answer[], all: readonly Answer[]): Outcome => {
  const [answer] = own
  if (answer === undefined) return unanswered(id, all)
  if (own.length > 1)
    return unmatched(`${own.length} answers carry id ${id}, so neither is trusted`)
  return answer.outcome
}

const unanswered = (id: number, all: readonly Answer[]): Outcome => {
  if (all.length === 0) return unmatched(`no answer carries id ${id}: the array is empty`)
  const because = all.find((answer) => answer.id == null || all.length === 1)?.outcome
  const said = because?.kind === 'refused' ? because.error : undefined
  const lookalike = all.some((answer) => answer.id === String(id))
  const explanation = lookalike
    ? `one carries the string ${JSON.stringify(String(id))}, which is another id`
    : `seen: ${all.slice(0, 5).map(nameId).join(', ')}${all.length > 5 ? ', …' : ''}`
  const error = said === undefined ? '' : `; an error says ${said.code} ${said.message}`
  return unmatched(`no answer carries id ${id} (${explanation})${error}`, said)
}

/** What a stranger's id says is not repeated: it is the server's text, and may hold anything. */
const nameId = ({ id }: Answer): string => {
  if (id === undefined) return 'none'
  return typeof id === 'number' || id === null ? String(id) : `a ${typeof id}`
}

const sharedRefusal = (answers: readonly Answer[]): ErrorObject | undefined => {
  const [first] = answers
  if (first?.outcome.kind !== 'refused') return undefined
  const { error } = first.outcome
  const same = answers.every(
    ({ id, outcome }) =>
      id == null && outcome.kind === 'refused' && outcome.error.code === error.code,
  )
  return same ? error : undefined
}

const readAnswers = (body: unknown): readonly Answer[] =>
  (Array.isArray(body) ? body : [body]).map(readResponse)

const readResponse = (value: unknown): Answer => {
  if (!isObject(value)) return { id: undefined, outcome: malformed('an answer is not an object') }
  const id = Object.hasOwn(value, 'id') ? value.id : undefined
  return { id, outcome: readOutcome(value) }
}

const readOutcome = (answer: Readonly<Record<string, unknown>>): Outcome => {
  if (answer.jsonrpc !== '2.0') return malformed('the answer does not say jsonrpc "2.0"')
  const hasResult = Object.hasOwn(answer, 'result')
  const hasError = Object.hasOwn(answer, 'error')
  if (hasResult && hasError) return malformed('the answer carries both a result and an error')
  if (hasResult) return { kind: 'result', value: answer.result }
  if (!hasError) return malformed('the answer carries neither a result nor an error')
  const error = readError(answer.error)
  return error === undefined
    ? malformed('the error has no integer code and string message')
    : { kind: 'refused', error }
}

const readError = (error: unknown): ErrorObject | undefined => {
  if (!isObject(error)) return undefined
  const { code, message } = error
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined
  if (typeof message !== 'string') return undefined
  return Object.hasOwn(error, 'data') ? { code, message, data: error.data } : { code, message }
}

const malformed = (message: string): Outcome => ({
  kind: 'unusable',
  reason: 'malformed-answer',
  message,
})

const unmatched = (message: string, because?: ErrorObject): Outcome => ({
  kind: 'unusable',
  reason: 'unmatched-answer',
  message,
  ...(because && { because }),
})
