import { RpcError } from '../errors.js'
import type { Limits } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import { cached } from '../shared/cached.js'
import { isJsonRpc } from '../shared/media-type.js'
import { decodePercent } from '../shared/template.js'
import { type ServerCall, type ServerPolicy, signalOf } from './call.js'
import { limitOf, type OddToken } from './exact-json.js'
import type { Auth } from './handlers.js'
import type { RpcLife } from './life.js'
import { breakAfterLarge, parseJson } from './parse-in-parts.js'
import { DEFAULT_HEADERS } from './reply.js'
import {
  decodeText,
  type HeaderRecord,
  type Refusal,
  readBody,
  readMediaType,
  type ServerReply,
} from './request.js'
import { reportFailure, type TransportRefusal } from './rpc-error.js'
import { type Answer, errorText, type Member, type RunMember } from './rpc-member.js'

/**
 * The endpoint of JSON-RPC 2.0 over HTTP POST. An error of a call is an error object with HTTP 200. Only errors of the
 * transport (405, 413, 415, and those that `authorize` throws) have their own status, also with an error object. Notifications
 * get 204 without a body, as in the JSON-RPC over HTTP draft. With the option `jsonRpc1`, requests of JSON-RPC 1.0 get
 * responses of 1.0.
 */
export const createRpcEndpoint = (
  run: RunMember,
  limits: Limits | undefined,
  policy: ServerPolicy,
  life?: RpcLife,
): ((call: ServerCall) => Promise<ServerReply>) => {
  const most = limits?.batchSize ?? policy.batchSize
  const serve = async (call: ServerCall, auth: Auth): Promise<ServerReply> => {
    const refusal = refuseMediaType(call.headers, policy)
    if (refusal) return refuseRpc(refusal)
    const read = await readBody(call.request, call.headers, policy.payloadBytes)
    if (read.refusal) return refuseRpc(read.refusal)
    const text = decodeText(read.value)
    if (text === undefined) return replyError(PARSE_ERROR)
    const parsed = await parseJson(text, policy.mostMembers).catch(parseErrorOf)
    if ('code' in parsed) return replyError(parsed)
    await breakAfterLarge(text)
    const { value } = parsed
    if (!Array.isArray(value)) {
      const answer = await run({ value, odd: parsed.odd(), depth: 0 }, call, auth, 1)
      return reply(answer?.text, answer?.refusal, life?.([value]))
    }
    if (value.length === 0)
      return replyError({ code: -32600, message: 'Invalid request: empty batch' })
    if (value.length > most)
      return replyError({ code: -32010, message: `Batch too large: at most ${most}` })
    const answers = await runBatch(members(value, parsed.odd()), call, auth, run, policy)
    const texts: string[] = []
    for (const answer of answers) if (answer) texts.push(answer.text)
    const body = texts.length === 0 ? undefined : `[${texts.join(',')}]`
    return reply(body, sharedRefusal(answers), life?.(value))
  }
  return async (call) => {
    const auth = Object.fromEntries(
      // Every path variable is treated as a credential: the document does not declare which ones are.
      Object.entries(call.path).map(([name, text]) => [name, decodePercent(text) ?? text]),
    )
    return (policy.admit && (await admit(call, auth, policy))) ?? serve(call, auth)
  }
}

/** An error of the transport as a JSON-RPC error object. */
export const refuseRpc = ({ status, message, headers = {} }: Refusal): ServerReply =>
  replyError({ code: -32600, message }, { status, headers })

const PARSE_ERROR = { code: -32700, message: 'Parse error' }

/** geth's code for large responses. */
const TOO_MUCH = new RpcError({
  code: -32003,
  message: 'Responses of this batch are too large: send fewer calls at a time',
})

/** Characters. A smaller result is always sent, because it may be the only report of a completed action. */
const LARGE_ANSWER = 10_000

const replyError = (error: ErrorObject, refusal?: TransportRefusal): ServerReply =>
  reply(errorText('null', error), refusal)

const reply = (
  text: string | undefined,
  refusal?: TransportRefusal,
  more?: Readonly<Record<string, string>>,
): ServerReply => {
  if (text === undefined) return { status: 204, headers: { ...DEFAULT_HEADERS, ...more } }
  if (refusal)
    return {
      status: refusal.status,
      headers: { ...JSON_HEADERS, ...more, ...refusal.headers },
      body: text,
    }
  return { status: 200, headers: more ? { ...JSON_HEADERS, ...more } : JSON_HEADERS, body: text }
}

const JSON_HEADERS = { ...DEFAULT_HEADERS, 'content-type': 'application/json' }

/** The response to a request that `admit` rejects; its id is still unknown. */
const admit = async (
  call: ServerCall,
  auth: Auth,
  policy: ServerPolicy,
): Promise<ServerReply | undefined> => {
  const { headers, remoteAddress, state } = call
  try {
    await policy.admit?.({ operation: undefined, auth, headers, remoteAddress, state })
    return undefined
  } catch (error) {
    const { refusal, ...object } = reportFailure(error, call, auth, policy)
    return replyError(object, refusal)
  }
}

const refuseMediaType = (
  headers: HeaderRecord,
  { jsonRpc1 }: ServerPolicy,
): Refusal | undefined => {
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
  const limit = limitOf(error)
  return limit === undefined ? PARSE_ERROR : { code: -32700, message: `Parse error: ${limit}` }
}

/** The members with their odd tokens, assigned in one pass, because both may be many. */
const members = (batch: readonly unknown[], odd: readonly OddToken[]): readonly Member[] => {
  if (odd.length === 0) return batch.map((value) => ({ value, odd, depth: 1 }))
  const byIndex = new Map<unknown, OddToken[]>()
  for (const token of odd) {
    let link = token.path
    while (link?.parent) link = link.parent
    cached(byIndex, link?.key, () => []).push(token)
  }
  return batch.map((value, index) => ({ value, odd: byIndex.get(index) ?? [], depth: 1 }))
}

type Answers = readonly (Answer | undefined)[]

/** Runs members with limited concurrency; responses are in the order of the calls. */
const runBatch = async (
  batch: readonly Member[],
  call: ServerCall,
  auth: Auth,
  run: RunMember,
  policy: ServerPolicy,
): Promise<Answers> => {
  const answers: (Answer | undefined)[] = []
  let next = 0
  let size = 0
  /** Checked per result, because concurrent members may all be large. */
  const isTooMuch = (answer: Answer | undefined): boolean =>
    answer !== undefined &&
    answer.text.length > LARGE_ANSWER &&
    size + answer.text.length > policy.batchAnswerSize
  const worker = async (): Promise<void> => {
    while (next < batch.length && !call.signal?.aborted) {
      const index = next++
      const member = batch[index]
      if (member === undefined) return
      const refuse = () => run({ ...member, refused: TOO_MUCH }, call, auth, batch.length)
      const isFull = size > policy.batchAnswerSize
      const running = isFull ? refuse() : run(member, call, auth, batch.length)
      const tried = running instanceof Promise ? await running : running
      const answer = isTooMuch(tried) ? await refuse() : tried
      answers[index] = answer
      size += answer?.text.length ?? 0
    }
  }
  signalOf(call)
  const workers: Promise<void>[] = []
  while (next < batch.length && workers.length < policy.concurrency) workers.push(worker())
  await Promise.all(workers)
  return answers
}

/** The status of the response if `authorize` rejected all members with the same status (an unknown key, a spent quota). */
const sharedRefusal = (answers: Answers): TransportRefusal | undefined => {
  const refusal = answers.find((answer) => answer !== undefined)?.refusal
  return refusal &&
    answers.every((answer) => answer === undefined || answer.refusal?.status === refusal.status)
    ? refusal
    : undefined
}
