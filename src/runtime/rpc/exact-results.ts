import type { ClientSettings } from '../client-options.js'
import type { RpcError } from '../errors.js'
import type { RpcOperation } from '../operation.js'
import { convert, markNumbers } from '../shared/exact-integers.js'
import type { issuesOf } from '../shared/issues.js'
import type { ParsedJson } from '../shared/json.js'
import type { pointerStep } from '../shared/pointer.js'
import type { CallSettlement, Result } from './match.js'

/**
 * The outcomes of a response whose text may have numbers that a double rounds, or whose results have bigints by the document. A
 * valid result is converted to bigints, at the declared places or everywhere; so is the data of an error. Rounded numbers are
 * reported; with strict validation they reject the call. `read` reads the outcomes with another parser. It and the
 * functions are arguments, because bundlers would split imports of this module from the rest of a client.
 */
export const readExactResults = (
  text: string,
  { calls, outcomes, read, settings, ...shared }: Terms,
): Promise<readonly CallSettlement[]> => {
  const { options, validate } = settings
  const operations = calls.map(({ method }) => method.operation)
  const keepsAll = options.integers === 'bigint'
  const hasBigints = keepsAll || operations.some(({ bigints }) => bigints?.result)
  const isReported = validate.response === 'strict' || options.onWarning !== undefined
  if (!(hasBigints || isReported)) return Promise.resolve(outcomes)
  // Of several calls, each reports its own numbers.
  const most = operations.length > 1 ? Number.POSITIVE_INFINITY : undefined
  const marked = markNumbers(text, hasBigints ? 'large' : 'rounded', most)
  const exact = marked === undefined ? outcomes : read(() => parse(marked.text))
  const mark = marked && { mark: marked.mark }

  const readResult = (outcome: Result, same: Result, operation: RpcOperation): CallSettlement => {
    const { named, result: places } = operation.bigints ?? {}
    return {
      ...outcome,
      finish: async (report) => {
        const read = convert(same.value, { places, named, keepsAll, ...mark }, shared.step)
        const isTolerated = validate.response !== 'strict' && !read.isUnreadable
        if (read.faults.length > 0) await report(read.faults, isTolerated, () => ROUNDED)
        return places === undefined && !keepsAll ? outcome.value : read.value
      },
    }
  }

  const readError = async (
    outcome: CallSettlement,
    error: RpcError,
    same: RpcError,
  ): Promise<CallSettlement> => {
    const { value: data, faults } = convert(same.data, { keepsAll, ...mark }, shared.step)
    Object.assign(error, { data })
    try {
      const message = `the data of the error ${ROUNDED}`
      const operation = error.method ?? ''
      const warning = {
        kind: 'response',
        operation,
        message,
        issues: shared.issuesOf(faults),
      } as const
      if (faults.length > 0) await options.onWarning?.(warning)
      return outcome
    } catch (thrown) {
      return { kind: 'failed', error: thrown, isPassing: false }
    }
  }

  const each = outcomes.map((outcome, index) => {
    const [same, operation] = [exact[index], operations[index]]
    if (outcome.kind === 'result')
      return same?.kind === 'result' && operation ? readResult(outcome, same, operation) : outcome
    return isRpcError(outcome.error) && same?.kind === 'failed' && isRpcError(same.error)
      ? readError(outcome, outcome.error, same.error)
      : outcome
  })
  return Promise.all(each)
}

const isRpcError = (error: unknown): error is RpcError =>
  error instanceof Error && error.name === 'RpcError'

type Terms = {
  readonly outcomes: readonly CallSettlement[]
  readonly calls: readonly { readonly method: { readonly operation: RpcOperation } }[]
  readonly read: (parse: (text: string) => ParsedJson) => readonly CallSettlement[]
  readonly settings: ClientSettings
  readonly step: typeof pointerStep
  readonly issuesOf: typeof issuesOf
}

const ROUNDED = 'has numbers that are rounded'

const parse = (text: string): ParsedJson => {
  try {
    return { value: JSON.parse(text) }
  } catch (cause) {
    return { cause }
  }
}
