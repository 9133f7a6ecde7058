import type { RpcOperation } from '../operation.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { keysOf, LOSS_MESSAGES, type OddToken } from './exact-json.js'
import { describeFault, explainFaults, MOST_FAULTS } from './reply.js'

/**
 * The params of a call as its handler takes them: the array, or the object where the method takes names alone. A method
 * that takes either is handed the array. Faults point into what was sent, and their messages name the param.
 */
export const readParams = (
  operation: RpcOperation,
  validator: Validator | undefined,
  sent: unknown,
): { readonly value: unknown } | { readonly faults: readonly Fault[] } => {
  const { paramStructure } = operation
  if (paramStructure === 'by-name') {
    const named = sent ?? {}
    if (Array.isArray(named)) return { faults: [shapeFault('an object', 'name')] }
    return judge(named, explain(validator, named))
  }
  const given = sent ?? []
  if (Array.isArray(given)) {
    if (given.length < operation.params.length) {
      const missing = missingFrom(operation, (index) => index < given.length)
      if (missing.length > 0) return { faults: missing }
    }
    return judge(given, explain(validator, given))
  }
  if (paramStructure === 'by-position') return { faults: [shapeFault('an array', 'position')] }
  return readNamed(operation, validator, given)
}

/** What to tell the caller: `Invalid params: address is required`. */
export const describeParams = (operation: RpcOperation, faults: readonly Fault[]): string => {
  const [first] = faults
  if (first === undefined) return 'Invalid params'
  const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(first.pointer) ?? []
  const name = operation.params[Number(index)]?.name
  const named = index === '' || name === undefined ? first.pointer : `/${name}${rest}`
  return `Invalid params: ${describeFault({ ...first, pointer: named })}`
}

/** The tokens of a call's params that would not come out as they were sent. */
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

const judge = (
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

/** Params by name for a method that has positions too; an optional one that was skipped is left undefined. */
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
    .map((name) =>
      Object.hasOwn(sent, name) ? (sent as Record<string, unknown>)[name] : undefined,
    )
  const faults = explain(validator, values).flatMap((fault) => {
    const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(fault.pointer) ?? []
    if (index !== '' && values[Number(index)] === undefined) return []
    const name = names[Number(index)]
    return [index === '' || !name ? fault : { ...fault, pointer: pointerStep(name) + rest }]
  })
  return judge(values, faults)
}
