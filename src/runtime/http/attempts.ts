import { CallError } from '../errors.js'
import type { Deadline } from '../shared/deadline.js'
import { runHooks } from '../shared/hooks.js'
import type { Warning } from '../shared/issues.js'
import { messageOf } from '../shared/message-of.js'
import { waitBefore } from '../shared/retry.js'
import type { Address } from './address.js'
import type { CallOptions } from './call.js'
import type { HttpContext } from './context.js'
import type { Failures } from './failure.js'
import type { WrittenRequest } from './request.js'

/** Sends a request, and again where the document allows it, until a response is final. */
export const sendUntilDone = async <Result extends Outcome>(
  context: HttpContext,
  options: CallOptions,
  prepared: Prepared,
  read: Reader<Result>['read'],
): Promise<Result> => {
  const { operation } = context
  const { request, deadline } = prepared
  // A stream can be sent once.
  const isRetried = operation.idempotent === true && !(request.body instanceof ReadableStream)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await deadline.race(attemptOnce(context, prepared, attempt, read))
    const isFailure = outcome instanceof CallError
    if (isRetried && (isFailure || BUSY.has(outcome.status))) {
      const retry = { ...context.options.retry, ...options.retry }
      const clock = { ...context.clock, ...options.retry?.clock }
      const retryAfter = isFailure ? null : outcome.headers.get('retry-after')
      const wait = waitBefore(attempt + 1, retryAfter, retry, clock)
      if (wait !== undefined && wait < deadline.remaining()) {
        await deadline.race(clock.sleep(wait, deadline.signal))
        continue
      }
    }
    if (isFailure) throw outcome
    return outcome
  }
}

/** Too many requests, and unavailable for now: the statuses that `Retry-After` was made for. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** A response, or a failure of the network as a value, since it may be retried. Throws every other failure. */
const attemptOnce = async <Result extends Outcome>(
  { operation, transport, options }: HttpContext,
  prepared: Prepared,
  attempt: number,
  read: Reader<Result>['read'],
): Promise<Result | CallError> => {
  const { address, request, deadline, fail, show, warnings } = prepared
  const { onRequest, onResponse, onWarning } = options
  const url = urlOf(address.baseUrl, request)
  const init: RequestInit = {
    method: operation.method,
    headers: request.headers,
    signal: deadline.signal,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.body instanceof ReadableStream && { duplex: 'half' }),
  }
  let isHook = false
  const readAndWarn = async (response: Response): Promise<Result> => {
    const result = await read(response, prepared)
    isHook = true
    for (const warning of warnings.splice(0)) await onWarning?.(warning)
    return result
  }
  try {
    if (onRequest === undefined && onResponse === undefined)
      return await readAndWarn(await transport(url, init))
    const { method } = operation
    const headers = new Headers(request.headers)
    const shown = { operations: [operation.id], attempt, method, url: show(url), headers }
    isHook = true
    await runHooks(onRequest, 'in', shown)
    isHook = false
    const response = await transport(url, { ...init, headers })
    isHook = true
    await runHooks(onResponse, 'out', response, shown)
    isHook = false
    return await readAndWarn(response)
  } catch (cause) {
    if (isHook) throw fail.clean(cause)
    if (cause instanceof CallError || deadline.ended() !== undefined) throw cause
    if (!isPossible(url, init))
      throw fail.call('invalid-input', 'no request can be made of the input', { cause })
    return fail.call('network', `no answer: ${messageOf(cause)}`, { cause })
  }
}

/** The query of an address, a key of a gateway say, goes before that of the request. A fragment is never sent. */
const urlOf = (address: string, { path, query }: WrittenRequest): string => {
  const [, base = '', own = ''] = /^([^?#]*?)\/*(?:\?([^#]*))?(?:#.*)?$/s.exec(address) ?? []
  const joined = [own, query].filter(Boolean).join('&')
  return `${base}${path}${joined && `?${joined}`}`
}

/** Whether the platform can make such a request at all; a stream that was sent is spent, and says nothing about that. */
const isPossible = (url: string, { body, ...init }: RequestInit): boolean => {
  try {
    return (
      new Request(
        url,
        body instanceof ReadableStream ? init : { ...init, body: body ?? null },
      ) instanceof Request
    )
  } catch {
    return false
  }
}

/** A request that is ready to be sent. */
export type Prepared = {
  readonly address: Address
  readonly request: WrittenRequest
  readonly deadline: Deadline
  readonly fail: Failures
  /** A URL without its secrets. */
  readonly show: (url: string) => string
  /** What the tolerant reading found in the response. */
  readonly warnings: Warning[]
}

export type Outcome = { readonly status: number; readonly headers: Headers }

export type Reader<Result extends Outcome> = {
  readonly read: (response: Response, prepared: Prepared) => Promise<Result>
  /** What the call throws of it. */
  readonly errorOf: (result: Result) => Error | undefined
}
