import { isIntegerToken, toBigint } from '../runtime/shared/exact-number.js'
import type { Api, HttpDocument, Operation, RpcDocument } from './api.js'
import type { Example, Holder, MediaType } from './http-content.js'

/** The Api with bigints for the integers beyond 2^53 - 1 in its examples, with the digits of the documents. */
export const withExactExamples = (api: Api): Api => {
  const all = (examples: readonly Example[]): readonly Example[] =>
    examples.map((one) => ({ ...one, value: exactIn(api.http)(one.value, one.holder) }))
  const each = <One extends { readonly examples: readonly Example[] }>(some: readonly One[]) =>
    some.map((one) => ({ ...one, examples: all(one.examples) }))
  const operations = api.operations.map((operation): Operation => {
    if (operation.kind === 'http') {
      const { body, parameters, responses } = operation
      return {
        ...operation,
        body: body && { ...body, content: each<MediaType>(body.content) },
        parameters: each(parameters),
        responses: responses.map((one) => ({
          ...one,
          content: each<MediaType>(one.content),
          headers: each(one.headers),
        })),
      }
    }
    const exact = exactIn(api.rpc)
    const examples = operation.examples.map((one) => {
      const { outcome, holders = [] } = one
      const params = one.params.map((value, at) => exact(value, holders[at]))
      const named = Object.entries(one.namedParams).map(([name, value]) => {
        const at = one.params.indexOf(value)
        return [name, at === -1 ? exact(value) : params[at]] as const
      })
      const value = outcome.kind === 'result' ? exact(outcome.value, outcome.holder) : undefined
      return {
        ...one,
        params,
        namedParams: Object.fromEntries(named),
        outcome: outcome.kind === 'result' ? { ...outcome, value } : outcome,
      }
    })
    return { ...operation, examples }
  })
  return { ...api, operations }
}

/** Replaces the integers beyond 2^53 - 1 in an example by bigints, with the digits of the document. */
export const exactIn =
  (document: Pick<HttpDocument | RpcDocument, 'numberText'> | undefined) =>
  (value: unknown, holder?: Holder): unknown => {
    const read = (item: unknown, at: Holder | undefined): unknown => {
      if (typeof item === 'object' && item !== null) return readMembers(item)
      if (typeof item !== 'number' || Number.isSafeInteger(item) || !at) return item
      const text = document?.numberText(...at) ?? ''
      const exact = isIntegerToken(text) && Number(text) === item ? toBigint(text) : undefined
      return typeof exact === 'bigint' ? exact : item
    }
    const readMembers = (whole: object): object => {
      const entries = Object.entries(whole).map(
        ([key, item]) => [key, read(item, [whole, key])] as const,
      )
      if (entries.every(([key, item]) => item === Reflect.get(whole, key))) return whole
      return Array.isArray(whole) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
    }
    return read(value, holder)
  }
