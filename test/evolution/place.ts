import type { Finding, Location } from '../../src/model/finding.js'
import { isObject } from '../../src/model/json.js'
import { segmentsOf } from '../../src/runtime/shared/pointer.js'

/** The method of a name as an OpenRPC document writes it. */
export function methodIn(document: unknown, name: string): unknown {
  const { methods } = isObject(document) ? document : {}
  return Array.isArray(methods)
    ? methods.find((method) => isObject(method) && method.name === name)
    : undefined
}

/**
 * Where a finding about an OpenRPC method is, by names that do not change with the order of methods and params:
 * `params.options.minconf`, `result[].fees`. Empty for the method itself. The longer of the places in both documents.
 */
export function placeOf(finding: Finding, before: unknown, after: unknown): string {
  const is = named(finding.location, after)
  const was = finding.before ? named(finding.before, before) : ''
  return was.length > is.length ? was : is
}

/** Keywords that hold what a rule compares, which the rule names already. */
const COMPARED = new Set(['required', 'type', 'default', 'minItems', 'name'])

function named({ pointer }: Location, document: unknown): string {
  const segments = segmentsOf(pointer)
  let value = document
  let place = ''
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index] ?? ''
    const owner = value
    value = member(value, segment)
    // `methods` and its index: the finding names the method.
    if (index < 2) continue
    if (index === 2) place = segment
    else if (index === 3 && segments[2] === 'params')
      place += `.${isObject(value) ? String(value.name) : segment}`
    else if (segment === 'properties') {
      const name = segments[++index] ?? ''
      value = member(value, name)
      place += `.${name}`
    } else if (segment === 'items') {
      const isTuple = Array.isArray(value)
      const item = isTuple ? segments[++index] : undefined
      if (item !== undefined) value = member(value, item)
      place += `[${item ?? ''}]`
    } else if (segment === 'additionalProperties') place += '{}'
    else if (
      segment !== 'schema' &&
      !COMPARED.has(segment) &&
      !Array.isArray(owner) &&
      !OF.has(segment)
    )
      place += `/${segment}`
  }
  return place
}

const OF = new Set(['oneOf', 'anyOf', 'allOf'])

/** What a JSON pointer points at in a part of a document; undefined where nothing is there. */
export const partAt = (value: unknown, pointer = ''): unknown =>
  segmentsOf(pointer).reduce(member, value)

const member = (value: unknown, key: string): unknown =>
  isObject(value) ? value[key] : Array.isArray(value) ? value[Number(key)] : undefined
