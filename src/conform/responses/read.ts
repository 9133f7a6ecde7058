import type { Api, HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import type { MediaType } from '../../model/http-content.js'
import type { Limits } from '../../runtime/operation.js'
import {
  type ImportedCodec,
  isImported,
  requestCodec,
  responseCodec,
  sentCodec,
} from '../../runtime/shared/codecs.js'
import { declaredContent } from '../../runtime/wire/content.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { decodeContent } from '../../runtime/wire/read-body.js'
import { declaredResponse } from '../../runtime/wire/status.js'
import {
  cutOffWords,
  itemsOf,
  membersOf,
  type Parsed,
  textsOf,
  tryParseJson,
} from '../../text/json-text.js'
import {
  contentTypeOf,
  type Exchange,
  type ReceivedResponse,
  type Sent,
  sentText,
  textOf,
} from '../../traffic/exchange.js'
import { type PathTexts, routeOf } from '../../traffic/route.js'
import { quoted } from '../report/shown.js'
import type { Target } from '../target.js'
import { decodedBytes } from '../wire/exchange.js'
import { type RpcOutcome, rpcOutcome } from './rpc-outcome.js'

/** The parts of a request, parsed from its address and text only, because recorded traffic has nothing else. */
export type ParsedRequest =
  | { readonly kind: 'rpc'; readonly request: RpcRequest }
  | {
      readonly kind: 'http'
      readonly operation: HttpOperation
      readonly path: PathTexts
      readonly body: Parsed | undefined
    }
  /** A request that no document declares. */
  | { readonly kind: 'other' }

export type RpcRequest =
  | { readonly kind: 'broken' }
  | { readonly kind: 'single'; readonly member: RpcMember }
  | { readonly kind: 'batch'; readonly members: readonly RpcMember[] }

export type RpcMember = {
  readonly value: unknown
  /** The texts of its id as sent; several if the name is repeated. */
  readonly ids: readonly string[]
  /** Whether it is a call or a notification by JSON-RPC 2.0, section 4, with any method. */
  readonly isRequest: boolean
  /** Undefined if it is no valid request (JSON-RPC 2.0, 4), or the method is not documented. */
  readonly operation: RpcOperation | undefined
  readonly isNotification: boolean
}

/** The message for a body that is not JSON, with its end if that is missing. */
export const notJsonWords = (text: string): string =>
  `the body is not valid JSON: ${quoted(text)}${cutOffWords(text)}`

/** The value of a response in JSON or in a codec that is not built in; undefined for other bodies. */
export const valueIn = (answer: Pick<ReceivedResponse, 'body' | 'value'> | undefined): unknown =>
  answer && (answer.value ?? tryParseJson(textOf(answer.body)))?.value

/** The exchange with the value of its response, if that is in one of the codecs. */
export const withValue = (api: Api, target: Target, exchange: Exchange): Exchange => {
  const { sent, answer } = exchange
  const codec = answer && importedCodec(api, target, sent, answer)
  if (answer === undefined || codec === undefined) return exchange
  const value = decodeContent({ raw: answer.body }, codec, target.codecs)
  return value ? { ...exchange, answer: { ...answer, value } } : exchange
}

/** The declared content of a response, by its status and its Content-Type. */
export const receivedMedia = (
  { responses }: Pick<HttpOperation, 'responses'>,
  answer: Pick<ReceivedResponse, 'status' | 'headers'>,
): MediaType | undefined =>
  declaredContent(declaredResponse(responses, answer.status)?.content ?? [], contentTypeOf(answer))

/** The codec of a response body, by the document and the Content-Type, if that codec is not built in. */
export const importedCodec = (
  api: Api,
  target: Target,
  sent: Sent,
  answer: Pick<ReceivedResponse, 'status' | 'headers'>,
): ImportedCodec | undefined => {
  const operation = routeOf(api, target, sent)?.operation
  if (operation === undefined || operation === 'rpc') return undefined
  const codec = sentCodec(
    receivedMedia(operation, answer),
    contentTypeOf(answer) ?? '',
    responseCodec,
  )
  return isImported(codec) ? codec : undefined
}

/** What a response to one JSON-RPC call says. */
export const rpcOutcomeOf = (
  answer: Pick<ReceivedResponse, 'body' | 'value'> | undefined,
): RpcOutcome => rpcOutcome(valueIn(answer))

/** The error of a response to one JSON-RPC call; undefined if it has no integer code. */
export const errorOf = (
  answer: Pick<ReceivedResponse, 'body' | 'value'> | undefined,
): RpcErrorBody | undefined => {
  const outcome = rpcOutcomeOf(answer)
  return outcome.kind === 'error' ? outcome : undefined
}

export type RpcErrorBody = { readonly code: number; readonly message: string }

/** Parses a request by its address and text. */
export const readExchange = (
  api: Api,
  target: Target,
  { sent }: Pick<Exchange, 'sent'>,
): ParsedRequest => {
  const route = routeOf(api, target, sent)
  if (route === undefined) return { kind: 'other' }
  const { operation, path } = route
  if (operation === 'rpc') return { kind: 'rpc', request: readRpc(api, sentText(sent.body ?? '')) }
  return { kind: 'http', operation, path, body: bodyOf(operation, sent, target) }
}

const bodyOf = (
  operation: HttpOperation,
  { headers, body = '' }: Sent,
  { codecs }: Target,
): Parsed | undefined => {
  const type = headerOf(Object.entries(headers), 'content-type')
  const codec = sentCodec(
    declaredContent(operation.body?.content ?? [], type),
    type ?? '',
    requestCodec,
  )
  return isImported(codec) && typeof body !== 'string'
    ? decodeContent({ raw: body }, codec, codecs)
    : tryParseJson(sentText(body))
}

const readRpc = (api: Api, text: string): RpcRequest => {
  const parsed = tryParseJson(text)
  if (!parsed) return { kind: 'broken' }
  const { value } = parsed
  if (!Array.isArray(value)) return { kind: 'single', member: readMember(api, value, text) }
  const texts = itemsOf(text)
  const members = value.map((one, index) => readMember(api, one, texts[index] ?? ''))
  return { kind: 'batch', members }
}

const readMember = (api: Api, value: unknown, text: string): RpcMember => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { value, ids: [], isRequest: false, operation: undefined, isNotification: false }
  const { jsonrpc, method, id, params = [] } = value as Record<string, unknown>
  const members = membersOf(text)
  const ids = textsOf(members, 'id')
  // A server may use either value of a repeated name (RFC 8259, 4).
  const isPlain = new Set(members.map(({ name }) => name)).size === members.length
  const isRequest =
    isPlain && jsonrpc === '2.0' && typeof method === 'string' && typeof params === 'object'
  const operation = isRequest
    ? api.operations.find((one): one is RpcOperation => one.kind === 'rpc' && one.method === method)
    : undefined
  const isNotification = isRequest && id === undefined && params !== null
  return { value, ids, isRequest, operation, isNotification }
}

/** The calls and notifications of a request; empty if it is not JSON. */
export const callsIn = (request: RpcRequest): readonly RpcMember[] => {
  if (request.kind === 'broken') return []
  return request.kind === 'single' ? [request.member] : request.members
}

/** The text of a response body, or why it cannot be decoded. */
export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly why: string }

export const readReceivedBody = (answer: ReceivedResponse): Body => {
  const read = decodedBytes(answer)
  if ('why' in read) return { kind: 'bytes', ...read }
  const { bytes } = read
  // RFC 8259, 8.1: a sender must not add one, though parsers such as TextDecoder may ignore it.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { kind: 'bytes', why: 'begins with a byte order mark' }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    // The part of an open stream that was read may end within a character.
    return { kind: 'text', text: decoder.decode(bytes, { stream: answer.isOpen === true }) }
  } catch {
    return { kind: 'bytes', why: 'is not UTF-8' }
  }
}

/** The operation of a request; undefined for a batch, and for requests that the documents do not declare. */
export const operationOf = (reading: ParsedRequest): Operation | undefined => {
  if (reading.kind === 'http') return reading.operation
  if (reading.kind !== 'rpc' || reading.request.kind !== 'single') return undefined
  return reading.request.member.operation
}

/** The operation that a request called, derived from what was sent. */
export const operationCalled = (
  api: Api,
  target: Target,
  exchange: Pick<Exchange, 'sent'>,
): Operation | undefined => operationOf(readExchange(api, target, exchange))

/** Whether a request is larger than the documents allow. */
export const isTooLarge = ({ body = '' }: Sent, limits: Limits = {}): boolean =>
  Buffer.byteLength(body) > (limits.payloadBytes ?? Number.POSITIVE_INFINITY)
