import { messageOf } from '../shared/message-of.js'

/** What holds for all that is mocked. */
export type MockPolicy = {
  readonly validate: boolean
  /** Tells what went wrong to whoever wrote the test, and gives the sentence for the answer. */
  readonly wrong: (error: unknown) => string
}

/** What is wrong with an override, and what to do. */
export const fault = (what: string, remedy: string): TypeError =>
  new TypeError(`${what}: ${remedy}`)

export const endSentence = 'mend the override, or pass validate: false'

export const namesOf = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => `'${name}'`).join(', ')

export const createMockPolicy = (
  validate: boolean,
  onError: (error: unknown) => void,
): MockPolicy => ({
  validate,
  wrong: (error) => {
    onError(error)
    return messageOf(error)
  },
})

/** Outside of any promise, where every runner of tests hears of it, whatever the code under test does with the answer. */
export const throwAside = (error: unknown): void =>
  queueMicrotask(() => {
    throw error
  })
