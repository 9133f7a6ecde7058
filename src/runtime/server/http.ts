import { HttpError } from '../errors.js'
import type { HttpOperation, HttpValidators, Parameter } from '../operation.js'
import { pointerOf } from '../shared/pointer.js'
import type { Fault } from '../validate.js'
import { readCookies, readParameters, type WireParameters } from '../wire/parameters.js'
import { readQuery } from '../wire/readings.js'
import { hasStream } from '../wire/status.js'
import { challenge, identify, requestCredentials } from './authenticate.js'
import { callSignal, handlerContext, type ServerCall, type ServerPolicy } from './call.js'
import type { AnyHandlers, HttpContext, RequestAuth } from './handlers.js'
import { type ReceivedBody, readInputBody } from './input-body.js'
import {
  checkReply,
  cleanData,
  cleanRejection,
  describeFault,
  encodeReply,
  invalidStatus,
  type LooseReply,
  moreFaults,
  shapeError,
} from './reply.js'
import {
  isStream,
  type ReadResult,
  type ReplyStream,
  type RequestRejection,
  type ServerReply,
} from './request.js'
import { streamReply } from './stream.js'
import { createUploads, type Uploads } from './uploads.js'

/**
 * The endpoint of one HTTP operation: checks credentials, calls `authorize`, reads parameters and body, in this order, then
 * calls its handler.
 */
export const createHttpEndpoint =
  (
    operation: HttpOperation,
    validators: HttpValidators,
    handler: AnyHandlers[string] | undefined,
    policy: ServerPolicy,
  ): EndpointFunction =>
  async (call) => {
    const wire: WireParameters = {
      path: call.path,
      query: readQuery(call.query),
      headers: call.headers,
      cookies: readCookies(call.headers),
    }
    const auth = requestCredentials(operation, wire)
    const uploads = createUploads(policy.uploads)
    const reject = (rejection: RequestRejection): ServerReply =>
      rejectHttp(rejection, operation, validators, auth, policy)
    const send = (answered: LooseReply, variant?: string): ServerReply => {
      const isBytes = answered.body instanceof ReadableStream && !hasStream(operation.responses)
      if (isStream(answered.body) && !isBytes) {
        const report = (error: unknown): void => {
          if (!callSignal(call).aborted) policy.report(error, operation, auth, call.state)
        }
        const checks = policy.validateOutput ? validators : undefined
        return streamReply({ ...answered, body: answered.body }, operation, {
          validators: checks,
          report,
        })
      }
      // RFC 9110, 14.2: ranges apply only to GET. The operation of a HEAD is that of GET.
      const reply = encodeReply(
        answered,
        operation,
        policy.codecs,
        call.request.method === 'HEAD' ? {} : call.headers,
      )
      const fault =
        policy.validateOutput && checkReply(reply, operation, validators, variant, policy.codecs)
      if (fault) throw fault
      return reply
    }
    const answer = async (): Promise<ServerReply> => {
      const { headers, remoteAddress, state } = call
      const request = { operation, auth, headers, remoteAddress, state }
      await policy.admit?.(request)
      const identity = await identify(operation, request, policy.checks)
      if (identity === undefined)
        return reject({ status: 401, message: 'Unauthorized', headers: challenge(operation) })
      await policy.authorize?.({
        operation,
        method: operation.id,
        auth,
        headers,
        remoteAddress,
        state,
        members: 1,
      })
      const input = await readInput(operation, validators, { call, policy, uploads }, wire)
      if (input.rejection) return reject(input.rejection)
      const { variant, ...values } = input.value
      const context: HttpContext = Object.assign(handlerContext(operation, call, auth), {
        identity,
      })
      return send(await handlerOf(handler, variant)(values, context), variant)
    }
    try {
      const reply = await answer().catch((error: unknown) => {
        if (!(error instanceof HttpError && isStatus(error.status))) throw error
        const { status, message, body } = error
        const headers = ownHeaders(error.headers)
        if (body === undefined) return reject({ status, message, headers })
        return send({ status, headers, body: cleanData(body, policy.secretsOf(auth)) })
      })
      return uploads.hasFiles() ? await releasedAfter(reply, uploads) : reply
    } catch (error) {
      await uploads.release()
      if (!callSignal(call).aborted) policy.report(error, operation, auth, call.state)
      return reject({ status: 500, message: 'Internal error' })
    }
  }

export type EndpointFunction = (call: ServerCall) => Promise<ServerReply>

/** The error response: from the service's `formatError`, else by the error schemas of the document. */
export const rejectHttp = (
  rejection: RequestRejection,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
  auth: RequestAuth,
  policy: ServerPolicy,
): ServerReply => {
  const clean = cleanRejection(withDeclaredStatus(rejection, operation), policy.secretsOf(auth))
  if (policy.formatError === undefined) return shapeError(clean, operation, validators, policy)
  const { headers = {}, faults = [], ...shown } = clean
  const hasMoreFaults = (rejection.faults?.length ?? 0) > faults.length
  const shaped = policy.formatError({ ...shown, faults, hasMoreFaults, operation })
  return { ...shaped, headers: { ...headers, ...shaped.headers } }
}

const withDeclaredStatus = (
  rejection: RequestRejection,
  operation: HttpOperation | undefined,
): RequestRejection =>
  rejection.status === 400 && operation
    ? { ...rejection, status: invalidStatus(operation.responses) }
    : rejection

/** The response; the files of its request are removed when it has been sent. */
const releasedAfter = async (reply: ServerReply, uploads: Uploads): Promise<ServerReply> => {
  if (isStream(reply.body)) return { ...reply, body: endedBy(reply.body, uploads.release) }
  await uploads.release()
  return reply
}

/** The same stream; `end` is called when it has ended or failed, or its reader has cancelled it. */
const endedBy = (stream: ReplyStream, end: () => Promise<void>): ReplyStream => ({
  [Symbol.asyncIterator]() {
    const iterator = stream[Symbol.asyncIterator]()
    return {
      next: async () => {
        const step = await iterator.next().catch(async (error: unknown) => {
          await end()
          throw error
        })
        if (step.done) await end()
        return step
      },
      return: async () => {
        try {
          await iterator.return?.()
        } finally {
          await end()
        }
        return { done: true, value: undefined }
      },
    }
  },
})

export type Input = {
  readonly path: unknown
  readonly query: unknown
  readonly header: unknown
  readonly cookie: unknown
  readonly body: unknown
  readonly variant: string | undefined
}

const isStatus = (status: number): boolean =>
  Number.isInteger(status) && status >= 200 && status <= 599

/** The types of the generated `Handlers` guarantee this cast; code without types gets a TypeError. */
const handlerOf = (
  handler: AnyHandlers[string] | undefined,
  variant: string | undefined,
): ((input: unknown, context: HttpContext) => Promise<LooseReply>) => {
  const chosen = typeof handler === 'object' && variant !== undefined ? handler[variant] : handler
  return async (input, context) =>
    (chosen as (...answered: unknown[]) => LooseReply)(input, context)
}

/** Removes the headers that describe the body of another server, for an error that was received from it. */
const ownHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !/^(content-|transfer-encoding|connection|set-cookie)/.test(name),
    ),
  )

type Received = ReceivedBody & {
  /** The URL of a webhook is the subscriber's, so that its query may have other parameters. */
  readonly undeclaredQuery?: 'ignored'
}

type Values = Readonly<Record<Parameter['in'], Readonly<Record<string, unknown>>>>

/** The parameters by location and name, and their faults, with pointers such as `/query/limit`. */
const readInputParameters = (
  operation: HttpOperation,
  { parameters: validators = {} }: HttpValidators,
  wire: WireParameters,
  { tolerance, undeclaredQuery }: Received,
): { readonly values: Values; readonly faults: readonly Fault[]; readonly isSecret: boolean } => {
  const values: Record<Parameter['in'], Record<string, unknown>> = {
    path: {},
    query: {},
    header: {},
    cookie: {},
  }
  const faults: Fault[] = []
  let isSecret = false
  const read = readParameters(
    operation,
    (parameter) => {
      const own = validators[`${parameter.in}.${parameter.name}`]
      return own && tolerance ? tolerance.relax(own) : own
    },
    wire,
  )
  for (const reading of read.parameters) {
    const { name, in: place, secret } = reading.parameter
    if (reading.kind === 'value') put(values[place], name, reading.value)
    else {
      isSecret ||= secret === true
      for (const fault of reading.faults)
        faults.push({ ...fault, pointer: pointerOf(place, name) + fault.pointer })
    }
  }
  for (const name of undeclaredQuery === 'ignored' ? [] : read.undeclared)
    faults.push({
      pointer: pointerOf('query', name),
      keyword: 'additionalProperties',
      message: 'is not a parameter of this operation',
    })
  return { values, faults, isSecret }
}

/** A parameter may be called `__proto__`. */
const put = (values: Record<string, unknown>, name: string, value: unknown): void => {
  if (name !== '__proto__') values[name] = value
  else
    Object.defineProperty(values, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}

/** Reads and validates the parameters and the body of a request; returns them, or the rejection. */
export const readInput = async (
  operation: HttpOperation,
  validators: HttpValidators,
  received: Received,
  wire: WireParameters,
): Promise<ReadResult<Input>> => {
  const { values, faults, isSecret } = readInputParameters(operation, validators, wire, received)
  // The response does not reveal whether a key is unknown or malformed.
  if (isSecret) return { rejection: { status: 401, message: 'Unauthorized' } }
  const body = await readInputBody(operation, validators, received)
  if (body.rejection && body.rejection.status !== 400) return body
  const all = [...faults, ...(body.rejection?.faults ?? [])]
  const [first] = all
  if (first)
    return {
      rejection: {
        ...body.rejection,
        status: 400,
        message: describeFault(first) + moreFaults(all),
        faults: all,
      },
    }
  return body.rejection ? body : { value: { ...values, ...body.value } }
}
