import type { RpcOperation } from '../operation.js'
import { keysOf, LOSS_MESSAGES, type OddToken } from '../shared/exact-json.js'
import { pointerStep } from '../shared/pointer.js'
import type { JsonObject } from '../validate/json-value.js'
import type { Fault, Validator } from '../validate.js'
import { explainFaults, MOST_FAULTS } from '../wire/faults.js'
import { describeFault } from './reply.js'

/**
 * The params of a call for its handler: the array, or the object if the method takes only names. A method that takes both
 * receives the array. Pointers of faults are relative to the sent params, and messages contain the name of the param.
 */
export const readParams = (
  operation: RpcOperation,
  validator: Validator | undefined,
  sent: unknown,
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  const { paramStructure } = operation
  if (paramStructure === 'by-name') {
    if (Array.isArray(sent)) return { faults: [shapeFault('an object', 'name')] }
    const named = withoutSkipped(operation, sent ?? {})
    return check(named, explain(validator, named))
  }
  const params = sent ?? []
  if (Array.isArray(params)) {
    if (params.length < operation.params.length) {
      const missing = missingFrom(operation, (index) => index < params.length)
      if (missing.length > 0) return { faults: missing }
    }
    return check(withSkipped(operation, params), faultsOfSent(operation, validator, params))
  }
  if (paramStructure === 'by-position') return { faults: [shapeFault('an array', 'position')] }
  return readNamed(operation, validator, params)
}

/** The message of the error: `Invalid params: address is required`. */
export const describeParams = (operation: RpcOperation, faults: readonly Fault[]): string => {
  const [first] = faults
  if (first === undefined) return 'Invalid params'
  const [, index = '', rest = ''] = /^\/(\d+)(.*)/s.exec(first.pointer) ?? []
  const name = operation.params[Number(index)]?.name
  const named = index === '' || name === undefined ? first.pointer : `/${name}${rest}`
  return `Invalid params: ${describeFault({ ...first, pointer: named })}`
}

/** The tokens of a call's params that parsing would change. */
export const lossesIn = (odd: readonly OddToken[], depth: number): readonly Fault[] => {
  if (odd.length === 0) return NO_FAULTS
  const faults: Fault[] = []
  for (const { path, loss } of odd) {
    if (loss === undefined) continue
    const keys = keysOf(path)
    if (keys[depth] !== 'params') continue
    const pointer = keys.slice(depth + 1).map(pointerStep)
    faults.push({ pointer: pointer.join(''), keyword: loss, message: LOSS_MESSAGES[loss] })
    if (faults.length === MOST_FAULTS) break
  }
  return faults
}

const explain = (validator: Validator | undefined, value: unknown): readonly Fault[] =>
  validator === undefined || validator.check(value) ? NO_FAULTS : explainFaults(validator, value)

const NO_FAULTS: readonly Fault[] = []

const check = (
  value: unknown,
  faults: readonly Fault[],
): { readonly value: unknown } | { readonly faults: readonly Fault[] } =>
  faults.length === 0 ? { value } : { faults }

const shapeFault = (shape: string, by: string): Fault => ({
  pointer: '',
  keyword: 'type',
  message: `must be ${shape}: this method takes its params by ${by}`,
})

const missingFrom = (
  operation: RpcOperation,
  has: (index: number, name: string) => boolean,
  step: (index: number, name: string) => string | number = (index) => index,
): readonly Fault[] =>
  operation.params.flatMap(({ name, required }, index) =>
    required && !has(index, name)
      ? [{ pointer: pointerStep(step(index, name)), keyword: 'required', message: 'is required' }]
      : [],
  )

/** Whether a param was skipped: `null` for an optional param whose schema does not allow it. */
const isSkipped = ({ params }: RpcOperation, at: number, value: unknown): boolean => {
  const param = params[at]
  return value === null && param?.required === false && param.acceptsNull !== true
}

/** The faults of the params that were not skipped. */
const faultsOfSent = (
  operation: RpcOperation,
  validator: Validator | undefined,
  params: readonly unknown[],
): readonly Fault[] => {
  if (validator === undefined || validator.check(params)) return NO_FAULTS
  const isOfSent = ({ pointer }: Fault): boolean => {
    const at = Number(/^\/(\d+)/.exec(pointer)?.[1])
    return Number.isNaN(at) || !(params[at] === undefined || isSkipped(operation, at, params[at]))
  }
  // The faults of skipped params must not hide those of the others.
  for (let most = MOST_FAULTS + 1; ; most *= 2) {
    const all = explainFaults(validator, params, most)
    const own = all.filter(isOfSent)
    if (own.length > 0 || all.length < most) return own
  }
}

/** The list for a handler: a skipped param is undefined. */
const withSkipped = (operation: RpcOperation, params: readonly unknown[]): readonly unknown[] =>
  params.some((value, at) => isSkipped(operation, at, value))
    ? params.map((value, at) => (isSkipped(operation, at, value) ? undefined : value))
    : params

/** The object for a handler: a skipped param is absent. */
const withoutSkipped = (operation: RpcOperation, params: object): object => {
  const skipped = operation.params.filter(({ name }, at) =>
    isSkipped(operation, at, Object.hasOwn(params, name) && (params as JsonObject)[name]),
  )
  if (skipped.length === 0) return params
  const names = skipped.map(({ name }) => name)
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}

/** Params by name for a method that also takes positions; a skipped optional param is undefined. */
const readNamed = (
  operation: RpcOperation,
  validator: Validator | undefined,
  sent: object,
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  const names = operation.params.map(({ name }) => name)
  const unknown = Object.keys(sent)
    .filter((name) => !names.includes(name))
    .slice(0, MOST_FAULTS + 1)
    .map((name) => ({
      pointer: pointerStep(name),
      keyword: 'additionalProperties',
      message: 'is not a param of this method',
    }))
  const has = (_: number, name: string): boolean => Object.hasOwn(sent, name)
  const missing = missingFrom(operation, has, (_, name) => name)
  if (unknown.length + missing.length > 0) return { faults: [...unknown, ...missing] }
  const last = names.findLastIndex((name) => Object.hasOwn(sent, name))
  const values = names
    .slice(0, last + 1)
    .map((name) => (Object.hasOwn(sent, name) ? (sent as JsonObject)[name] : undefined))
  const faults = faultsOfSent(operation, validator, values).map((fault) => {
    const [, index = '', rest = ''] = /^\/(\d+)(.*)/s.exec(fault.pointer) ?? []
    const name = names[Number(index)]
    return index === '' || !name ? fault : { ...fault, pointer: pointerStep(name) + rest }
  })
  return check(withSkipped(operation, values), faults)
}
