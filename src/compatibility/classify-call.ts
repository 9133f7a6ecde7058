import { isOfCaller, isOfMoment, isOfState } from '../conform/outcome.js'
import type { Operation } from '../model/api.js'
import { isObject } from '../model/json.js'
import { readRpcResponse } from '../runtime/rpc/match.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { declaredResponse } from '../runtime/wire/status.js'
import { valueAtPath as memberAt } from '../schema/places.js'
import { tryParseJson } from '../text/json-text.js'
import { type Exchange, textOf } from '../traffic/exchange.js'
import type { ResponseDifference } from './cell.js'
import type { CallRecord } from './send-call.js'

/** The result of a call: it works, it warns or breaks at a place, or it is undecided, with the reason. */
export type CallResult =
  | { readonly kind: 'works' }
  | { readonly kind: 'warns' | 'breaks'; readonly difference: ResponseDifference }
  | { readonly kind: 'undecided'; readonly why: string }

/** The expected result of a call. */
export type CallExpectation = {
  /** `the example paid` */
  readonly label: string
  /** The old operation. */
  readonly operation: Operation
  /** The document shows an error for this call, or the mock was requested to return one. */
  readonly isOfError: boolean
  /** A mock keeps no state: it returns a response to each valid request. */
  readonly isMock: boolean
  /** Why the new documents reject the request; undefined if they accept it. */
  readonly mismatch: { readonly pointer: string; readonly message: string } | undefined
  /** Whether credentials were passed. */
  readonly hasKey: boolean
}

/**
 * Classifies one call by the behaviour of its client. Errors are recognized by names and fields, because their classes belong to
 * the old client's own runtime.
 */
export const classifyCall = (sending: CallRecord, expectation: CallExpectation): CallResult => {
  if (sending.kind === 'unsent') return { kind: 'undecided', why: `not sent: ${sending.why}` }
  const { label, operation } = expectation
  const last = sending.exchanges.at(-1)
  const status = last?.answer?.status
  if (sending.kind === 'returned') {
    if (sending.warning === undefined) return { kind: 'works' }
    const { issues, message } = fieldsOf(sending.warning)
    return {
      kind: 'warns',
      difference: {
        sent: label,
        ...statusOf(status),
        ...issueIn(operation, issues, message, last),
      },
    }
  }
  const { error } = sending
  const fields = fieldsOf(error)
  const breaks: Breaks = (found) => ({
    kind: 'breaks',
    difference: { sent: label, ...statusOf(status), ...found },
  })
  if (fields.name === 'HttpError') return classifyHttpError(fields, expectation, breaks, last)
  if (fields.name === 'RpcError') return classifyRpcError(fields, expectation, breaks)
  if (fields.name === 'CallError')
    return breaks(issueIn(operation, fields.issues, fields.message, last))
  return breaks({ expected: 'a call that its client can make', received: messageOf(error) })
}

type Breaks = (
  found: Pick<ResponseDifference, 'expected' | 'received' | 'pointer' | 'code'>,
) => CallResult

/** A response outside 2xx. */
const classifyHttpError = (
  { issues, status, message }: Fields,
  { operation, isOfError, isMock, mismatch, hasKey }: CallExpectation,
  breaks: Breaks,
  last: Exchange | undefined,
): CallResult => {
  if (isOfError)
    return issues.length === 0
      ? { kind: 'works' }
      : breaks(issueIn(operation, issues, message, last))
  if (operation.kind === 'rpc')
    return breaks({ expected: 'a JSON-RPC response', received: shown(`HTTP ${status}`, last) })
  if ((status === 401 || status === 403) && !hasKey)
    return { kind: 'undecided', why: `the server answered ${status}: give it a key with --api-key` }
  if (status === 429) return { kind: 'undecided', why: 'the server answered 429: lower --rate' }
  if (status !== undefined && isOfMoment(status))
    return { kind: 'undecided', why: `the server answered ${status}: repeat the run later` }
  // The server lacks the data, or rejects this caller. The old client declares the response, so its version does not matter.
  const declared = declaredResponse(operation.responses, status ?? 0)?.status
  // A default describes every error, so it says nothing about this one.
  const isDeclared = declared !== undefined && declared !== 'default'
  const isOfData = status !== undefined && (isOfCaller(status) || isOfState(status))
  if (!isMock && isDeclared && isOfData && issues.length === 0) return { kind: 'works' }
  const received = shown(`HTTP ${status}`, last)
  return breaks({ ...expectedBy(mismatch, 'a response of success'), received })
}

/** The error of the new documents if they reject the request, else the expectation. */
const expectedBy = (mismatch: CallExpectation['mismatch'], expected: string) =>
  mismatch
    ? {
        pointer: mismatch.pointer,
        expected: `the new documents say that it ${mismatch.message}`,
      }
    : { expected }

const classifyRpcError = (
  { code, message }: Fields,
  { operation, isOfError, isMock, mismatch, label }: CallExpectation,
  breaks: Breaks,
): CallResult => {
  if (isOfError && !ERROR_CODES.has(code ?? 0)) return { kind: 'works' }
  const isDeclared = operation.kind === 'rpc' && operation.errors.some((one) => one.code === code)
  const received = `error ${code}: ${message}`
  if (ERROR_CODES.has(code ?? 0) || isMock) {
    if (isOfError && isDeclared) return { kind: 'works' }
    return breaks({ ...codeOf(code), ...expectedBy(mismatch, 'a result'), received })
  }
  if (isDeclared) return { kind: 'works' }
  const expected = 'a result or a declared error'
  return { kind: 'warns', difference: { sent: label, ...codeOf(code), expected, received } }
}

/** Invalid request, method not found, invalid params, internal error (JSON-RPC 2.0, 5.1). */
const ERROR_CODES: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32603])

/** The fields of an error or a warning; they are the same in every version of the runtime. */
const fieldsOf = (thrown: unknown): Fields => {
  const record: Readonly<Record<string, unknown>> = Object(thrown)
  const { name, status, code, issues, message } = record
  return {
    name: typeof name === 'string' ? name : undefined,
    status: typeof status === 'number' ? status : undefined,
    code: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : '',
    issues: Array.isArray(issues) ? issues.filter(isObject) : [],
  }
}

type Fields = {
  readonly name: string | undefined
  readonly status: number | undefined
  readonly code: number | undefined
  readonly message: string
  readonly issues: readonly Readonly<Record<string, unknown>>[]
}

/** The message of an issue, and the received value at its place. */
const issueIn = (
  { kind }: Pick<Operation, 'kind'>,
  [first, second]: Fields['issues'],
  message: string,
  last: Exchange | undefined,
): Pick<ResponseDifference, 'pointer' | 'expected' | 'received'> => {
  // For alternatives, the first issue names the best match, and the second describes the error in it.
  const isUnion = first?.keyword === 'oneOf' || first?.keyword === 'anyOf'
  const issue = isUnion ? (second ?? first) : first
  if (issue === undefined) return { expected: 'a response as documented', received: message }
  const pointer = String(issue.pointer ?? '')
  const received = last?.answer && valueAt(kind, last.answer.body, pointer)
  return {
    pointer,
    expected: `${issue.message}`,
    received: received === undefined ? 'nothing' : cut(JSON.stringify(received)),
  }
}

/** The value at the pointer of an issue; for JSON-RPC, pointers are relative to the result. */
const valueAt = (kind: Operation['kind'], body: Uint8Array, pointer: string): unknown => {
  const whole = tryParseJson(textOf(body))?.value
  if (kind === 'http') return memberAt(whole, segmentsOf(pointer))
  const response = readRpcResponse(whole)
  return response.kind === 'result' ? memberAt(response.value, segmentsOf(pointer)) : undefined
}

const shown = (words: string, last: Exchange | undefined): string => {
  const text = textOf(last?.answer?.body).trim()
  return text === '' ? words : `${words}: ${cut(text)}`
}

const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`)

const LONGEST = 160

const statusOf = (status: number | undefined) => (status === undefined ? {} : { status })

const codeOf = (code: number | undefined) => (code === undefined ? {} : { code })
