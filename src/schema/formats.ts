import { matchesPattern } from '../runtime/validate/pattern.js'
import { keywordsOf, type Terms } from './node.js'
import type { StringTerms } from './patterns/search.js'
import { stringTerms } from './views.js'

/**
 * The string constraints of the parts of a shape, with patterns for their formats (JSON Schema Validation,
 * 7.3). Undefined if no format is known. Formats are not validated, so other texts are accepted too: the patterns only make
 * generated values readable.
 */
export function formedTerms(parts: Terms): StringTerms | undefined {
  const forms = parts.flatMap((part) => {
    const { format = '' } = keywordsOf(part)
    return FORMS.get(format) ?? []
  })
  if (forms.length === 0) return undefined
  const { patterns, ...lengths } = stringTerms(parts)
  return { ...lengths, patterns: [...new Set([...patterns, ...forms])] }
}

/** Whether a value is not a string, or matches all formats of the parts. */
export function isFormed(parts: Terms, value: unknown): boolean {
  if (typeof value !== 'string') return true
  return parts.every((part) => {
    const form = FORMS.get(keywordsOf(part).format ?? '')
    return form === undefined || matchesPattern(form, value)
  })
}

/** The smallest and the largest number of a numeric format (OpenAPI Format Registry); undefined for other formats. */
export const numbersOfFormat = (
  format: unknown,
): { readonly low: number; readonly high: number } | undefined => NUMBERS.get(String(format))

const integers = (bits: number) =>
  [
    [`int${bits}`, { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 }],
    [`uint${bits}`, { low: 0, high: 2 ** bits - 1 }],
  ] as const

const NUMBERS: ReadonlyMap<string, { readonly low: number; readonly high: number }> = new Map([
  ...[8, 16, 32, 64].flatMap(integers),
  // IEEE 754: binary32 and binary64.
  ['float', { low: -3.4028234663852886e38, high: 3.4028234663852886e38 }] as const,
  ['double', { low: -Number.MAX_VALUE, high: Number.MAX_VALUE }] as const,
])

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const LABEL = '[a-z0-9]([a-z0-9-]*[a-z0-9])?'
const DATE = '2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])'
const TIME =
  '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])'
const REST = "[a-zA-Z0-9._~:/?#@!$&'()*+,;=-]*"

/** Patterns that match only valid texts of a format, but not all of them. */
const FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    date: DATE,
    'date-time': `${DATE}T${TIME}`,
    time: TIME,
    duration: 'P([1-9][0-9]*D|T[1-9][0-9]*[HMS])',
    email: `[a-zA-Z0-9]([a-zA-Z0-9._+-]*[a-zA-Z0-9])?@${LABEL}([.]${LABEL})+`,
    hostname: `${LABEL}([.]${LABEL})*`,
    ipv4: `${OCTET}([.]${OCTET}){3}`,
    ipv6: '(::[1-9a-f][0-9a-f]{0,3}|[1-9a-f][0-9a-f]{0,3}(:[1-9a-f][0-9a-f]{0,3}){7})',
    uri: `https?://${LABEL}([.]${LABEL})*(/${REST})?`,
    'uri-reference': `/${REST}`,
    uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    'json-pointer': '(/[a-zA-Z0-9]+)+',
  }).map(([format, form]) => [format, `^(${form})$`]),
)
