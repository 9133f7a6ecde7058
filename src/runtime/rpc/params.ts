import { jsonCopy } from '../ground/json-copy.js'
import type { RpcOperation } from '../operation.js'
import { isObject } from '../validate/json-value.js'
import type { Fault, Validator } from '../validate.js'

/**
 * Params as they will be sent, or why they cannot be: trailing `undefined` is trimmed (an optional
 * param left out), `undefined` before a given param is a fault, and the rest is what JSON carries of
 * them. Without a validator only that is looked at.
 */
export const readParams = (
  operation: RpcOperation,
  given: unknown,
  validator?: Validator,
): Params => {
  const shape = operation.paramStructure === 'by-name' ? namedShape : positionalShape
  const objection = shape(operation, given)
  if (objection !== undefined) return { faults: [objection] }
  const { value, faults } = jsonCopy(
    operation.paramStructure === 'by-name' ? (given ?? {}) : trim(given),
  )
  if (faults.length > 0) return { faults }
  if (validator !== undefined && !validator.check(value))
    return { faults: validator.explain(value) }
  return { value, faults: [] }
}

/** `value` is there exactly where there are no faults. */
export type Params =
  | { readonly value: unknown; readonly faults: readonly [] }
  | { readonly value?: undefined; readonly faults: readonly Fault[] }

/** `address (/0) must match …`: the faults of params in the words of the document. */
export const describeFaults = (operation: RpcOperation, faults: readonly Fault[]): string => {
  const shown = faults.slice(0, 3).map(({ pointer, message }) => {
    const index = /^\/(\d+)/.exec(pointer)?.[1]
    const name = operation.params[Number(index ?? Number.NaN)]?.name
    const place =
      name === undefined || operation.paramStructure === 'by-name'
        ? pointer
        : `${name} (${pointer})`
    return `${place === '' ? 'the params' : place} ${message}`
  })
  const more = faults.length > 3 ? `; and ${faults.length - 3} more` : ''
  return shown.join('; ') + more
}

const trim = (given: unknown): readonly unknown[] => {
  const params = Array.isArray(given) ? given : []
  return params.slice(0, params.findLastIndex((param) => param !== undefined) + 1)
}

const positionalShape = (operation: RpcOperation, given: unknown): Fault | undefined => {
  if (given !== undefined && !Array.isArray(given)) {
    const names = operation.params.map(({ name }) => name).join(', ')
    return { pointer: '', keyword: 'type', message: `must be an array: [${names}]` }
  }
  const gap = trim(given).indexOf(undefined)
  if (gap < 0) return undefined
  return {
    pointer: `/${gap}`,
    keyword: 'json',
    message: 'is undefined before a given param: JSON has no gap to send',
  }
}

const namedShape = (operation: RpcOperation, given: unknown): Fault | undefined => {
  if (given === undefined || isObject(given)) return undefined
  const names = operation.params.map(({ name }) => name).join(', ')
  return { pointer: '', keyword: 'type', message: `must be an object: { ${names} }` }
}
