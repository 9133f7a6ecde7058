import { isObject } from '../model/json.js'
import type { Document } from './document.js'

/** The document with `x-bigint` at each integer of these formats, wherever a schema may be. */
export const markBigints = (document: Document, formats: readonly string[]): Document => {
  const mark = (value: unknown, isMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => mark(one, false))
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([key, one]) => {
      const isKept = DATA.has(key) && !isMap
      return [key, isKept ? one : mark(one, MAPS.has(key) && !isMap)]
    })
    const isMarked =
      [value.type].flat().includes('integer') && formats.some((one) => one === value.format)
    return { ...Object.fromEntries(members), ...(isMarked && !isMap && { 'x-bigint': true }) }
  }
  return { ...document, value: mark(document.value, false) }
}

/** Members that may look like schemas and are data. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum'])

/** Keywords whose members have names as keys. */
const MAPS = new Set('properties patternProperties schemas $defs definitions'.split(' '))
