import { type Checks, parse } from './checks.js'
import type { RpcTry } from './data.js'
import type { Complaint, Wire } from './wire.js'

/** The id of every request that the try-it sends: its responses are recognised by it. */
export const ID = 1

/** One POST with the envelope around the params, letter by letter as they were written. */
export const rpcRequest = ({ operation }: RpcTry, url: string, params: string): Wire => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: `{"jsonrpc":"2.0","id":${ID},"method":${JSON.stringify(operation.method)}${
    params.trim() === '' ? '' : `,"params":${params.trim()}`
  }}`,
})

/** What is wrong with params as they were written. */
export function rpcComplaints(data: RpcTry, checks: Checks, text: string): readonly Complaint[] {
  const { operation, list, object } = data
  const complain = (
    fault: Omit<Complaint, 'field' | 'whose'>,
    whose = 'the params',
  ): Complaint => ({ field: 'body', whose, ...fault })
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
