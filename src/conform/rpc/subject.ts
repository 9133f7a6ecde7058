import type { Api, RpcOperation } from '../../model/api.js'
import { rpcOperations } from '../../model/operations.js'
import type { Checker } from '../../schema/check.js'
import { type Case, CaseStopped, NotTested, type Session } from '../case.js'
import { callText, postRpc } from '../wire/write-request.js'
import { hasResult, readJsonRpcResponse } from './json-rpc-response.js'

/** The method and params that the cases of the protocol use. */
export type RpcSubject = {
  readonly api: Api
  readonly checker: Checker
  /** A method that only reads; an unknown name if no documented method of this kind succeeds. */
  readonly method: string
  /** Text of a JSON string: `"\"ping\""`. */
  readonly name: string
  /** The params of a documented example: `[]`, `{}`, `{"city":"Basel"}`. */
  readonly params: Params
  /** Whether it also succeeds without params. */
  readonly needsNone: boolean
  /** A name that is in no document. */
  readonly unknown: string
  /** A call of `method`; `id` is JSON text, null for a notification. */
  readonly call: (id?: string | null) => string
}

export type Params = readonly unknown[] | Readonly<Record<string, unknown>>

/** A method that only reads, and the params of an example with a result. */
export type Harmless = Pick<RpcSubject, 'method' | 'params' | 'needsNone'>

/**
 * Finds once the documented method that can be called repeatedly: it changes nothing, and this server returns a result for its
 * example. `why` is the reason if there is none.
 */
export const subjectOf = (session: Session): Promise<Found> =>
  session.once(SUBJECT, () => find(session))

const SUBJECT = {}

type Found = {
  readonly subject: RpcSubject
  /** Undefined if `method` succeeds. */
  readonly why: string | undefined
  /** No case can conclude anything, because the server does not return the documented result. */
  readonly isHopeless: boolean
}

const find = async (session: Session): Promise<Found> => {
  const { api, target } = session
  const candidates = harmless(api)
  const unknown = unknownMethod(api)
  let limited: unknown
  for (const one of candidates.slice(0, 6)) {
    const call = callText(one.method, one.params)
    try {
      const response = readJsonRpcResponse(await session.probe(postRpc(target, call)))
      if (hasResult(response))
        return { subject: subjectFor(session, one, unknown), why: undefined, isHopeless: false }
    } catch (error) {
      // Another method may have no rate limit.
      if (!(error instanceof CaseStopped) || error.stop.kind !== 'operation limited') throw error
      limited = error
    }
  }
  if (limited !== undefined) throw limited
  const nobody = { method: unknown, params: [], needsNone: true }
  const subject = subjectFor(session, nobody, unknown)
  const [first] = candidates
  return first === undefined
    ? { subject, why: whyNoneReads(api), isHopeless: false }
    : {
        subject,
        why: `${first.method} returns no result, so no response proves anything`,
        isHopeless: true,
      }
}

/** What to add to a document that has no method for the protocol cases: the line for one of its methods. */
const whyNoneReads = (api: Api): string => {
  const shown = rpcOperations(api).filter(
    ({ examples, access, errors }) =>
      access !== 'key' &&
      !errors.some(isAbsence) &&
      examples.some(({ outcome }) => outcome.kind === 'result'),
  )
  const isPlain = ({ params }: RpcOperation) => params.every(({ required }) => !required)
  const candidate = shown.find(isPlain) ?? shown[0]
  if (candidate === undefined)
    return 'no method has an example with a result: add one to a read-only method, and "x-idempotent": true'
  const { file, line } = candidate.source.locate()
  const added = /\.json$/i.test(file) ? '"x-idempotent": true,' : 'x-idempotent: true'
  return `no method with an example is marked as read-only. If ${candidate.method} is read-only, add this line to it at ${file}:${line}: ${added}`
}

const subjectFor = (
  { api, checker }: Pick<Session, 'api' | 'checker'>,
  { method, params, needsNone }: Harmless,
  unknown: string,
): RpcSubject => ({
  ...{ api, checker, method, params, needsNone, unknown },
  name: JSON.stringify(method),
  call: (id = '1') => callText(method, params, id),
})

/** Methods that only read and have an example with a result. Methods without params come first, then those with the fewest. */
export const harmless = (api: Api): readonly Harmless[] =>
  rpcOperations(api)
    .filter((one) => isReading(one) && !one.errors.some(isAbsence))
    .flatMap((operation) => {
      const { method, paramStructure, params, examples } = operation
      const isFree = params.every(({ required }) => !required)
      const results = examples.filter(({ outcome }) => outcome.kind === 'result')
      const bare = isFree ? results.find((one) => one.params.length === 0) : undefined
      const example = bare ?? results[0]
      if (!example) return []
      const shown = paramStructure === 'by-name' ? example.namedParams : example.params
      return [{ method, params: shown, needsNone: bare !== undefined, size: params.length }]
    })
    .toSorted((a, b) => Number(b.needsNone) - Number(a.needsNone) || a.size - b.size)
    .map(({ size: _, ...one }) => one)

/** Whether any caller may call the method repeatedly. */
export const isReading = ({ idempotent, access }: RpcOperation): boolean =>
  idempotent && access !== 'key'

/** `MethodNotAvailable`: the server need not offer the method. */
export const isAbsence = ({ code }: { readonly code: number }): boolean => code === -32601

const unknownMethod = (api: Api): string => {
  const names = new Set(rpcOperations(api).map(({ method }) => method))
  let name = 'no_such_method'
  while (names.has(name)) name += '_'
  return name
}

/** A case that needs a method that succeeds; without one it is reported as not tested. */
export const caseWith = (
  what: string,
  cost: number,
  run: (session: Session, subject: RpcSubject) => Promise<void>,
): Case => ({
  name: `JSON-RPC, ${what}`,
  cost,
  run: async (session) => {
    const { subject, why } = await subjectOf(session)
    if (why !== undefined) throw new NotTested(why)
    await run(session, subject)
  },
})
