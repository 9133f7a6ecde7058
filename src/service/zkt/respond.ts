import { HttpError } from 'twinspec/runtime/errors'
import type { HttpContext } from 'twinspec/runtime/server'
import { CompilerBusy } from '../compiler/compiler.js'
import { OutboxFull } from '../outbox/outbox.js'
import { RETRY_SECONDS } from '../retry-seconds.js'
import { StoreUnavailable } from '../store/store.js'
import { isOfNode } from './node-error.js'
import { Refused, STATUS } from './rejected.js'

/**
 * Runs a submission and gives its answer the id of the request, of the same type (SERVICE 4.2 rule 4), where there was one.
 * Whatever keeps it from being taken becomes an HttpError with the documented body; other errors are faults of ours and pass.
 */
export const answered = async <Body extends object>(
  context: HttpContext,
  id: RequestId | undefined,
  work: () => Promise<Body>,
): Promise<{ readonly status: 200; readonly body: Body & { readonly id?: RequestId } }> => {
  try {
    return { status: 200, body: { ...(await work()), ...echo(id) } }
  } catch (error) {
    // Nobody hears the answer, and what an abort throws is nobody's fault.
    if (context.signal.aborted) throw error
    const refused = error instanceof Refused ? error : unavailable(error)
    throw refused ? httpErrorOf(refused, context, id) : error
  }
}

export type RequestId = string | number

/** A part of the service is down for now; undefined for any other error. */
export const unavailable = (error: unknown): Refused | undefined => {
  if (error instanceof StoreUnavailable) return say('the queue does not answer', error)
  if (error instanceof OutboxFull) return say('the queue is full', error)
  if (error instanceof CompilerBusy) return say('the compiler is busy', error)
  if (isOfNode(error)) return say('the node does not answer', error)
  return undefined
}

const say = (what: string, cause: Error): Refused =>
  new Refused('UNAVAILABLE', `${what}, try again later`, { cause })

const echo = (id: RequestId | undefined): { readonly id?: RequestId } =>
  id === undefined ? {} : { id }

const httpErrorOf = (
  refused: Refused,
  context: HttpContext,
  id: RequestId | undefined,
): HttpError => {
  const { message, errorCode, details, retrySeconds } = refused
  const status = STATUS[errorCode]
  const more = details === undefined ? {} : { details }
  const body = { success: false, error: message, errorCode, ...more, ...echo(id) }
  const retry = retrySeconds ?? (status === 503 ? RETRY_SECONDS : undefined)
  const headers = new Headers(retry === undefined ? {} : { 'retry-after': String(retry) })
  const operation = context.operation.id
  return new HttpError({ operation, status, body, message, headers }, { cause: refused })
}
