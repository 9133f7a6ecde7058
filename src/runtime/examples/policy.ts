import type { ValueCodecs } from '../shared/codecs.js'
import { messageOf } from '../shared/message-of.js'
import type { DocumentedAnswer } from './documented.js'

/** The settings of all operations of a mock. */
export type MockPolicy = {
  /** Whether responses of overrides are validated against their schemas. */
  readonly validate: boolean
  /** Reports an error, and returns the message for the response. */
  readonly wrong: (error: unknown) => string
  /** Whether a polled operation advances from state to state; otherwise each response has the final state. */
  readonly hasStates: boolean
  /** Responses for operations without an example, and for `Prefer: dynamic=true`. */
  readonly samples?: ResponseSamples | undefined
  /** The codecs of the service. */
  readonly codecs?: ValueCodecs | undefined
}

/** Values generated from schemas; undefined if none can be generated. Operations are identified by their ids. */
export type ResponseSamples = {
  /** `key` is `200`, `4XX` or `default`. */
  readonly response: (
    operation: string,
    key: string,
    wanted?: WantedSample,
  ) => DocumentedAnswer | undefined
  /** `variant` is that of the params (`x-variants`). */
  readonly result: (operation: string, variant?: string) => { readonly result: unknown } | undefined
  /** The items of a subscription, which a connection gets one after the other. */
  readonly items?: (
    operation: string,
    variant: string | undefined,
    signal: AbortSignal | undefined,
  ) => AsyncIterable<unknown>
}

type WantedSample = {
  /** The body has the media type that this header prefers. */
  readonly accept?: string | undefined
  /** The status and the message of an error body, if its schema has properties for them. */
  readonly status?: number | undefined
  readonly message?: string | undefined
}

export const createMockPolicy = (
  onError: (error: unknown) => void,
  options: Omit<MockPolicy, 'wrong'>,
): MockPolicy => ({
  ...options,
  wrong: (error) => {
    onError(error)
    return messageOf(error)
  },
})

/** The error of an override or a preference, with its remedy. */
export const fault = (what: string, remedy: string): TypeError =>
  new TypeError(`${what}: ${remedy}`)

export const overrideRemedy = 'correct the override, or pass validate: false'

export const quotedNames = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => `'${name}'`).join(', ')
