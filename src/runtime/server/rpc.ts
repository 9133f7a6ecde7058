import { RpcError } from '../errors.js'
import type { Limits } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import { createMarkedReader } from '../shared/bigints.js'
import { cached } from '../shared/cached.js'
import { memberLimit, type OddToken } from '../shared/exact-json.js'
import { isJsonRpc } from '../shared/media-type.js'
import { decodePercent } from '../shared/template.js'
import { isObject } from '../validate/json-value.js'
import type { HeaderRecord } from '../wire/headers.js'
import { decodeText } from '../wire/text.js'
import { callSignal, type ServerCall, type ServerPolicy } from './call.js'
import type { RequestAuth } from './handlers.js'
import type { RpcLife } from './life.js'
import { breakAfterLarge, parseLargeJson } from './parse-in-parts.js'
import { DEFAULT_HEADERS } from './reply.js'
import { type RequestRejection, readBody, readMediaType, type ServerReply } from './request.js'
import { reportFailure, type TransportRejection } from './rpc-error.js'
import {
  type BatchMember,
  DISCOVER,
  errorText,
  idOfCall,
  type MemberReply,
  type RunMember,
  statusRejection,
} from './rpc-member.js'

/**
 * The endpoint of JSON-RPC 2.0 over HTTP POST. An error of a call is an error object with HTTP 200. Only errors of the
 * transport (405, 413, 415, and those that `authorize` throws) have their own status, also with an error object. Notifications
 * get 204 without a body, as in the JSON-RPC over HTTP draft; 202 with `exchanges`, which send messages to the caller. With the option `jsonRpc1`, requests of JSON-RPC 1.0 get
 * responses of 1.0.
 */
export const createRpcEndpoint = (
  answer: ReturnType<typeof createRpcAnswer>,
  policy: ServerPolicy,
  life?: RpcLife,
  findExchanges?: () => Promise<Exchanges>,
): ((call: ServerCall) => Promise<ServerReply>) => {
  const serve = async (call: ServerCall, auth: RequestAuth): Promise<ServerReply> => {
    const rejection = rejectMediaType(call.headers, policy)
    if (rejection) return rejectRpc(rejection)
    const read = await readBody(call.request, call.headers, policy.payloadBytes)
    if (read.rejection) return rejectRpc(read.rejection)
    const text = decodeText(read.value)
    if (text === undefined) return replyError(PARSE_ERROR)
    const respond = ({ text, rejection, calls }: RpcAnswer): ServerReply =>
      reply(text, rejection, calls && life?.(calls))
    const exchanges = await findExchanges?.()
    return exchanges
      ? exchanges.post(text, call, auth, answer, respond)
      : respond(await answer(text, call, auth))
  }
  return admitting(policy, serve)
}

/** An endpoint for the path of JSON-RPC, behind `admit`. */
export const admitting =
  (
    policy: ServerPolicy,
    serve: (call: ServerCall, auth: RequestAuth) => Promise<ServerReply>,
  ): ((call: ServerCall) => Promise<ServerReply>) =>
  async (call) => {
    const auth = endpointCredentials(call)
    return (policy.admit && (await admit(call, auth, policy))) ?? serve(call, auth)
  }

/** The credentials in the path of the endpoint. */
export const endpointCredentials = ({ path }: Pick<ServerCall, 'path'>): RequestAuth =>
  Object.fromEntries(
    // Every path variable is treated as a credential: the document does not declare which ones are.
    Object.entries(path).map(([name, text]) => [name, decodePercent(text) ?? text]),
  )

/** The response to one text, without `text` if there is none. Errors are error objects with the status of their transport. */
export type RpcAnswer = {
  readonly text?: string | undefined
  readonly rejection?: TransportRejection | undefined
  /** The calls of the text, if they were run. */
  readonly calls?: readonly unknown[]
}

/** The requests of JSON-RPC over HTTP in both directions. */
export type Exchanges = {
  readonly post: (
    text: string,
    call: ServerCall,
    auth: RequestAuth,
    /** Runs the calls of the text. */
    answer: (text: string, call: ServerCall, auth: RequestAuth) => Promise<RpcAnswer>,
    /** Writes a response without an event stream. */
    respond: (answered: RpcAnswer) => ServerReply,
  ) => Promise<ServerReply>
  /** The event stream of a session. */
  readonly get: (call: ServerCall, auth: RequestAuth) => ServerReply
  /** Ends a session. */
  readonly end: (call: ServerCall, auth: RequestAuth) => ServerReply
}

/** Creates the function that runs the call or the batch in a text, whatever carries it. */
export const createRpcAnswer = (
  run: RunMember,
  limits: Limits | undefined,
  policy: ServerPolicy,
): ((text: string, call: ServerCall, auth: RequestAuth) => Promise<RpcAnswer>) => {
  const most = limits?.batchSize ?? policy.batchSize
  return async (text, call, auth) => {
    const parsed = await parseLargeJson(text, policy.mostMembers).catch(parseErrorOf)
    if ('code' in parsed) return answerError(parsed, policy)
    await breakAfterLarge(text)
    const { value } = parsed
    const marked = createMarkedReader(text)
    if (!Array.isArray(value)) {
      const answer = await run(
        { value, odd: parsed.odd(), depth: 0, marked, index: 0 },
        call,
        auth,
        1,
      )
      return { ...answer, calls: [value] }
    }
    if (value.length === 0)
      return answerError({ code: -32600, message: 'Invalid request: empty batch' }, policy)
    if (value.length > most) {
      // Only calls have ids. The long numbers of others, which may be many, are not looked for.
      const calls = value.some(isObject) ? members(value, parsed.odd(), marked) : []
      const error = { code: -32010, message: `Batch too large: at most ${most}` }
      return rejectBatch(calls, error, policy)
    }
    const batch = members(value, parsed.odd(), marked)
    const answers = await runBatch(batch, call, auth, run, policy)
    const texts: string[] = []
    for (const answer of answers) if (answer) texts.push(answer.text)
    const joined = texts.length === 0 ? undefined : `[${texts.join(',')}]`
    return { text: joined, rejection: sharedRejection(answers), calls: value }
  }
}

const answerError = (error: ErrorObject, policy: ServerPolicy): RpcAnswer => ({
  text: errorText('null', error),
  rejection: statusRejection(error, policy),
})

/**
 * The same error for each call of a batch that is not run, because clients match responses by id. One error without an id if no
 * member has one, or so many have one that no client waits for them.
 */
const rejectBatch = (
  batch: readonly BatchMember[],
  error: ErrorObject,
  policy: ServerPolicy,
): RpcAnswer => {
  const ids = batch.flatMap((member) => idOfCall(member) ?? [])
  return ids.length === 0 || ids.length > MOST_REJECTED
    ? answerError(error, policy)
    : { text: `[${ids.map((id) => errorText(id, error)).join(',')}]` }
}

/** It bounds the response to a small request. */
const MOST_REJECTED = 1_000

/** An error of the transport as a JSON-RPC error object. */
export const rejectRpc = ({ status, message, headers = {} }: RequestRejection): ServerReply =>
  replyError({ code: -32600, message }, { status, headers })

const PARSE_ERROR = { code: -32700, message: 'Parse error' }

/** Whether a member requests the whole document, which a batch must not multiply: it is sent once. */
const isDiscovery = (value: unknown): boolean => isObject(value) && value.method === DISCOVER

/** geth's code for large responses. */
const TOO_MUCH = new RpcError({
  code: -32003,
  message: 'Responses of this batch are too large: send fewer calls at a time',
})

/** Characters. A smaller result is always sent, because it may be the only report of a completed action. */
const LARGE_ANSWER = 10_000

const replyError = (error: ErrorObject, rejection?: TransportRejection): ServerReply =>
  reply(errorText('null', error), rejection)

const reply = (
  text: string | undefined,
  rejection?: TransportRejection,
  more?: Readonly<Record<string, string>>,
): ServerReply => {
  if (text === undefined) return { status: 204, headers: { ...DEFAULT_HEADERS, ...more } }
  if (rejection)
    return {
      status: rejection.status,
      headers: { ...JSON_HEADERS, ...more, ...rejection.headers },
      body: text,
    }
  return { status: 200, headers: more ? { ...JSON_HEADERS, ...more } : JSON_HEADERS, body: text }
}

const JSON_HEADERS = { ...DEFAULT_HEADERS, 'content-type': 'application/json' }

/** The response to a request that `admit` rejects; its id is still unknown. */
export const admit = async (
  call: ServerCall,
  auth: RequestAuth,
  policy: ServerPolicy,
): Promise<ServerReply | undefined> => {
  const { headers, remoteAddress, state } = call
  try {
    await policy.admit?.({ operation: undefined, auth, headers, remoteAddress, state })
    return undefined
  } catch (error) {
    const { rejection, ...object } = reportFailure(error, call, auth, policy)
    return replyError(object, rejection)
  }
}

const rejectMediaType = (
  headers: HeaderRecord,
  { jsonRpc1 }: ServerPolicy,
): RequestRejection | undefined => {
  const sent = readMediaType(headers) ?? ''
  return isJsonRpc(sent) || (jsonRpc1 && sent === 'text/plain')
    ? undefined
    : {
        status: 415,
        message: 'Content-Type must be application/json',
        headers: { accept: 'application/json' },
      }
}

const parseErrorOf = (error: unknown): ErrorObject => {
  const limit = memberLimit(error)
  return limit === undefined ? PARSE_ERROR : { code: -32700, message: `Parse error: ${limit}` }
}

/** The members with their odd tokens, assigned in one pass, because both may be many. */
const members = (
  batch: readonly unknown[],
  odd: readonly OddToken[],
  marked: BatchMember['marked'],
): readonly BatchMember[] => {
  if (odd.length === 0)
    return batch.map((value, index) => ({ value, odd, depth: 1, marked, index }))
  const byIndex = new Map<unknown, OddToken[]>()
  for (const token of odd) {
    let link = token.path
    while (link?.parent) link = link.parent
    cached(byIndex, link?.key, () => []).push(token)
  }
  return batch.map((value, index) => {
    return { value, odd: byIndex.get(index) ?? [], depth: 1, marked, index }
  })
}

type Answers = readonly (MemberReply | undefined)[]

/** Runs members with limited concurrency; responses are in the order of the calls. */
const runBatch = async (
  batch: readonly BatchMember[],
  call: ServerCall,
  auth: RequestAuth,
  run: RunMember,
  policy: ServerPolicy,
): Promise<Answers> => {
  const answers: (MemberReply | undefined)[] = []
  let next = 0
  let size = 0
  let hasDocument = false
  /** Checked per result, because concurrent members may all be large. */
  const isTooMuch = (answer: MemberReply | undefined, { value }: BatchMember): boolean => {
    if (answer === undefined || answer.text.length <= LARGE_ANSWER) return false
    if (size + answer.text.length > policy.batchAnswerSize) return true
    if (!isDiscovery(value)) return false
    const isRepeated = hasDocument
    hasDocument = true
    return isRepeated
  }
  const worker = async (): Promise<void> => {
    while (next < batch.length && !call.signal?.aborted) {
      const index = next++
      const member = batch[index]
      if (member === undefined) return
      const reject = () => run({ ...member, rejected: TOO_MUCH }, call, auth, batch.length)
      const isFull = size > policy.batchAnswerSize
      const running = isFull ? reject() : run(member, call, auth, batch.length)
      const tried = running instanceof Promise ? await running : running
      const answer = isTooMuch(tried, member) ? await reject() : tried
      answers[index] = answer
      size += answer?.text.length ?? 0
    }
  }
  callSignal(call)
  const workers: Promise<void>[] = []
  while (next < batch.length && workers.length < policy.concurrency) workers.push(worker())
  await Promise.all(workers)
  return answers
}

/** The status of the response if `authorize` rejected all members with the same status (an unknown key, a spent quota). */
const sharedRejection = (answers: Answers): TransportRejection | undefined => {
  const rejection = answers.find((answer) => answer !== undefined)?.rejection
  return rejection &&
    answers.every((answer) => answer === undefined || answer.rejection?.status === rejection.status)
    ? rejection
    : undefined
}
