import { camelCase, identifier } from '../text/names.js'
import type { Api, Operation } from './api.js'
import { nameOf } from './operation-name.js'

/**
 * The target of `x-replaced-by`: a web page, or an operation by its id, its wire name (`GET /orders/{id}`, `eth_call`) or its
 * path. Undefined for any other text, or for the operation itself.
 */
export function successorOf(
  { replacedBy, ...operation }: Pick<Operation, 'id' | 'replacedBy'>,
  { operations }: Pick<Api, 'operations'>,
): Successor | undefined {
  if (replacedBy === undefined) return undefined
  if (isWebAddress(replacedBy)) return { url: replacedBy }
  const others = operations.filter(({ id }) => id !== operation.id)
  const id = identifier(replacedBy, camelCase)
  const found =
    others.find((one) => nameOf(one) === replacedBy || one.id === id) ??
    others.find((one) => one.kind === 'http' && one.path === replacedBy)
  return found && { operation: found }
}

export type Successor = { readonly url: string } | { readonly operation: Operation }

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s<>"]+$/.test(text)
