import type { HttpOperation, Pages, Poll } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import { segmentsOf } from '../shared/pointer.js'
import { canonicalText, isObject } from '../validate/json-value.js'
import { acceptWeight, byAccept } from '../wire/content.js'
import { isSuccessKey } from '../wire/status.js'

/** The examples of the documents by operation id, as generated `msw.ts` contains them. */
export type Documented = Readonly<Record<string, DocumentedHttp | DocumentedRpc>>

export type DocumentedHttp = {
  readonly requests?: readonly NamedValue[]
  /** Location and name -> examples: `path.id`. */
  readonly parameters?: Readonly<Record<string, readonly NamedValue[]>>
  readonly answers: readonly DocumentedAnswer[]
  /** Status -> the headers of a response without content. */
  readonly heads?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Variant -> the name of its example. */
  readonly variants?: Readonly<Record<string, string>>
}

export type DocumentedAnswer = NamedValue & {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  /** The media type if it is not `application/json`. */
  readonly type?: string
  /** The value is a list of the items of a stream. */
  readonly isItems?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export type DocumentedRpc = {
  readonly pairings: readonly Pairing[]
  /** The declared errors with `data`. */
  readonly errors?: readonly ErrorObject[]
}

export type Pairing = {
  readonly name: string
  readonly params: unknown
} & ({ readonly result: unknown } | { readonly error: ErrorObject })

type NamedValue = { readonly name: string; readonly value: unknown }

/** The values of a request that are compared with examples. */
export type RequestValues = {
  readonly body: unknown
  /** Location and name -> value: `path.id`. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * The response example for a request: the one of the same name if the request is a documented example, else one that is valid
 * for the variant of the request. Undefined if there is neither. `answers` are in the order of preference.
 */
export const answerOfRequest = (
  { requests = [], parameters = {}, variants }: DocumentedHttp,
  answers: readonly DocumentedAnswer[],
  request: RequestValues,
  variant: VariantFit | undefined,
): DocumentedAnswer | undefined => {
  const names = [
    ...requests.filter(({ value }) => isSame(value, request.body)),
    ...Object.entries(parameters).flatMap(([place, examples]) =>
      examples.filter(({ value }) => isSameParameter(value, request.parameters[place])),
    ),
  ].map(({ name }) => name)
  for (const name of names) {
    // Unnamed examples share one name, which does not select an error.
    const answer = answers.find(
      (one) => one.name === name && (name !== UNNAMED || isSuccessKey(one.status)),
    )
    if (answer) return answer
  }
  if (variant === undefined) return undefined
  const fitting = answers.filter(({ status, value }) => isSuccessKey(status) && variant.fits(value))
  return fitting.find(({ name }) => name === variants?.[variant.name]) ?? fitting[0]
}

/** The example of a parameter is a value, and a request may have its text. */
const isSameParameter = (shown: unknown, sent: unknown): boolean =>
  typeof shown === 'object' || typeof sent === 'object'
    ? isSame(shown, sent)
    : String(shown) === String(sent)

/** The name of the single `example` of a parameter or media type. */
const UNNAMED = 'example'

export type VariantFit = { readonly name: string; readonly fits: (value: unknown) => boolean }

/** The responses of a polled operation in the order of their states, up to the first that is terminal. */
export const statesOf = (
  answers: readonly DocumentedAnswer[],
  { field, order, terminal }: Poll,
): readonly DocumentedAnswer[] => {
  const states = order.flatMap((state) => {
    const shown = answers.find(
      ({ status, value }) => isSuccessKey(status) && isObject(value) && value[field] === state,
    )
    return shown ? [{ state, shown }] : []
  })
  const end = states.findIndex(({ state }) => terminal.includes(state))
  return (end === -1 ? states : states.slice(0, end + 1)).map(({ shown }) => shown)
}

/** The pairing with the params of the call, a result before an error; else the first result. */
export const pairingOf = ({ pairings }: DocumentedRpc, params: unknown): Pairing | undefined => {
  const matching = pairings.filter((one) => isSame(one.params, params))
  const result = (list: readonly Pairing[]) => list.find((one) => 'result' in one)
  return result(matching) ?? matching[0] ?? result(pairings)
}

/** Finds a pairing by its own name, or by its name in the projection: `no tokens`, `noTokens`, `no-tokens`. */
export const namedPairing = (pairings: readonly Pairing[], example: string): Pairing | undefined =>
  pairings.find(({ name }) => name === example) ??
  pairings.find(({ name }) => isSameExample(name, example))

/** The response keys of an ordinary call: those of success, else `default`, else all others. */
export const ordinaryKeys = ({ responses }: HttpOperation): readonly string[] =>
  ordinaryAmong(responses.map(({ status }) => status))

export const ordinaryAmong = (declared: readonly string[]): readonly string[] => {
  const keys = declared.filter((key) => !key.startsWith('1')).toSorted()
  const successes = keys.filter(isSuccessKey)
  if (successes.length > 0) return successes
  return keys.includes('default') ? ['default'] : keys
}

/** Sorts acceptable media types before others, then ordinary responses before others, then by `Accept`. */
export const sortAnswers = (
  answers: readonly DocumentedAnswer[],
  keys: readonly string[],
  accept: string | undefined,
): readonly DocumentedAnswer[] => {
  const rank = (answer: DocumentedAnswer): number =>
    (isAcceptable(answer, accept) ? 2 : 0) + (keys.includes(answer.status) ? 1 : 0)
  const compare = byAccept(accept)
  return [...answers].sort((a, b) => rank(b) - rank(a) || compare(typeOf(a), typeOf(b)))
}

export const isAcceptable = (answer: DocumentedAnswer, accept: string | undefined): boolean =>
  acceptWeight(accept, typeOf(answer)) > 0

const typeOf = ({ type = 'application/json' }: DocumentedAnswer): string => type

export const isSame = (one: unknown, other: unknown): boolean =>
  canonicalText(one) === canonicalText(other)

/**
 * The preferences of a request to a mock by `Prefer` (RFC 7240). `code=404` requests a response of that status, `code=-32000`
 * an error of a method. `example=NAME` requests one example, with `code` that example of that status. `dynamic=true` requests a
 * value generated from the schema.
 */
export const preferred = (prefer: string | undefined): Preferred => ({
  code: codeOf(/(?:^|[,;\s])code="?(-?\d{4,6}|\d{3})/.exec(prefer ?? '')?.[1]),
  example: /(?:^|[,;\s])example="?([^",;]+)/.exec(prefer ?? '')?.[1]?.trim(),
  dynamic: /(?:^|[,;\s])dynamic="?true/.test(prefer ?? ''),
})

type Preferred = {
  readonly code: number | undefined
  readonly example: string | undefined
  readonly dynamic: boolean
}

const codeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

/** Whether a name identifies an example; forms of the projection are accepted: `noTokens`, `no tokens`, `no-tokens`. */
const isSameExample = (one: string, other: string): boolean => bare(one) === bare(other)

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * The body of a page. Examples are the first page; later pages of a list that is paged by a counter have no items, so that a
 * client that requests all pages terminates. `sent` reads a parameter of the request.
 */
export const pageOf = (
  body: unknown,
  pages: Pages | undefined,
  sent: (parameter: string) => unknown,
): unknown => {
  if (pages === undefined) return body
  const { page, offset, items = '' } = pages
  const isBehind =
    (page !== undefined && Number(sent(page) ?? 1) > 1) ||
    (offset !== undefined && Number(sent(offset) ?? 0) > 0)
  return isBehind ? withoutItems(body, segmentsOf(items)) : body
}

const withoutItems = (body: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key === undefined) return Array.isArray(body) ? [] : body
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return body
  return { ...body, [key]: withoutItems(Reflect.get(body, key), rest) }
}
