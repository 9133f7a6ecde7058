import type { Api, HttpOperation, RpcExample, RpcOperation } from '../../model/api.js'
import { bodyExamples, type Call, httpArgs, rpcArgs } from './calls.js'

/**
 * The calls that a README shows. What only reads comes first, then what anybody may call, what is stable, what is never shown
 * to refuse, and what needs least; of equals the first of the document.
 */
export const chooseCalls = (api: Api): Chosen => {
  const methods = byRank(
    api.operations.filter((one) => one.kind === 'rpc').flatMap(shownMethod),
    methodRank,
  )
  const operations = byRank(
    api.operations.filter((one) => one.kind === 'http').flatMap(shownOperation),
    operationRank,
  )
  const refused = methods.filter(({ operation }) => refusalOf(operation) && operation.idempotent)
  return {
    methods,
    operations,
    refusal: refused.find(({ operation }) => !isMissing(operation)) ?? refused[0],
  }
}

export type Chosen = {
  readonly methods: readonly ShownMethod[]
  readonly operations: readonly Call<HttpOperation>[]
  /** A method that reads and that an example shows refused. */
  readonly refusal: ShownMethod | undefined
}

export type ShownMethod = Call<RpcOperation> & { readonly example: RpcExample }

export const refusalOf = ({ examples }: RpcOperation): RpcExample | undefined =>
  examples.find(({ outcome }) => outcome.kind === 'error')

/** Whether it is refused for not being offered: a server that offers it answers. */
const isMissing = (operation: RpcOperation): boolean => {
  const outcome = refusalOf(operation)?.outcome
  return outcome?.kind === 'error' && outcome.error.code === -32601
}

/** Whether a call changes nothing at the service. */
export const isRead = (operation: HttpOperation | RpcOperation): boolean =>
  operation.kind === 'http' ? operation.method === 'GET' : operation.idempotent

/** Orders what anybody may call before what asks for a key. */
export const publicFirst = (one: HttpOperation, other: HttpOperation): number =>
  (one.access === 'key' ? 1 : 0) - (other.access === 'key' ? 1 : 0)

const shownMethod = (operation: RpcOperation): readonly ShownMethod[] => {
  const example = operation.examples.find(({ outcome }) => outcome.kind === 'result')
  return example ? [{ operation, example, args: rpcArgs(operation, example) }] : []
}

const shownOperation = (operation: HttpOperation): readonly Call<HttpOperation>[] => {
  const args = httpArgs(operation)
  const isJson = operation.responses.some(
    ({ status, content }) => /^2/.test(status) && content.some(({ type }) => /json/i.test(type)),
  )
  return args === undefined || !isJson ? [] : [{ operation, args }]
}

const methodRank = ({ operation, example }: ShownMethod): readonly number[] => [
  ...commonRank(operation),
  refusalOf(operation) ? 1 : 0,
  example.params.length,
  example.outcome.kind === 'result' && typeof example.outcome.value === 'object' ? 1 : 0,
]

const operationRank = ({ operation }: Call<HttpOperation>): readonly number[] => [
  ...commonRank(operation),
  operation.security.length > 0 && operation.security.every((one) => one.length > 0) ? 1 : 0,
  operation.parameters.filter(({ required }) => required).length,
  bodyExamples(operation).length > 0 ? 1 : 0,
]

const commonRank = (operation: HttpOperation | RpcOperation): readonly number[] => [
  isRead(operation) ? 0 : 1,
  operation.access === 'key' ? 1 : 0,
  operation.deprecated ? 1 : 0,
  operation.stability === 'alpha' || operation.stability === 'draft' ? 1 : 0,
]

const byRank = <T>(shown: readonly T[], rank: (one: T) => readonly number[]): readonly T[] =>
  shown
    .map((one) => ({ one, ranks: rank(one) }))
    .sort((a, b) => {
      const at = a.ranks.findIndex((value, index) => value !== b.ranks[index])
      return at < 0 ? 0 : (a.ranks[at] ?? 0) - (b.ranks[at] ?? 0)
    })
    .map(({ one }) => one)
