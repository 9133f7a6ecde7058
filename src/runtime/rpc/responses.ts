import type { PendingCall } from './call.js'
import type { Sent } from './match.js'
import type { Heard } from './send.js'

/**
 * The answers to calls where all is well: each stands at the place of its call, by the letter of JSON-RPC 2.0 §5 and under
 * its id, with a result that the document allows. Undefined for anything else, which `match.ts` reads.
 */
export const plainResponses = (
  calls: readonly PendingCall[],
  sent: Sent,
  { text, head }: Heard,
): readonly Answer[] | undefined => {
  try {
    // A text comes with its head.
    const body: unknown = head?.ok && JSON.parse(text as string)
    const answers: unknown = sent === 'alone' ? [body] : body
    const isPlain =
      Array.isArray(answers) &&
      answers.length === calls.length &&
      calls.every(({ id, method: { result } }, index) => {
        const answer: Answer = answers[index]
        return (
          id !== undefined &&
          answer.id === id &&
          answer.jsonrpc === '2.0' &&
          // JSON has no undefined.
          answer.error === undefined &&
          Object.hasOwn(answer, 'result') &&
          // Answers are open: a service may add to them.
          (result?.open ?? result?.check)?.(answer.result) !== false
        )
      })
    return isPlain ? answers : undefined
  } catch {
    // No JSON, a broken validator, a stack too small for an answer: told where errors are made.
    return undefined
  }
}

type Answer = {
  readonly id?: unknown
  readonly jsonrpc?: unknown
  readonly result?: unknown
  readonly error?: unknown
}
