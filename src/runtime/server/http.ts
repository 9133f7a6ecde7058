import { HttpError } from '../errors.js'
import type { HttpOperation, HttpValidators } from '../operation.js'
import { challenge, credentialsOf, identify } from './authenticate.js'
import { contextOf, type ServerCall, type ServerPolicy, signalOf } from './call.js'
import type { AnyHandlers, Auth, HttpContext } from './handlers.js'
import { readInputBody } from './input-body.js'
import { readCookies, readParameters, type WireParameters } from './parameters.js'
import { readQuery } from './readings.js'
import {
  checkReply,
  cleanData,
  cleanRefusal,
  describeFault,
  encodeReply,
  type LooseReply,
  moreFaults,
  shapeError,
} from './reply.js'
import {
  isStream,
  type Outcome,
  type Refusal,
  type ReplyStream,
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
  ): HttpEndpoint =>
  async (call) => {
    const wire: WireParameters = {
      path: call.path,
      query: readQuery(call.query),
      headers: call.headers,
      cookies: readCookies(call.headers),
    }
    const auth = credentialsOf(operation, wire)
    const uploads = createUploads(policy.uploads)
    const refuse = (refusal: Refusal): ServerReply =>
      refuseHttp(refusal, operation, validators, auth, policy)
    const send = (given: LooseReply, variant?: string): ServerReply => {
      const isBytes = given.body instanceof ReadableStream && operation.streams === undefined
      if (isStream(given.body) && !isBytes) {
        const report = (error: unknown): void => {
          if (!signalOf(call).aborted) policy.report(error, operation, auth, call.state)
        }
        const checks = policy.validateOutput ? validators : undefined
        return streamReply({ ...given, body: given.body }, operation, {
          validators: checks,
          report,
        })
      }
      // RFC 9110, 14.2: ranges apply only to GET. The operation of a HEAD is that of GET.
      const reply = encodeReply(
        given,
        operation,
        call.request.method === 'HEAD' ? {} : call.headers,
      )
      const fault = policy.validateOutput && checkReply(reply, operation, validators, variant)
      if (fault) throw fault
      return reply
    }
    const answer = async (): Promise<ServerReply> => {
      const { headers, remoteAddress, state } = call
      const request = { operation, auth, headers, remoteAddress, state }
      await policy.admit?.(request)
      const identity = await identify(operation, request, policy.checks)
      if (identity === undefined)
        return refuse({ status: 401, message: 'Unauthorized', headers: challenge(operation) })
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
      if (input.refusal) return refuse(input.refusal)
      const { variant, ...values } = input.value
      const context: HttpContext = Object.assign(contextOf(operation, call, auth), { identity })
      return send(await handlerOf(handler, variant)(values, context), variant)
    }
    try {
      const reply = await answer().catch((error: unknown) => {
        if (!(error instanceof HttpError && isStatus(error.status))) throw error
        const { status, message, body } = error
        const headers = ownHeaders(error.headers)
        if (body === undefined) return refuse({ status, message, headers })
        return send({ status, headers, body: cleanData(body, policy.secretsOf(auth)) })
      })
      return uploads.hasFiles() ? await releasedAfter(reply, uploads) : reply
    } catch (error) {
      await uploads.release()
      if (!signalOf(call).aborted) policy.report(error, operation, auth, call.state)
      return refuse({ status: 500, message: 'Internal error' })
    }
  }

export type HttpEndpoint = (call: ServerCall) => Promise<ServerReply>

/** The error response: from the service's `refuse`, else by the error schemas of the document. */
export const refuseHttp = (
  refusal: Refusal,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
  auth: Auth,
  policy: ServerPolicy,
): ServerReply => {
  const clean = cleanRefusal(withDeclaredStatus(refusal, operation), policy.secretsOf(auth))
  if (policy.refuse === undefined) return shapeError(clean, operation, validators)
  const { headers = {}, faults = [], ...shown } = clean
  const hasMoreFaults = (refusal.faults?.length ?? 0) > faults.length
  const shaped = policy.refuse({ ...shown, faults, hasMoreFaults, operation })
  return { ...shaped, headers: { ...headers, ...shaped.headers } }
}

/** An invalid request gets 422 if that is declared and 400 is not. */
const withDeclaredStatus = (refusal: Refusal, operation: HttpOperation | undefined): Refusal => {
  const { responses = {} } = operation ?? {}
  const isUnprocessable =
    refusal.status === 400 && Object.hasOwn(responses, '422') && !Object.hasOwn(responses, '400')
  return isUnprocessable ? { ...refusal, status: 422 } : refusal
}

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

type Input = {
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
  return async (input, context) => (chosen as (...given: unknown[]) => LooseReply)(input, context)
}

/** Removes the headers that describe the body of another server, for an error that was received from it. */
const ownHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !/^(content-|transfer-encoding|connection|set-cookie)/.test(name),
    ),
  )

type Received = {
  readonly call: ServerCall
  readonly policy: ServerPolicy
  readonly uploads: Uploads
}

const readInput = async (
  operation: HttpOperation,
  validators: HttpValidators,
  received: Received,
  wire: WireParameters,
): Promise<Outcome<Input>> => {
  const { values, faults } = readParameters(operation, validators.parameters ?? {}, wire)
  // The response does not reveal whether a key is unknown or malformed.
  if (faults.some((fault) => fault.parameter?.secret))
    return { refusal: { status: 401, message: 'Unauthorized' } }
  const body = await readInputBody(operation, validators, received)
  if (body.refusal && body.refusal.status !== 400) return body
  const all = [...faults, ...(body.refusal?.faults ?? [])]
  const [first] = all
  if (first)
    return {
      refusal: {
        ...body.refusal,
        status: 400,
        message: describeFault(first) + moreFaults(all),
        faults: all,
      },
    }
  return body.refusal ? body : { value: { ...values, ...body.value } }
}
