import type { HttpOperation, Server } from '../operation.js'
import { CallError } from '../shared/call-error.js'
import { type Deadline, startDeadline } from '../shared/deadline.js'
import type { Why } from '../shared/load-explanations.js'
import type { PlainResponse } from '../transport/plain-fetch.js'
import type { CallOptions, Validation } from './call.js'
import { fillPath } from './fill-path.js'
import type { HttpOptions, HttpService } from './options.js'
import { ordinaryRequest } from './ordinary-request.js'
import { ordinaryResponse } from './ordinary-response.js'
import type { AnyInput, HttpChecks, WrittenRequest } from './request.js'
import type { ReadResponse } from './response.js'
import type { Rest } from './rest.js'
import type { Transport } from './transport.js'

/**
 * One call, from input to read answer. What is ordinary is done here; for all else `careful.ts` is loaded, which goes on
 * where this has come to. Throws a CallError that holds no secret; an answer that says no is returned with its `error`.
 */
export const sendCall = async (
  context: CallContext,
  input: AnyInput = {},
  options: CallOptions = {},
): Promise<ReadResponse> => {
  const client = context.options
  const timeout = options.timeout ?? client.timeout ?? 60_000
  const now = client.clock?.now ?? client.retry?.clock?.now
  const deadline = startDeadline({ signal: options.signal, timeout, now })
  try {
    const ordinary = deadline.ended() ? undefined : ordinaryRequest(context, input, options)
    const tried = ordinary && (await attempt(context, options, ordinary, deadline))
    if (tried && 'error' in tried) return tried
    const { sendCarefully } = await loadRest(context.operation.id, deadline)
    return await sendCarefully(context, input, options, { deadline, timeout, tried })
  } finally {
    deadline.end()
  }
}

/** What calls do without as long as all is ordinary. Where it could not be loaded, the next call that needs it tries again. */
export const loadRest = async (operation: string, deadline?: Deadline): Promise<Rest> => {
  try {
    loaded ??= (await import('./rest.js')).rest
    return loaded
  } catch (cause) {
    const reason = deadline?.ended() ?? 'network'
    const message = `${operation}: failed, and what tells why cannot be loaded`
    throw new CallError({ reason, operation, message }, { cause })
  }
}

/** To ask the platform for what it has loaded takes longer than the rest of a call. */
let loaded: Rest | undefined

/** Sends a request once: the answer, where it is what was promised, or what is left to be told of. */
export const attempt = async (
  context: CallContext,
  options: CallOptions,
  { request, baseUrl }: Located,
  deadline: Deadline,
): Promise<ReadResponse | Tried> => {
  const { operation, transport } = context
  const { method, path } = operation
  const { query, body } = request
  let sent = false
  try {
    const url = `${baseUrl}${fillPath(path, request.path)}${query && `?${query}`}`
    const headers = new Headers(request.headers)
    const made = new transport.Request(url, { method, headers, body, deadline })
    sent = true
    const checks = isChecked(context, options, 'answer')
    const read = async () => ordinaryResponse(context, await transport.send(made), checks)
    const answered = await deadline.race(read())
    return 'error' in answered ? answered : { request, sent, answered }
  } catch (cause) {
    return { request, sent, cause }
  }
}

/** What one operation's calls need, client and document together. */
export type CallContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly validators: HttpChecks | undefined
  readonly why: Why | undefined
  readonly options: HttpOptions
  readonly transport: Transport
  /** What every call of the operation accepts. */
  readonly accept: string
}

/** A written request and the address, without a slash at its end, that it goes to. */
export type Located = { readonly baseUrl: string; readonly request: WrittenRequest }

/** A first attempt: what was sent, and what came of it. */
export type Tried = {
  readonly request: WrittenRequest
  readonly sent: boolean
} & ({ readonly answered: PlainResponse } | { readonly answered?: never; readonly cause: unknown })

export const serversOf = ({ operation, service }: CallContext): readonly Server[] =>
  operation.servers.length > 0 ? operation.servers : service.servers

/** Whether values are held against the documents: by what the call says, else the client, else they are. */
export const isChecked = (
  { options }: CallContext,
  { validate }: CallOptions,
  what: keyof Validation,
): boolean => validate?.[what] ?? options.validate?.[what] ?? true
