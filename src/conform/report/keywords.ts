import type { Operation } from '../../model/api.js'
import { ownName } from '../operations.js'

/**
 * Which keywords of requests a run has tested. A keyword counts if the server decided about a value that violates it. A
 * rejection is such a decision only if a request that the document allows got another response: a server that rejects
 * everything has looked at nothing.
 */
export type KeywordRecord = {
  readonly note: (tried: TriedKeyword) => void
  readonly noteValid: (operation: Operation, response: string) => void
  /** Whether a request that the document allows got this response. */
  readonly isOfValid: (operation: Operation, response: string) => boolean
  /** The names of the tested keywords. */
  readonly tested: () => ReadonlySet<string>
  /** The operations whose rejections prove nothing, with the reason. */
  readonly unproven: () => readonly { readonly name: string; readonly why: string }[]
}

type TriedKeyword = {
  readonly operation: Operation
  /** The name in coverage. */
  readonly name: string
  readonly side: 'valid' | 'invalid'
  /** The status or the error code of a rejection; undefined if the response shows nothing about the value. */
  readonly response: string | undefined
  /** The value was accepted, or the server failed. */
  readonly isShown: boolean
}

export const createKeywordRecord = (): KeywordRecord => {
  const tried: TriedKeyword[] = []
  const valid = new Map<Operation, Set<string>>()
  const isDecided = ({ operation, response, isShown, side }: TriedKeyword): boolean => {
    if (isShown || response === undefined) return isShown
    return side === 'invalid' && isProof(valid.get(operation), response)
  }
  return {
    note: (one) => void tried.push(one),
    noteValid: (operation, response) => {
      const known = valid.get(operation) ?? new Set()
      valid.set(operation, known.add(response))
    },
    isOfValid: (operation, response) => valid.get(operation)?.has(response) === true,
    tested: () => {
      const names = new Set(tried.map(({ name }) => name))
      const invalid = new Set(tried.flatMap(({ name, side }) => (side === 'invalid' ? [name] : [])))
      const decided = tried.filter(isDecided)
      const byInvalid = new Set(
        decided.flatMap(({ name, side }) => (side === 'invalid' ? [name] : [])),
      )
      const byValid = new Set(decided.map(({ name }) => name))
      return new Set(
        [...names].filter((name) => (invalid.has(name) ? byInvalid : byValid).has(name)),
      )
    },
    unproven: () => {
      const found = new Map<string, string>()
      for (const { operation, response, side, isShown } of tried) {
        if (response === undefined || side === 'valid' || isShown) continue
        const known = valid.get(operation)
        if (isProof(known, response)) continue
        const why =
          known === undefined
            ? 'no request that the document allows got a response that could be compared'
            : `requests that the document allows were rejected with the same response: ${response}`
        found.set(ownName(operation), `a rejection proves nothing, because ${why}`)
      }
      return [...found].map(([name, why]) => ({ name, why }))
    },
  }
}

/** Whether a valid request got another response than an invalid one. Without a valid request, nothing is known. */
const isProof = (valid: ReadonlySet<string> = new Set(), response: string): boolean =>
  [...valid].some((one) => one !== response)
