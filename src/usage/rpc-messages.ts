import type { RpcOperation } from '../model/api.js'
import { isObject } from '../runtime/validate/json-value.js'

/** One JSON-RPC call with its response, as far as they were recorded. */
export type Call = {
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined
  readonly result?: { readonly value: unknown }
  readonly code?: number | undefined
}

export const callsIn = (
  body: unknown,
): readonly (Call & { readonly method: string; readonly id: unknown })[] =>
  listOf(body).flatMap(({ method, id, params }) => {
    if (typeof method !== 'string') return [{ method: '', id }]
    const isList = Array.isArray(params)
    return [{ method, id, params: isList || isObject(params) ? params : [] }]
  })

export const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : [value]).filter(isObject)

/** JSON-RPC 2.0, 5.1: the codes from -32768 to -32000 are reserved, and say nothing of a caller. */
export const isDeclaredCode = ({ errors }: RpcOperation, code: number): boolean =>
  (code >= -32768 && code <= -32000) || errors.some((one) => one.code === code)
