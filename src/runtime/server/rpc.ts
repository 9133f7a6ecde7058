import { RpcError } from '../errors.js'
import type { Limits } from '../operation.js'
import { breakAfterLarge } from './break-after-large.js'
import { type ServerCall, type ServerPolicy, signalOf } from './call.js'
import { type ExactJson, limitOf, type OddToken, parseExact } from './exact-json.js'
import type { Auth } from './handlers.js'
import { MOST_AT_ONCE, parseInParts } from './parse-in-parts.js'
import { DEFAULT_HEADERS } from './reply.js'
import {
  decodeText,
  type HeaderRecord,
  type Refusal,
  readBody,
  readMediaType,
  type ServerReply,
} from './request.js'
import { decodePercent } from './routes.js'
import {
  type Answer,
  errorText,
  type Member,
  type RunMember,
  type TransportRefusal,
  tellError,
} from './rpc-member.js'
import { whenReady } from './when-ready.js'

/**
 * JSON-RPC 2.0 over HTTP POST, by the letter: what a call fails by is reported in an error object under HTTP 200, and only
 * the transport's own refusals (405, 413, 415, and what `authorize` says) have a status of their own, with an error object
 * all the same. Where nobody is to be answered, the reply is 204 without a body, as the JSON-RPC over HTTP draft has it.
 */
export const createRpcEndpoint = (
  run: RunMember,
  limits: Limits | undefined,
  policy: ServerPolicy,
): RpcEndpoint => {
  const most = limits?.batchSize ?? Number.POSITIVE_INFINITY
  const answer = (text: string, call: ServerCall, auth: Auth): Reply =>
    whenReady(parse(text, policy.mostMembers), (parsed) => {
      if ('error' in parsed) return reply(errorText('null', parsed.error))
      const pause = breakAfterLarge(text)
      return pause ? pause.then(() => runAll(parsed, call, auth)) : runAll(parsed, call, auth)
    })
  const runAll = (parsed: ExactJson, call: ServerCall, auth: Auth): Reply => {
    const { value } = parsed
    if (!Array.isArray(value))
      return whenReady(run({ value, odd: parsed.odd, depth: 0 }, call, auth, 1), replyToOne)
    if (value.length === 0)
      return reply(errorText('null', { code: -32600, message: 'Invalid request: empty batch' }))
    if (value.length > most)
      return reply(errorText('null', { code: -32010, message: `Batch too large: at most ${most}` }))
    // Made for all members at once: an accessor in the context of each would cost more.
    signalOf(call)
    return whenReady(runBatch(members(value, parsed.odd), call, auth, run, policy), replyToAll)
  }
  const serve = (call: ServerCall, auth: Auth): Reply => {
    const refusal = refuseMediaType(call.headers)
    if (refusal) return refuseRpc(refusal)
    return whenReady(readBody(call.request, call.headers, policy.payloadBytes), (read) => {
      if (read.refusal) return refuseRpc(read.refusal)
      const text = decodeText(read.value)
      return text === undefined ? reply(errorText('null', PARSE_ERROR)) : answer(text, call, auth)
    })
  }
  if (policy.admit === undefined) return (call) => serve(call, pathSecrets(call.path))
  return async (call) => {
    const auth = pathSecrets(call.path)
    return (await admit(call, auth, policy)) ?? serve(call, auth)
  }
}

type RpcEndpoint = (call: ServerCall) => Reply

type Reply = ServerReply | Promise<ServerReply>

/** A refusal of the transport, in JSON-RPC's words. */
export const refuseRpc = ({ status, message, headers = {} }: Refusal): ServerReply =>
  reply(errorText('null', { code: -32600, message }), { status, headers })

const PARSE_ERROR = { code: -32700, message: 'Parse error' }

/** geth's code for it. */
const TOO_MUCH = new RpcError({
  code: -32003,
  message: 'Answers of this batch are too large: ask for less at a time',
})

/** Characters. A smaller answer is always kept: it may be the only word of something that was done. */
const LARGE_ANSWER = 10_000

const MEDIA_TYPES = ['application/json', 'application/json-rpc', 'application/jsonrequest']

const reply = (text: string | undefined, refusal?: TransportRefusal): ServerReply => {
  if (text === undefined) return { status: 204, headers: DEFAULT_HEADERS }
  return refusal
    ? { status: refusal.status, headers: { ...JSON_HEADERS, ...refusal.headers }, body: text }
    : { status: 200, headers: JSON_HEADERS, body: text }
}

const JSON_HEADERS = { ...DEFAULT_HEADERS, 'content-type': 'application/json' }

const replyToOne = (answer: Answer | undefined): ServerReply => reply(answer?.text, answer?.refusal)

const replyToAll = (answers: Answers): ServerReply => {
  const texts: string[] = []
  for (const answer of answers) if (answer) texts.push(answer.text)
  return reply(texts.length === 0 ? undefined : `[${texts.join(',')}]`, sharedRefusal(answers))
}

/** The reply to a request that is not let in; nobody knows its id yet. */
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
    const shown = tellError(error, policy.secretsOf(auth))
    if (shown === undefined && !signalOf(call).aborted) policy.report(error, undefined, auth, state)
    const { refusal, ...object } = shown ?? { code: -32603, message: 'Internal error' }
    return reply(errorText('null', object), refusal)
  }
}

const refuseMediaType = (headers: HeaderRecord): Refusal | undefined =>
  MEDIA_TYPES.includes(readMediaType(headers) ?? '')
    ? undefined
    : {
        status: 415,
        message: 'Content-Type must be application/json',
        headers: { accept: 'application/json' },
      }

const parse = (text: string, mostMembers: number): Parsed | Promise<Parsed> => {
  if (text.length > MOST_AT_ONCE) return parseInParts(text, mostMembers).catch(parseErrorOf)
  try {
    return parseExact(text, mostMembers)
  } catch (error) {
    return parseErrorOf(error)
  }
}

type Parsed = ExactJson | { readonly error: typeof PARSE_ERROR }

const parseErrorOf = (error: unknown): Parsed => {
  const limit = limitOf(error)
  return {
    error: limit === undefined ? PARSE_ERROR : { code: -32700, message: `Parse error: ${limit}` },
  }
}

/** Every variable of the path is a credential: what is not cannot be distinguished, and to keep it quiet costs nothing. */
const pathSecrets = (path: Readonly<Record<string, string>>): Auth => {
  for (const name in path) if (path[name]?.includes('%')) return decodeValues(path)
  return path
}

const decodeValues = (path: Readonly<Record<string, string>>): Auth =>
  Object.fromEntries(
    Object.entries(path).map(([name, text]) => [name, decodePercent(text) ?? text]),
  )

/** Each member with the odd tokens inside it, sorted out in one pass: both may be many. */
const members = (batch: readonly unknown[], odd: readonly OddToken[]): readonly Member[] => {
  if (odd.length === 0) return batch.map((value) => ({ value, odd, depth: 1 }))
  const byIndex = new Map<unknown, OddToken[]>()
  for (const token of odd) {
    let link = token.path
    while (link?.parent) link = link.parent
    const own = byIndex.get(link?.key)
    if (own) own.push(token)
    else byIndex.set(link?.key, [token])
  }
  return batch.map((value, index) => ({ value, odd: byIndex.get(index) ?? [], depth: 1 }))
}

type Answers = readonly (Answer | undefined)[]

/** Runs members side by side, a bounded number at a time; answers keep the order of the calls. */
const runBatch = (
  batch: readonly Member[],
  call: ServerCall,
  auth: Auth,
  run: RunMember,
  policy: ServerPolicy,
): Answers | Promise<Answers> => {
  const answers: (Answer | undefined)[] = []
  let next = 0
  let size = 0
  const keep = (index: number, answer: Answer | undefined): void => {
    answers[index] = answer
    size += answer?.text.length ?? 0
  }
  /** Members that ran side by side may all be large. What passes the bound is not kept until the last of them is done. */
  const isTooMuch = (answer: Answer | undefined): boolean =>
    answer !== undefined &&
    answer.text.length > LARGE_ANSWER &&
    size + answer.text.length > policy.batchAnswerSize
  /** Undefined where no member had to be waited for. */
  const worker = (): Promise<void> | undefined => {
    while (next < batch.length) {
      const index = next++
      const member = batch[index]
      if (member === undefined) return undefined
      const isFull = size > policy.batchAnswerSize
      const tried = isFull ? { ...member, refused: TOO_MUCH } : member
      const answer = run(tried, call, auth, batch.length)
      if (answer instanceof Promise)
        return answer.then(async (waited) => {
          const kept = isTooMuch(waited)
            ? await run({ ...member, refused: TOO_MUCH }, call, auth, batch.length)
            : waited
          keep(index, kept)
          return signalOf(call).aborted ? undefined : worker()
        })
      keep(index, answer)
    }
    return undefined
  }
  const workers: Promise<void>[] = []
  for (let lane = 0; lane < policy.concurrency && next < batch.length; lane += 1) {
    const working = worker()
    if (working) workers.push(working)
  }
  return workers.length === 0 ? answers : Promise.all(workers).then(() => answers)
}

/** `authorize` refused everything that is answered with one status (an unknown key, a spent quota): then HTTP says so too. */
const sharedRefusal = (answers: Answers): TransportRefusal | undefined => {
  const refusal = answers.find((answer) => answer !== undefined)?.refusal
  return refusal &&
    answers.every((answer) => answer === undefined || answer.refusal?.status === refusal.status)
    ? refusal
    : undefined
}
