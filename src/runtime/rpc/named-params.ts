import { CallError } from '../errors.js'
import { isObject, type JsonObject } from '../shared/json.js'
import type { Fault } from '../validate.js'
import { listedParams, type RpcMethod } from './call.js'

/**
 * A method that takes its params by position and by name, as it is called by name where `params` is an object; otherwise the
 * method itself. Generated clients pass this to `createRpc` where their document has such methods.
 */
export const namedParams = (method: RpcMethod, params: unknown): RpcMethod =>
  method.operation.paramStructure === 'either' && isObject(params)
    ? {
        ...method,
        operation: { ...method.operation, paramStructure: 'by-name' },
        listed: (named) => listed(method, named as JsonObject),
      }
    : method

/** The list that the validator of the method reads. Throws a CallError for names that are missing or unknown. */
const listed = ({ operation }: RpcMethod, named: JsonObject): readonly unknown[] => {
  const { method, params } = operation
  const missing = params.filter(({ name, required }) => required && !Object.hasOwn(named, name))
  const unknown = Object.keys(named).filter((key) => params.every(({ name }) => name !== key))
  const issues = [
    ...missing.map(({ name }) => fault(name, 'required', 'is required')),
    ...unknown.map((name) => fault(name, 'additionalProperties', 'is no param of this method')),
  ]
  if (issues.length === 0) {
    const values = params.map(({ name }) => (Object.hasOwn(named, name) ? named[name] : undefined))
    return listedParams(params, values)
  }
  const said = issues.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  throw new CallError({
    reason: 'invalid-input',
    operation: method,
    message: `${method} was not sent: ${said}`,
    issues,
  })
}

const fault = (name: string, keyword: string, message: string): Fault => ({
  pointer: `/${name}`,
  keyword,
  message,
})
