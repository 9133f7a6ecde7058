import { JSONPathEnvironment, JSONPathError, type JSONValue, jsonpath } from 'json-p3'
import { messageOf } from '../../runtime/shared/message-of.js'
import { NotTested } from '../case.js'

/**
 * The values that a JSONPath query (RFC 9535) selects, in their order. Throws NotTested for a query that RFC 9535 does not
 * allow, and for one in an older dialect that would select nothing here.
 */
export const selectValues = (text: string, value: unknown): readonly unknown[] => {
  try {
    const query = ENVIRONMENT.compile(text)
    if (LENGTH_MEMBER.test(query.toString()) && isOfArrays(value))
      throw new NotTested(
        `the JSONPath ${text} reads the length of an array as a member: RFC 9535 has the function length() for it`,
      )
    return query.query(value as JSONValue).values()
  } catch (error) {
    if (error instanceof NotTested) throw error
    const reason = messageOf(error)
    if (error instanceof JSONPathError)
      throw new NotTested(`the JSONPath ${text} is not valid (RFC 9535): ${reason}`)
    throw new NotTested(`the JSONPath ${text} cannot be evaluated: ${reason}`)
  }
}

/** By default, a regular expression that cannot be compiled matches nothing, which would look like a fault of the server. */
const ENVIRONMENT = new JSONPathEnvironment()
ENVIRONMENT.functionRegister.set('match', new jsonpath.functions.Match({ throwErrors: true }))
ENVIRONMENT.functionRegister.set('search', new jsonpath.functions.Search({ throwErrors: true }))

const LENGTH_MEMBER = /\.length(?![\w(])/

/** Whether `length` can only mean that of an array: the value has arrays, and no object with a member of that name. */
const isOfArrays = (value: unknown): boolean => {
  let hasArray = false
  const left = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) hasArray = true
    else if (Object.hasOwn(one, 'length')) return false
    left.push(...Object.values(one).filter((part) => part != null))
  }
  return hasArray
}
