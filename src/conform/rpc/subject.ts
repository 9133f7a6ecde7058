import type { Api, RpcOperation } from '../../model/api.js'
import type { Checker } from '../../model/check.js'
import type { Session } from '../case.js'
import { callText, postRpc } from '../wire/write-rpc.js'
import { hasResult, readReply } from './reply.js'

/** What the cases of the protocol are tried with. */
export type Subject = {
  readonly api: Api
  readonly checker: Checker
  /** Harmless, and answers without params; a name that nobody has where the documents hold none such. */
  readonly method: string
  /** Text of a JSON string: `"\"ping\""`. */
  readonly name: string
  /** A name that no document has. */
  readonly unknown: string
  /** A call of `method`; `id` is JSON text, null for a notification. */
  readonly call: (id?: string | null) => string
}

/**
 * Finds out once which documented method can be called again and again: it needs no params, changes nothing, and
 * answers here and now. `why` tells why there is none.
 */
export const subjectOf = (session: Session): Promise<Found> => {
  const known = found.get(session)
  if (known) return known
  const search = find(session)
  found.set(session, search)
  return search
}

export type Found = {
  readonly subject: Subject
  /** Undefined where `method` answers. */
  readonly why: string | undefined
  /** No request of any kind can be told about: what answers is not what was documented. */
  readonly isHopeless: boolean
}

const found = new WeakMap<Session, Promise<Found>>()

const find = async (session: Session): Promise<Found> => {
  const { api, target } = session
  const candidates = harmless(api)
  const unknown = unknownMethod(api)
  for (const method of candidates.slice(0, 6)) {
    const reply = readReply(await session.probe(postRpc(target, callText(method, []))))
    if (hasResult(reply))
      return { subject: subjectFor(session, method, unknown), why: undefined, isHopeless: false }
  }
  const subject = subjectFor(session, unknown, unknown)
  return candidates.length === 0
    ? {
        subject,
        why: 'the documents have no method that only reads and needs no params',
        isHopeless: false,
      }
    : {
        subject,
        why: `${candidates[0]} gives no result, so nothing can be concluded`,
        isHopeless: true,
      }
}

export const subjectFor = (
  { api, checker }: Pick<Session, 'api' | 'checker'>,
  method: string,
  unknown: string,
): Subject => ({
  ...{ api, checker, method, unknown },
  name: JSON.stringify(method),
  call: (id = '1') => callText(method, [], id),
})

/** Methods without required params that only read, the plainest first. */
export const harmless = (api: Api): readonly string[] =>
  rpcOperations(api)
    .filter(
      (one) => isReading(one) && one.paramStructure !== 'by-name' && !one.errors.some(isAbsence),
    )
    .filter(({ params }) => params.every(({ required }) => !required))
    .filter(({ examples }) =>
      examples.some(({ params, outcome }) => params.length === 0 && outcome.kind === 'result'),
    )
    .toSorted((a, b) => a.params.length - b.params.length)
    .map(({ method }) => method)

/** May be called again and again, by anybody. */
export const isReading = ({ idempotent, access }: RpcOperation): boolean =>
  idempotent && access !== 'key'

/** `MethodNotAvailable`: what a server need not offer. */
export const isAbsence = ({ code }: { readonly code: number }): boolean => code === -32601

export const rpcOperations = (api: Api): readonly RpcOperation[] =>
  api.operations.filter((one) => one.kind === 'rpc')

const unknownMethod = (api: Api): string => {
  const names = new Set(rpcOperations(api).map(({ method }) => method))
  let name = 'no_such_method'
  while (names.has(name)) name += '_'
  return name
}
