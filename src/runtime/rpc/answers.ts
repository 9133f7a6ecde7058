import type { PendingCall } from './call.js'
import type { Sent } from './match.js'
import type { Outcome } from './post.js'

/**
 * The results of calls where all is well: each call has the answer that stands at its place, by the letter of JSON-RPC 2.0
 * §5 and under its own id, and the document allows every result. Undefined for anything else, which `match.ts` reads.
 */
export const plainResults = (
  calls: readonly PendingCall[],
  sent: Sent,
  { text = '', head }: Outcome,
): readonly unknown[] | undefined => {
  try {
    const body: unknown = head?.ok && JSON.parse(text)
    const answers: unknown = sent === 'alone' ? [body] : body
    if (!Array.isArray(answers) || answers.length !== calls.length) return undefined
    const results: unknown[] = []
    for (const { id, method } of calls) {
      const answer: Answer | null = answers[results.length]
      if (id === undefined || answer?.id !== id || answer.jsonrpc !== '2.0') return undefined
      // JSON has no undefined.
      if (answer.error !== undefined || !Object.hasOwn(answer, 'result')) return undefined
      const { result } = answer
      if (method.opens?.(result) === false) return undefined
      results.push(result)
    }
    return results
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
