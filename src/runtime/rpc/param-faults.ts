import type { RpcOperation, RpcValidators } from '../operation.js'
import { jsonCopy } from '../shared/json-copy.js'
import { explainRejection, type Why } from '../shared/load-explanations.js'
import { isObject } from '../validate/json-value.js'
import type { Fault } from '../validate.js'
import { loaded } from './loaded.js'
import type { RpcMethod } from './method.js'

/**
 * What is wrong with params: the document refuses them, or JSON cannot carry them. Undefined where nothing at hand
 * explains it. Throws what reading the params throws.
 */
export const paramFaults = async (
  method: RpcMethod,
  given: unknown,
  why: Why | undefined,
): Promise<readonly Fault[] | undefined> => {
  const { operation, params } = method
  const text = loaded.writeParams({ ...method, params: undefined }, given)
  if (text === undefined || params === undefined) return unsendable(operation, given)
  const value = JSON.parse(text)
  // One that throws does so again.
  params.check(value)
  return explainRejection(params, {
    value,
    reading: 'strict',
    why,
    pick: (all) => (all as Readonly<Record<string, RpcValidators>>)[operation.id]?.params,
  })
}

/** `address (/0) must match …`: the faults of params in the words of the document. */
export const sayFaults = (
  operation: RpcOperation,
  faults: readonly Fault[] | undefined,
): string => {
  if (faults === undefined) return UNEXPLAINED.params
  const shown = faults.slice(0, 3).map(({ pointer: whole, message }) => {
    const pointer = whole.length > 100 ? `${whole.slice(0, 99)}…` : whole
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

/** What is said where nothing at hand can say more. */
export const UNEXPLAINED = {
  params:
    'the params do not fit the document; createRpc says where if it is given the explanations',
  result:
    'the result does not fit the document; createRpc says where if it is given the explanations',
} as const

const unsendable = (operation: RpcOperation, given: unknown): readonly Fault[] => {
  const isNamed = operation.paramStructure === 'by-name'
  const objection = (isNamed ? namedShape : positionalShape)(operation, given)
  if (objection !== undefined) return [objection]
  const { faults } = jsonCopy(isNamed ? (given ?? {}) : trim(given))
  // The caller may have mended it meanwhile.
  return faults.length > 0 ? faults : [lost]
}

const lost: Fault = { pointer: '', keyword: 'json', message: 'cannot be written as JSON' }

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
