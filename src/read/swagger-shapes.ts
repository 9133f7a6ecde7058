import type { Finding } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { pointerOf } from '../runtime/shared/pointer.js'
import { described } from './structure-table.js'
import { segmentName } from './validate-openrpc.js'

/**
 * A Swagger 2.0 document without values of a wrong type, with which the converter would fail. Each of them is reported. Other
 * wrong types are found in the converted document.
 */
export function withSoundShapes(
  document: unknown,
  report: (finding: Pick<Finding, 'rule' | 'level' | 'message'>, pointer: string) => void,
): unknown {
  return sound(document, DOCUMENT, [])

  function sound(value: unknown, shape: Shape, path: readonly string[]): unknown {
    const { form } = shape
    if (form === 'list' && Array.isArray(value)) return value.flatMap(memberOf(shape, path))
    if ((form === 'map' || form === 'object') && isObject(value))
      return membersOf(value, shape, path)
    if (form === 'text' ? typeof value === 'string' : form === 'any' && value !== null) return value
    const level = value === null && form !== 'object' ? 'warning' : 'error'
    const why = `${segmentName(path)} must be ${FORMS[form]}, not ${described(value)}`
    const message = level === 'error' ? `${why}: it is left out` : why
    report({ rule: 'field-has-wrong-type', level, message }, pointerOf(...path))
    return undefined
  }

  function memberOf({ holds }: Shape, path: readonly string[]) {
    return (one: unknown, index: number): readonly unknown[] => {
      const member = holds ? sound(one, holds, [...path, String(index)]) : one
      return member === undefined ? [] : [member]
    }
  }

  function membersOf(value: object, { fields, holds }: Shape, path: readonly string[]): object {
    const members = Object.entries(value).flatMap(([key, one]) => {
      const shape = fields && Object.hasOwn(fields, key) ? fields[key] : holds
      const member = shape && !key.startsWith('x-') ? sound(one, shape, [...path, key]) : one
      return member === undefined ? [] : [[key, member] as const]
    })
    return Object.fromEntries(members)
  }
}

type Shape = {
  readonly form: 'any' | 'list' | 'map' | 'object' | 'text'
  /** The shape of members without a field of their own. */
  readonly holds?: Shape
  readonly fields?: Readonly<Record<string, Shape>>
}

const FORMS: Readonly<Record<Shape['form'], string>> = {
  any: 'a value',
  list: 'a list',
  map: 'an object',
  object: 'an object',
  text: 'a string',
}

const text: Shape = { form: 'text' }
const texts: Shape = { form: 'list', holds: text }
const object: Shape = { form: 'object' }
const objects: Shape = { form: 'map', holds: object }
const parameter: Shape = { form: 'object', fields: { $ref: text } }
const parameters: Shape = { form: 'list', holds: parameter }

const operation: Shape = {
  form: 'object',
  fields: { parameters, consumes: texts, produces: texts, responses: objects },
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

const pathItem: Shape = {
  form: 'object',
  holds: { form: 'any' },
  fields: { parameters, ...Object.fromEntries(METHODS.map((method) => [method, operation])) },
}

const DOCUMENT: Shape = {
  form: 'object',
  fields: {
    host: text,
    basePath: text,
    schemes: texts,
    consumes: texts,
    produces: texts,
    parameters: { form: 'map', holds: parameter },
    responses: objects,
    definitions: { form: 'map' },
    securityDefinitions: objects,
    paths: { form: 'map', holds: pathItem },
  },
}
