import { messageOf } from '../shared/message-of.js'
import type { DocumentedAnswer } from './documented.js'

/** What applies to all operations of a mock. */
export type MockPolicy = {
  /** Whether answers of overrides must fit their schemas. */
  readonly validate: boolean
  /** Reports what went wrong, and returns the message for the response. */
  readonly wrong: (error: unknown) => string
  /** Whether a polled operation goes from state to state; without it, each request is answered by the final state. */
  readonly hasStates: boolean
  /** Answers for what has no example, and for `Prefer: dynamic=true`. */
  readonly samples?: Samples | undefined
}

/** Values made from schemas; undefined where none can be made. Operations are named by their ids. */
export type Samples = {
  /** `key` is `200`, `4XX` or `default`. */
  readonly response: (
    operation: string,
    key: string,
    wanted?: WantedSample,
  ) => DocumentedAnswer | undefined
  readonly result: (operation: string) => { readonly result: unknown } | undefined
}

type WantedSample = {
  /** The body has the media type that this header prefers. */
  readonly accept?: string | undefined
  /** What an error body says where its schema has a place for it: the status of the response, and what is wrong. */
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

/** What is wrong with an override or a preference, and what to do. */
export const fault = (what: string, remedy: string): TypeError =>
  new TypeError(`${what}: ${remedy}`)

export const overrideRemedy = 'mend the override, or pass validate: false'

export const namesOf = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => `'${name}'`).join(', ')
