import { type ErrorObject, matchById } from '../../../runtime/rpc/match.js'
import { type CheckResult, type DocumentChecks, parse, places } from './checks.js'
import type { RpcTry } from './data.js'
import type { PreparedRequest, RequestFault } from './wire.js'

/** Checks the response to one call, by JSON-RPC 2.0 and by the document's method. */
export function checkRpcResponse(
  data: RpcTry,
  checks: DocumentChecks,
  { status, text }: ReceivedRpcResponse,
): CheckResult {
  const notes = status === 200 ? [] : [`The HTTP status is ${status}.`]
  const wrong = (headline: string): CheckResult => ({
    tone: 'wrong',
    headline,
    faults: [],
    notes,
    whole: 'the result',
  })
  const read = parse(text)
  if ('problem' in read)
    return wrong(
      text.trim() === ''
        ? `The response is empty (HTTP ${status}).`
        : `The body is not JSON (HTTP ${status}): ${read.problem}.`,
    )
  const outcome = matchById([TRY_ID], read.value, 'single')(TRY_ID)
  if (outcome.kind === 'unusable')
    return wrong(`This is not a response to the request: ${outcome.message}.`)
  if (outcome.kind === 'rejected')
    return { ...errorResult(data, outcome.error), notes: [...notes, ...idNote(read.value)] }
  const { name, schema } = data.result
  const faults = checks.faults(schema, outcome.value)
  const called = checks.nameOf(schema, outcome.value)
  const whose = `the result ${name}${called === undefined ? '' : ` (${called})`}`
  if (faults.length > 0)
    return { ...wrong(`Breaks the schema of ${whose} ${places(faults.length)}.`), faults }
  return { ...wrong(`Fits the schema of ${whose}.`), tone: 'fits' }
}

export type ReceivedRpcResponse = { readonly status: number; readonly text: string }

function errorResult(
  { errors, codes, operation }: RpcTry,
  { code, message }: ErrorObject,
): CheckResult {
  const own = errors.find((one) => one.code === code)
  const known = codes[String(code)]
  const sentence = `The server returned the error ${code}, “${message}”.`
  const done = { faults: [], notes: [], whole: 'the result' }
  if (own) {
    const called = own.component === undefined ? '' : ` as ${own.component}`
    return {
      tone: 'error',
      headline: `${sentence} The document declares this${called}: ${own.message}.`,
      ...done,
      link: { href: `#${own.anchor}`, words: `${code} among the errors of ${operation.method}` },
    }
  }
  const standard = STANDARD[String(code)]
  const where = standard === undefined ? '' : ` JSON-RPC 2.0 itself says of ${code}: ${standard}.`
  return {
    tone: standard === undefined ? 'wrong' : 'error',
    headline: `${sentence} The document declares no ${code} for ${operation.method}.${where}`,
    ...done,
    ...(known !== undefined && {
      link: { href: `../errors.html#error--${code}`, words: `${code} among all errors: ${known}` },
    }),
  }
}

/** JSON-RPC 2.0, 5.1: errors that any method may return. */
const STANDARD: Readonly<Record<string, string>> = {
  '-32700': 'the body is not JSON',
  '-32600': 'the body is no request',
  '-32601': 'there is no such method, or it is not available',
  '-32602': 'the params are wrong',
  '-32603': 'an internal error',
}

const idNote = (body: unknown): readonly string[] => {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined
  return id == null ? ['It has no id: the server could not relate it to a call.'] : []
}

/** The id of every request that the try-it sends, to recognise its responses. */
export const TRY_ID = 1

/** A POST with the params unchanged, as they were typed. */
export const rpcRequest = (
  { operation }: RpcTry,
  url: string,
  params: string,
): PreparedRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: `{"jsonrpc":"2.0","id":${TRY_ID},"method":${JSON.stringify(operation.method)}${
    params.trim() === '' ? '' : `,"params":${params.trim()}`
  }}`,
})

/** The errors in params as typed. */
export function rpcComplaints(
  data: RpcTry,
  checks: DocumentChecks,
  text: string,
): readonly RequestFault[] {
  const { operation, list, object } = data
  const complain = (
    fault: Omit<RequestFault, 'field' | 'whose'>,
    whose = 'the params',
  ): RequestFault => ({ field: 'body', whose, ...fault })
  const read = text.trim() === '' ? { value: list === undefined ? {} : [] } : parse(text)
  if ('problem' in read)
    return [complain({ pointer: '', message: `are not JSON: ${read.problem}` })]
  const isList = Array.isArray(read.value)
  const schema = isList ? (list ?? object) : (object ?? list)
  const faults = checks.of(schema ?? true).explain(read.value)
  return faults.map((fault) => {
    const index = isList ? /^\/(\d+)/.exec(fault.pointer)?.[1] : undefined
    return complain(fault, operation.params[Number(index)]?.name)
  })
}
