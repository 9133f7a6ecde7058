import type { HttpOperation } from '../operation.js'
import { isJson } from '../shared/json-type.js'

/** JSON alone where an answer may be JSON: that is what the types promise. */
export const acceptOf = (operation: HttpOperation): string => {
  const answers = Object.entries(operation.responses)
  const ok = answers.filter(([status]) => status.startsWith('2'))
  const types = (ok.length > 0 ? ok : answers).flatMap(([, types]) => types)
  const json = types.filter(isJson)
  return [...new Set(json.length > 0 ? json : types)].join(', ') || '*/*'
}
