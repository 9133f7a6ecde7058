import type { Poll } from '../operation.js'
import { isSameExample } from '../shared/prefer.js'
import { canonical, isObject } from '../validate/json-value.js'

/** The examples of the documents by operation id, as generated `msw.ts` holds them. */
export type Documented = Readonly<Record<string, DocumentedHttp | DocumentedRpc>>

export type DocumentedHttp = {
  readonly requests?: readonly NamedValue[]
  /** Location and name -> examples: `path.id`. */
  readonly parameters?: Readonly<Record<string, readonly NamedValue[]>>
  readonly answers: readonly DocumentedAnswer[]
  /** Variant -> the named example that it is shown by, and its responses' schemas are read by the validators. */
  readonly variants?: Readonly<Record<string, string>>
}

export type DocumentedAnswer = NamedValue & {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  /** The media type where it is not JSON. */
  readonly type?: string
}

export type DocumentedRpc = { readonly pairings: readonly Pairing[] }

export type Pairing = {
  readonly name: string
  readonly params: unknown
} & ({ readonly result: unknown } | { readonly error: ErrorObject })

export type ErrorObject = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

type NamedValue = { readonly name: string; readonly value: unknown }

/** What a request is looked up by. */
export type Asked = {
  readonly body: unknown
  /** Location and name -> value: `path.id`. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * The answer that belongs to a request: the one of the same name where the request is a documented example, else one that
 * answers its variant. Undefined where neither is.
 */
export const answerOfRequest = (
  { requests = [], parameters = {}, answers, variants }: DocumentedHttp,
  asked: Asked,
  variant: VariantFit | undefined,
): DocumentedAnswer | undefined => {
  const names = [
    ...requests.filter(({ value }) => isSame(value, asked.body)),
    ...Object.entries(parameters).flatMap(([place, examples]) =>
      examples.filter(({ value }) => String(value) === String(asked.parameters[place])),
    ),
  ].map(({ name }) => name)
  const sorted = successesFirst(answers)
  for (const name of names) {
    const answer = sorted.find((one) => one.name === name)
    if (answer) return answer
  }
  if (variant === undefined) return undefined
  const fitting = sorted.filter(({ status, value }) => isSuccess(status) && variant.fits(value))
  return fitting.find(({ name }) => name === variants?.[variant.name]) ?? fitting[0]
}

export type VariantFit = { readonly name: string; readonly fits: (value: unknown) => boolean }

/** The answers of a polled operation in the order of their states, up to the first that is terminal. */
export const statesOf = (
  { answers }: DocumentedHttp,
  { field, order, terminal }: Poll,
): readonly DocumentedAnswer[] => {
  const states = order.flatMap((state) => {
    const shown = answers.find(
      ({ status, value }) => isSuccess(status) && isObject(value) && value[field] === state,
    )
    return shown ? [{ state, shown }] : []
  })
  const end = states.findIndex(({ state }) => terminal.includes(state))
  return (end === -1 ? states : states.slice(0, end + 1)).map(({ shown }) => shown)
}

/** The pairing whose params are the caller's, a result before an error, else the first result. */
export const pairingOf = (
  { pairings }: DocumentedRpc,
  params: unknown,
  wish: string | undefined,
): Pairing | undefined => {
  const wished = wish === undefined ? undefined : namedPairing(pairings, wish)
  const matching = pairings.filter((one) => isSame(one.params, params))
  const result = (list: readonly Pairing[]) => list.find((one) => 'result' in one)
  return wished ?? result(matching) ?? matching[0] ?? result(pairings)
}

/** A pairing's own name, or the one that it has in the projection: `no tokens`, `noTokens`, `no-tokens`. */
export const namedPairing = (pairings: readonly Pairing[], wish: string): Pairing | undefined =>
  pairings.find(({ name }) => name === wish) ??
  pairings.find(({ name }) => isSameExample(name, wish))

export const successesFirst = (answers: readonly DocumentedAnswer[]): readonly DocumentedAnswer[] =>
  [...answers].sort((a, b) => Number(isSuccess(b.status)) - Number(isSuccess(a.status)))

export const isSuccess = (status: string): boolean => status.startsWith('2')

const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)
