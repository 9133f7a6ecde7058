import type { Checks } from '../validate.js'
import type { PendingCall } from './call.js'
import type { Sent } from './match.js'

/**
 * The results of calls where all is well: each call has the answer that stands at its place, by the letter of JSON-RPC 2.0
 * §5 and under its own id, and the document allows every result. Undefined for anything else, which `match.ts` reads.
 */
export const plainResults = (
  calls: readonly PendingCall[],
  sent: Sent,
  text: string,
): readonly unknown[] | undefined => {
  const body: unknown = JSON.parse(text)
  const answers: unknown = sent === 'alone' ? [body] : body
  if (!Array.isArray(answers) || answers.length !== calls.length) return undefined
  const results: unknown[] = []
  for (const [index, { id, method }] of calls.entries()) {
    const answer: Answer | null = answers[index]
    if (id === undefined || typeof answer !== 'object' || answer === null) return undefined
    if (answer.id !== id || answer.jsonrpc !== '2.0') return undefined
    if (!Object.hasOwn(answer, 'result') || Object.hasOwn(answer, 'error')) return undefined
    const { result } = answer
    if (method.result !== undefined && !isOpenly(method.result, result)) return undefined
    results.push(result)
  }
  return results
}

/** Answers are open: a service may add to them. */
const isOpenly = ({ check, open = check }: Checks, value: unknown): boolean => open(value)

type Answer = { readonly id?: unknown; readonly jsonrpc?: unknown; readonly result?: unknown }
