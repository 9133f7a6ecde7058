import { RpcError } from '../errors.js'
import type { Limits } from '../operation.js'
import type { ServerCall, ServerPolicy } from './call.js'
import { type OddToken, parseExact } from './exact-json.js'
import type { Auth } from './handlers.js'
import { DEFAULT_HEADERS } from './reply.js'
import {
  decodeText,
  type Outcome,
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

/**
 * JSON-RPC 2.0 over HTTP POST, by the letter: what a call fails by is told in an error object under HTTP 200, and only
 * the transport's own refusals (405, 413, 415, and what `authorize` says) have a status of their own, with an error object
 * all the same. Where nobody is to be answered, the reply is 204 without a body, as the JSON-RPC over HTTP draft has it.
 */
export const createRpcEndpoint =
  (run: RunMember, limits: Limits | undefined, policy: ServerPolicy): RpcEndpoint =>
  async (call) => {
    const auth = pathSecrets(call.path)
    const refused = await admit(call, auth, policy)
    if (refused) return refused
    const read = await readText(call, policy)
    if (read.refusal) return refuseRpc(read.refusal)
    const parsed = read.value === undefined ? undefined : parseOrNothing(read.value)
    if (parsed === undefined) return reply(errorText('null', PARSE_ERROR))
    const { value, odd } = parsed
    if (!Array.isArray(value)) {
      const answer = await run({ value, odd, depth: 0 }, call, auth, 1)
      return reply(answer?.text, sharedRefusal([answer]))
    }
    if (value.length === 0)
      return reply(errorText('null', { code: -32600, message: 'Invalid request: empty batch' }))
    const most = limits?.batchSize ?? Number.POSITIVE_INFINITY
    if (value.length > most)
      return reply(errorText('null', { code: -32010, message: `Batch too large: at most ${most}` }))
    const answers = await runBatch(members(value, odd), call, auth, run, policy)
    const texts = answers.flatMap((answer) => (answer ? [answer.text] : []))
    return reply(texts.length === 0 ? undefined : `[${texts.join(',')}]`, sharedRefusal(answers))
  }

type RpcEndpoint = (call: ServerCall) => Promise<ServerReply>

/** A refusal of the transport, told in JSON-RPC's words. */
export const refuseRpc = ({ status, message, headers = {} }: Refusal): ServerReply =>
  reply(errorText('null', { code: -32600, message }), { status, headers })

const PARSE_ERROR = { code: -32700, message: 'Parse error' }

/** geth's code for it. */
const TOO_MUCH = new RpcError({
  code: -32003,
  message: 'Answers of this batch are too large: ask for less at a time',
})

const MEDIA_TYPES = ['application/json', 'application/json-rpc', 'application/jsonrequest']

const reply = (
  text: string | undefined,
  { status, headers }: TransportRefusal = { status: 200, headers: {} },
): ServerReply =>
  text === undefined
    ? { status: 204, headers: DEFAULT_HEADERS }
    : {
        status,
        headers: { ...DEFAULT_HEADERS, 'content-type': 'application/json', ...headers },
        body: text,
      }

/** The reply to a request that is not let in; nobody knows its id yet. */
const admit = async (
  { headers, remoteAddress, signal, state }: ServerCall,
  auth: Auth,
  policy: ServerPolicy,
): Promise<ServerReply | undefined> => {
  try {
    await policy.admit?.({ operation: undefined, auth, headers, remoteAddress, state })
    return undefined
  } catch (error) {
    const told = tellError(error, auth)
    if (told === undefined && !signal.aborted) policy.report(error, undefined, auth, state)
    const { refusal, ...object } = told ?? { code: -32603, message: 'Internal error' }
    return reply(errorText('null', object), refusal)
  }
}

const readText = async (
  call: ServerCall,
  policy: ServerPolicy,
): Promise<Outcome<string | undefined>> => {
  if (!MEDIA_TYPES.includes(readMediaType(call.headers) ?? ''))
    return {
      refusal: {
        status: 415,
        message: 'Content-Type must be application/json',
        headers: { accept: 'application/json' },
      },
    }
  const body = await readBody(call.request, call.headers, policy.payloadBytes)
  return body.refusal ? body : { value: decodeText(body.value) }
}

const parseOrNothing = (text: string): ReturnType<typeof parseExact> | undefined => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** Every variable of the path is a credential: what is not cannot be told apart, and to keep it quiet costs nothing. */
const pathSecrets = (path: Readonly<Record<string, string>>): Auth =>
  Object.fromEntries(Object.entries(path).map(([name, raw]) => [name, decodePercent(raw) ?? raw]))

/** Each member with the odd tokens inside it, sorted out in one pass: both may be many. */
const members = (batch: readonly unknown[], odd: readonly OddToken[]): readonly Member[] => {
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

/** Runs members side by side, a bounded number at a time; answers keep the order of the calls. */
const runBatch = async (
  batch: readonly Member[],
  call: ServerCall,
  auth: Auth,
  run: RunMember,
  policy: ServerPolicy,
): Promise<readonly (Answer | undefined)[]> => {
  const answers: (Answer | undefined)[] = []
  let next = 0
  let size = 0
  const worker = async (): Promise<void> => {
    while (next < batch.length && !call.signal.aborted) {
      const index = next++
      const member = batch[index]
      if (member === undefined) return
      const isFull = size > policy.batchAnswerSize
      const tried = isFull ? { ...member, refused: TOO_MUCH } : member
      const answer = await run(tried, call, auth, batch.length)
      answers[index] = answer
      size += answer?.text.length ?? 0
    }
  }
  await Promise.all(Array.from({ length: Math.min(policy.concurrency, batch.length) }, worker))
  return answers
}

/** `authorize` refused everything that is answered with one status (an unknown key, a spent quota): then HTTP says so too. */
const sharedRefusal = (answers: readonly (Answer | undefined)[]): TransportRefusal | undefined => {
  const given = answers.filter((answer) => answer !== undefined)
  const refusal = given[0]?.refusal
  return given.every((answer) => answer.refusal?.status === refusal?.status) ? refusal : undefined
}
