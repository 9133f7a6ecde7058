import { isObject } from '../model/json.js'
import type { Document } from './document.js'

/** The formats that generated code treats as more than an annotation. */
export type MarkedFormats = {
  /** Formats of integers that are bigint in code. */
  readonly bigint: readonly string[]
  /** Formats of texts that validators check. */
  readonly checked: readonly string[]
  /** Whether a `date-time` is a Date in code; its texts are checked, too. */
  readonly dates: boolean
}

/**
 * The document with marks at each schema of these formats, wherever one may be: `x-bigint`, `x-checked-format` and
 * `x-date-object`. Undefined if nothing is to be marked.
 */
export const formatMarker = ({
  bigint,
  checked,
  dates,
}: MarkedFormats): ((document: Document) => Document) | undefined => {
  const marksOf = ({ type, format }: Readonly<Record<string, unknown>>): object => {
    const isOf = (name: string) => [type].flat().includes(name)
    const isDate = dates && format === 'date-time'
    if (typeof format !== 'string') return {}
    return {
      ...(isOf('integer') && bigint.includes(format) && { 'x-bigint': true }),
      ...(isOf('string') && (isDate || checked.includes(format)) && { 'x-checked-format': format }),
      ...(isOf('string') && isDate && { 'x-date-object': true }),
    }
  }
  const mark = (value: unknown, isMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => mark(one, false))
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([key, one]) => {
      const isKept = DATA.has(key) && !isMap
      return [key, isKept ? one : mark(one, MAPS.has(key) && !isMap)]
    })
    return { ...Object.fromEntries(members), ...(!isMap && marksOf(value)) }
  }
  if (bigint.length + checked.length === 0 && !dates) return undefined
  return (document) => ({ ...document, value: mark(document.value, false) })
}

/** Members that may look like schemas and are data. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum'])

/** Keywords whose members have names as keys. */
const MAPS = new Set('properties patternProperties schemas $defs definitions'.split(' '))
