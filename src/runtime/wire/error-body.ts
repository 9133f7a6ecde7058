import { codecOf, holdsValue, isPlainText } from '../shared/codecs.js'
import { essence } from '../shared/media-type.js'
import { isObject } from '../validate/json-value.js'

/**
 * The body of an error response. For JSON it is the first common shape that the declared schema of its status accepts, else a
 * declared example or a sample of that schema, in which the known facts are filled; without a schema, it is `{ error }`, or a
 * problem (RFC 9457). For text it is the message, else the status, else an example or a sample. Undefined if the schema accepts
 * none of them.
 *
 * @example
 * makeErrorBody({ status: 401, message: 'Unauthorized' }, 'text/plain', undefined) // { body: 'Unauthorized' }
 */
export const makeErrorBody = (
  facts: MadeError,
  type: string,
  check: Check | undefined,
  sample?: ErrorSample,
): { readonly body: unknown } | undefined => {
  const { status, message } = facts
  if (!holdsValue(codecOf(type))) {
    const texts = isPlainText(type) ? [message, String(status)] : []
    const text = check === undefined ? texts[0] : texts.find(check)
    if (text !== undefined) return { body: text }
    return sample && (check?.(sample.value) ?? true) ? { body: sample.value } : undefined
  }
  if (check === undefined) {
    const faults = facts.faults ?? []
    const plain = { error: message, ...(faults.length > 0 && { faults }) }
    return { body: isProblem(type) ? problemOf(status, message) : plain }
  }
  const common = commonBodies(status, message, type).find(check)
  if (common !== undefined) return { body: common }
  if (sample === undefined) return undefined
  const body = errorBody(sample.value, facts, check)
  return check(body) ? { body } : undefined
}

/** A valid body of an error response, as plain data: an example of the document, or a sample of its schema. */
export type ErrorSample = { readonly value: unknown }

/** Id of an operation -> key of a response, with the media type if it is not the only JSON type -> sample. */
export type ErrorSamples = Readonly<Record<string, Readonly<Record<string, ErrorSample>>>>

type MadeError = {
  readonly status: number
  readonly message: string
  /** Members of `{ error, faults }`, if no schema is declared. */
  readonly faults?: readonly unknown[]
}

type Check = (body: unknown) => boolean

/** Whether errors of the media type are problems (RFC 9457). */
export const isProblem = (type: string): boolean => essence(type) === 'application/problem+json'

const problemOf = (status: number, message: string) => ({
  type: 'about:blank',
  title: message,
  status,
  detail: message,
})

const commonBodies = (status: number, message: string, type: string): readonly unknown[] => [
  ...(isProblem(type) ? [problemOf(status, message)] : []),
  { error: message },
  { success: false, error: message },
  { message },
  { code: status, message },
  { status, message },
  { error: { message } },
  { error: { code: status, message } },
  { error: { status, message } },
  { errors: [{ message }] },
  { title: message, status },
  problemOf(status, message),
  message,
]

/**
 * Fills the known facts about a response into a generated error body, because `{ "title": "text", "status": 1 }` does not help
 * a caller. A member whose schema rejects the fact keeps its value.
 */
export const errorBody = (
  body: unknown,
  facts: ErrorFacts,
  check: (body: unknown) => boolean,
): unknown =>
  leavesOf(body)
    .slice(0, MOST_LEAVES)
    .reduce<unknown>((whole, { path, value }) => {
      const known = knownOf(path.findLast((key) => typeof key === 'string') ?? '', value, facts)
      if (known === undefined) return whole
      const changed = replaced(whole, path, known)
      return check(changed) ? changed : whole
    }, body)

type ErrorFacts = {
  /** The status of the response. */
  readonly status?: number | undefined
  /** The error in the request. */
  readonly message?: string | undefined
}

type Path = readonly (string | number)[]

const leavesOf = (value: unknown, path: Path = []): readonly { path: Path; value: unknown }[] => {
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, [...path, at]))
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
}

const knownOf = (name: string, value: unknown, { status, message }: ErrorFacts): unknown => {
  if (typeof value === 'number') return STATUS.test(name) || name === 'code' ? status : undefined
  if (typeof value !== 'string') return undefined
  if (MESSAGE.test(name)) return message
  return STATUS.test(name) && status !== undefined ? String(status) : undefined
}

/** Whether a member of an error body is replaced by a known fact: a message or a status. */
export const isFact = (name: string, value: unknown): boolean =>
  knownOf(name, value, { status: 400, message: '' }) !== undefined

const STATUS = /^(http)?_?status_?(code)?$/i
const MESSAGE = /^(error)?_?(message|title|detail|error|reason)$/i

const replaced = (value: unknown, [key, ...rest]: Path, leaf: unknown): unknown => {
  if (key === undefined) return leaf
  if (Array.isArray(value))
    return value.map((item, at) => (at === key ? replaced(item, rest, leaf) : item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === key ? replaced(member, rest, leaf) : member,
    ]),
  )
}

/** After each replacement, the whole body is validated. */
const MOST_LEAVES = 50
