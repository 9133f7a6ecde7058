import type { RpcOperation } from '../model/api.js'
import { sentParametersSchema } from '../model/params.js'
import type { Checker } from '../schema/check.js'
import { jsonOf } from '../text/json-text.js'

/** What is wrong with the params of a recorded call; undefined if nothing is, or if they are abbreviated. */
export const recordedParamsFault = (
  checker: Checker,
  operation: RpcOperation,
  params: unknown,
): ParamsFault | undefined => {
  const sentParams = params ?? []
  if (isCutShort(sentParams)) return undefined
  if (typeof sentParams !== 'object' || sentParams === null) return undefined
  const isList = Array.isArray(sentParams)
  const isEmpty = Object.keys(sentParams).length === 0
  if (isEmpty && operation.params.every(({ required }) => !required)) return undefined
  const { paramStructure } = operation
  // An empty list can be read as params by name, all of them omitted.
  const structure = isEmpty || !isList ? 'by-name' : 'by-position'
  if (!isEmpty && paramStructure !== 'either' && paramStructure !== structure)
    return {
      rule: isList ? 'invalid-params-accepted' : 'named-params-accepted',
      where: 'params',
      message: isList ? 'are sent by position' : 'are sent by name',
    }
  const validator = checker.schema(
    sentParametersSchema({ ...operation, paramStructure: structure }),
  )
  const value = isEmpty ? {} : sentParams
  if (validator.check(value)) return undefined
  const [first] = validator.explain(value)
  const isSurplus = isList && first?.pointer === '' && sentParams.length > operation.params.length
  return {
    rule: isSurplus ? 'extra-params-accepted' : 'invalid-params-accepted',
    where: `params${first?.pointer ?? ''}`,
    message: first?.message ?? 'does not match its schema',
  }
}

export type ParamsFault = {
  /** The rule that a server breaks if it accepts them. */
  readonly rule: string
  /** `params/0`. */
  readonly where: string
  readonly message: string
}

/** Recordings are often abbreviated for publication; such a value is not what was sent. */
export const isCutShort = (value: unknown): boolean => /\.\.\.|…/.test(jsonOf(value))
