import type { HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { isSuccessKey } from '../runtime/wire/status.js'

/** A response that the mock of the new documents returns for a `Prefer` header. */
export type Preference = {
  /** `the response "paid"` */
  readonly label: string
  readonly prefer: string
  readonly isOfError: boolean
}

/**
 * The responses that an old client can receive for an operation: each success example in the new documents, a sample of the whole
 * schema, and each error that both versions declare.
 */
export const preferencesOf = (before: Operation, after: Operation): readonly Preference[] => {
  if (before.kind === 'http') return after.kind === 'http' ? httpPreferences(before, after) : []
  return after.kind === 'rpc' ? rpcPreferences(before, after) : []
}

const httpPreferences = (
  before: HttpOperation,
  { responses, variants }: HttpOperation,
): readonly Preference[] => {
  // The variant of a request decides the correct response. Each variant has a separate call (`calls.ts`).
  const isByVariant = before.variants.length + variants.length > 0
  const isShared = (status: string) => before.responses.some((one) => one.status === status)
  const codes = responses.map(({ status }) => status).filter((one) => /^\d{3}$/.test(one))
  const successes = isByVariant ? [] : codes.filter(isSuccessKey)
  const examples = responses
    .filter(({ status }) => successes.includes(status))
    .flatMap(({ status, content }) =>
      content.flatMap((media) => media.examples.map(({ name }) => ({ status, name }))),
    )
    .filter(({ name }) => fitsHeader(name))
  return [
    ...examples.slice(0, MOST_EXAMPLES).map(({ status, name }) => ({
      label: `the response ${status} ${name}`,
      prefer: `code=${status}, example=${quoted(name)}`,
      isOfError: false,
    })),
    ...successes.map((status) => ({
      label: `the response ${status} with all that is declared`,
      prefer: `code=${status}, dynamic=true`,
      isOfError: false,
    })),
    ...codes
      .filter((status) => /^[45]/.test(status) && isShared(status))
      .map((status) => ({
        label: `the error ${status}`,
        prefer: `code=${status}`,
        isOfError: true,
      })),
  ]
}

const rpcPreferences = (
  before: RpcOperation,
  { examples, errors }: RpcOperation,
): readonly Preference[] => [
  ...examples
    .filter(({ name, outcome }) => outcome.kind === 'result' && fitsHeader(name))
    .slice(0, MOST_EXAMPLES)
    .map(({ name }) => ({
      label: `the result of ${name}`,
      prefer: `example=${quoted(name)}`,
      isOfError: false,
    })),
  ...(before.isNotification
    ? []
    : [
        { label: 'the result with all that is declared', prefer: 'dynamic=true', isOfError: false },
      ]),
  ...errors
    .filter(({ code }) => before.errors.some((one) => one.code === code))
    .map(({ code }) => ({
      label: `the error ${code}`,
      prefer: `code=${code}`,
      isOfError: true,
    })),
]

const MOST_EXAMPLES = 30

/** Whether a header can contain the text: an example whose name has other characters cannot be requested. */
const fitsHeader = (text: string): boolean => /^[\t\x20-\x7e]*$/.test(text)

/** A quoted string (RFC 9110, 5.6.4). */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
