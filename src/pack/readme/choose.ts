import type { Api, HttpOperation, RpcExample, RpcOperation } from '../../model/api.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { createSampler, type Sampler } from '../../schema/readable.js'
import {
  bodyExamples,
  type Call,
  httpArgs,
  madeUpHttpArgs,
  madeUpRpcArgs,
  rpcArgs,
} from './calls.js'

/**
 * The calls that a README shows. What only reads comes first, then what the documents show or what needs no values, what
 * anybody may call, what is stable, what is never shown to refuse, and what needs least; of equals the first of the document.
 */
export const chooseCalls = (api: Api): Chosen => {
  const makeUp = createSampler(api.schemas)
  const methods = byRank(
    api.operations.filter((one) => one.kind === 'rpc').flatMap((one) => shownMethod(one, makeUp)),
    methodRank,
  )
  const operations = byRank(
    api.operations
      .filter((one) => one.kind === 'http')
      .flatMap((one) => shownOperation(one, makeUp)),
    (one) => operationRank(one, api.http?.servers[0]?.url),
  )
  const refused = methods.filter(({ operation }) => refusalOf(operation) && operation.idempotent)
  return {
    makeUp,
    methods,
    operations,
    refusal: refused.find(({ operation }) => !isMissing(operation)) ?? refused[0],
  }
}

export type Chosen = {
  readonly makeUp: Sampler
  readonly methods: readonly ShownMethod[]
  readonly operations: readonly Call<HttpOperation>[]
  /** A method that reads and that an example shows refused. */
  readonly refusal: ShownMethod | undefined
}

export type ShownMethod = Call<RpcOperation> & {
  /** One that is answered, where there is any. */
  readonly example: RpcExample | undefined
}

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

const shownMethod = (operation: RpcOperation, makeUp: Sampler): readonly ShownMethod[] => {
  const example = operation.examples.find(({ outcome }) => outcome.kind === 'result')
  const asked = example ?? operation.examples.find(({ outcome }) => outcome.kind === 'none')
  if (asked) return [{ operation, example, args: rpcArgs(operation, asked), isMadeUp: false }]
  const args = madeUpRpcArgs(operation, makeUp)
  return args === undefined ? [] : [{ operation, example, args, isMadeUp: args !== '' }]
}

const shownOperation = (
  operation: HttpOperation,
  makeUp: Sampler,
): readonly Call<HttpOperation>[] => {
  const shown = httpArgs(operation)
  const args = shown ?? madeUpHttpArgs(operation, makeUp)
  return args === undefined ? [] : [{ operation, args, isMadeUp: shown === undefined }]
}

const answersJson = ({ responses }: HttpOperation): boolean =>
  responses.some(
    ({ status, content }) => /^2/.test(status) && content.some(({ type }) => isJson(type)),
  )

const methodRank = (call: ShownMethod): readonly number[] => {
  const { operation, example } = call
  const { params } = example ?? { params: operation.params.filter(({ required }) => required) }
  return [
    isRead(operation) ? 0 : 1,
    ...commonRank(call),
    refusalOf(operation) ? 1 : 0,
    params.length,
    example?.outcome.kind === 'result' && typeof example.outcome.value === 'object' ? 1 : 0,
  ]
}

const operationRank = (call: Call<HttpOperation>, usual: string | undefined): readonly number[] => {
  const { operation } = call
  return [
    isRead(operation) ? 0 : 1,
    answersJson(operation) ? 0 : 1,
    operation.servers[0]?.url === usual ? 0 : 1,
    ...commonRank(call),
    operation.security.length > 0 && operation.security.every((one) => one.length > 0) ? 1 : 0,
    operation.parameters.filter(({ required }) => required).length,
    bodyExamples(operation).length > 0 ? 1 : 0,
  ]
}

const commonRank = ({
  operation,
  isMadeUp,
}: Call<HttpOperation | RpcOperation>): readonly number[] => [
  isMadeUp ? 1 : 0,
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
