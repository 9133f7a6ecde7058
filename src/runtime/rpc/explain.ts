import type { RpcOperation, RpcValidators } from '../operation.js'
import { jsonCopy } from '../shared/json-copy.js'
import { explainRejection, findExplainer, type Why } from '../shared/load-explanations.js'
import type { Redact } from '../shared/redact.js'
import { redactValue } from '../shared/redact-value.js'
import { isObject } from '../validate/json-value.js'
import { tolerant } from '../validate/tolerant.js'
import { type Fault, open } from '../validate.js'
import type { RpcMethod } from './method.js'
import { writeParams } from './params.js'

/** What is wrong with a value: in one sentence, and as a list that is empty where nothing can explain it. */
export type Explanation = { readonly message: string; readonly issues: readonly Fault[] }

/** Why params are not sent: validation rejects them, or JSON cannot carry them. Throws what reading the params throws. */
export const explainParams = async (
  method: RpcMethod,
  given: unknown,
  why: Why | undefined,
): Promise<Explanation> => {
  const { operation, params } = method
  const text = writeParams({ ...method, params: undefined }, given)
  if (text === undefined || params === undefined) {
    const faults = unsendable(operation, given)
    return { issues: faults, message: describe(operation, faults) }
  }
  const value = JSON.parse(text)
  // A check that throws does so again.
  params.check(value)
  const faults = await explainRejection(params, {
    value,
    reading: 'strict',
    why,
    pick: (all) => (all as Readonly<Record<string, RpcValidators>>)[operation.id]?.params,
  })
  return faults === undefined
    ? { issues: [], message: `the params do not fit the document${UNEXPLAINED}` }
    : { issues: faults, message: describe(operation, faults) }
}

/** Why a result fails validation, and whether the tolerant reading accepts it. */
export const explainResult = async (
  { operation, result }: RpcMethod,
  given: unknown,
  redact: Redact,
  { why, reading }: { readonly why: Why | undefined; readonly reading: 'tolerant' | 'strict' },
): Promise<Explanation & { readonly isTolerated: boolean }> => {
  const pick = (all: object) =>
    (all as Readonly<Record<string, RpcValidators>>)[operation.id]?.result
  const explainer = result && (await findExplainer(result, { why, pick }))
  if (explainer === undefined) {
    const message = `the result does not fit the document${UNEXPLAINED}`
    return { issues: [], message, isTolerated: false }
  }
  const reader = reading === 'tolerant' ? open(explainer) : explainer
  // Messages quote the beginning of values, so these are redacted before they are cut.
  const issues = redactValue(reader.explain(redactValue(given, redact)), redact)
  const shown = issues.slice(0, 3).map(({ pointer, message }) => `${pointer || 'it'} ${message}`)
  return {
    issues,
    message: `the result does not fit the document: ${shown.join('; ')}`,
    isTolerated:
      reading === 'tolerant' &&
      !issues.some(({ isAmbiguous }) => isAmbiguous) &&
      tolerant(explainer).check(given),
  }
}

const UNEXPLAINED = '; the option `explanations` says where'

/** `address (/0) must match …` */
const describe = (operation: RpcOperation, faults: readonly Fault[]): string => {
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

const unsendable = (operation: RpcOperation, given: unknown): readonly Fault[] => {
  const isNamed = operation.paramStructure === 'by-name'
  const objection = (isNamed ? namedShape : positionalShape)(operation, given)
  if (objection !== undefined) return [objection]
  const { faults } = jsonCopy(isNamed ? (given ?? {}) : trim(given))
  // The caller may have corrected the value since.
  return faults.length > 0 ? faults : [UNWRITABLE]
}

const UNWRITABLE: Fault = { pointer: '', keyword: 'json', message: 'cannot be written as JSON' }

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
