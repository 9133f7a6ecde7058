import type { JsonObject } from './api.js'
import type { Finding } from './finding.js'
import { isObject } from './json.js'
import { hasField, isMethod } from './path-item.js'
import { text } from './reading.js'
import type { Field, ObjectKind } from './structure-table.js'

/** The fault in the name of a member of a map. */
export function faultOfKey(keys: Field['keys'], key: string): Said | undefined {
  switch (keys) {
    case 'path':
      if (key.startsWith('/')) return undefined
      return warn(
        'path-has-no-slash',
        `the path ${key} does not begin with a slash, so it is ignored: write /${key}`,
      )
    case 'status':
      if (/^([1-5]\d\d|[1-5]XX|default)$/i.test(key)) return undefined
      return warn(
        'response-has-no-status',
        `${key} is not a status code, so the response is ignored: write one such as 200, 4XX or default`,
      )
    case 'mediaType':
      return mediaTypeFault(key)
    case 'headerName':
      return headerFault(key)
    case 'method':
      return methodFault(key)
    default:
      return undefined
  }
}

/** The faults of an object whose fields have the right types. */
export function saidOf(kind: ObjectKind, node: JsonObject, version: string): readonly Said[] {
  return RULES[kind]?.(node, version) ?? []
}

export type Said = Pick<Finding, 'rule' | 'level' | 'message'> & {
  /** The faulty field; undefined for the whole object. */
  readonly at?: string | undefined
}

/** The message for `{}` in a template. */
export const namelessIn = (what: 'path' | 'url'): string =>
  `{} in the ${what} contains no name, so no value can replace it: write a name between the braces`

const warn = (rule: string, message: string, at?: string): Said => ({
  rule,
  level: 'warning',
  message,
  at,
})

/** RFC 9110, 5.6.2. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const HEADER_NAME = new RegExp(`^${TOKEN}$`)
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}\\s*(;.*)?$`)

/** RFC 9110, 5.1: the name of a header is a token. */
const headerFault = (name: string, at?: string): Said | undefined =>
  HEADER_NAME.test(name)
    ? undefined
    : warn(
        'header-name-invalid',
        `${JSON.stringify(name)} is not a valid header name: use letters, digits and signs such as -, without spaces`,
        at,
      )

/** OpenAPI 3.2, Path Item Object: `additionalOperations` contains the methods without a field of their own. */
const methodFault = (key: string): Said | undefined => {
  if (!isMethod(key))
    return warn(
      'method-is-invalid',
      `${JSON.stringify(key)} is not a valid HTTP method, so the operation is ignored: use letters, digits and signs such as -, without spaces`,
    )
  if (hasField(key))
    return warn(
      'method-has-a-field',
      `${key} has a field of its own in a path item: write the operation under ${key.toLowerCase()}, not under additionalOperations`,
    )
  if (hasField(key.toUpperCase()))
    return warn(
      'method-has-a-field',
      `methods are case-sensitive, so ${key} and ${key.toUpperCase()} are different methods: write the operation under ${key.toLowerCase()} of the path item`,
    )
  return undefined
}

const RULES: {
  readonly [kind in ObjectKind]?: (node: JsonObject, version: string) => readonly Said[]
} = {
  server: ({ url, variables }) => {
    const names = [...(text(url) ?? '').matchAll(/{([^{}]*)}/g)].map(([, name = '']) => name)
    return names
      .filter((name) => !isObject(variables) || !Object.hasOwn(variables, name))
      .map((name) =>
        name === ''
          ? warn('variable-has-no-name', namelessIn('url'), 'url')
          : warn(
              'server-variable-is-undeclared',
              `the variable {${name}} of the url is not declared: declare it in variables, with a default`,
              'url',
            ),
      )
  },

  operation: ({ responses }, version) => {
    if (isObject(responses) && Object.keys(responses).length > 0) return []
    if (responses !== undefined && !isObject(responses)) return []
    const says =
      'the operation declares no responses, so none is typed or validated: declare its responses'
    // OpenAPI 3.1 allows an operation without responses.
    const level = version.startsWith('3.0') || responses !== undefined ? 'warning' : 'note'
    return [{ ...warn('responses-are-missing', says), level }]
  },

  parameter: (node) => {
    const written = text(node.in)
    const place = placeNamed(written)
    const name = text(node.name)
    const says: (Said | undefined)[] = []
    if (written !== undefined && written !== place) {
      const meant =
        place === undefined
          ? (PLACE_HINTS.get(written) ?? `, so it is ignored: write one of ${PLACES.join(', ')}`)
          : `: it is read as in ${place}; write that`
      says.push(
        warn('parameter-place-is-unknown', `a parameter cannot be in ${written}${meant}`, 'in'),
      )
    }
    if (place === 'header' && name !== undefined) says.push(headerFault(name, 'name'))
    if (place === 'path' && node.required !== true) {
      says.push(
        warn(
          'path-parameter-is-not-required',
          `${name ?? 'a parameter'} is in the path, so it is read as required: write required: true`,
          'required' in node ? 'required' : undefined,
        ),
      )
    }
    return says.filter((said) => said !== undefined)
  },

  securityScheme: (node) => {
    const type = text(node.type)
    if (type === undefined) return []
    if (!SCHEMES.includes(type)) {
      const same = SCHEMES.find((known) => known.toLowerCase() === type.toLowerCase())
      const meant =
        same ??
        (/^(basic|bearer)$/i.test(type) ? `http with the scheme ${type.toLowerCase()}` : undefined)
      const how =
        meant === undefined
          ? `, so no credential is sent for it: write one of ${SCHEMES.join(', ')}`
          : `: it is read as ${meant}; write that`
      const message = `${type} is not a type of security scheme${how}`
      return [warn('security-scheme-type-is-unknown', message, 'type')]
    }
    const wanted = type === 'apiKey' ? ['name', 'in'] : type === 'http' ? ['scheme'] : []
    const missing = wanted
      .filter((field) => node[field] === undefined)
      .map((field) =>
        warn('field-is-missing', `a security scheme of type ${type} needs ${field}: add it`),
      )
    if (type !== 'apiKey') return missing
    const faults = [
      placeFault(text(node.in)),
      placeNamed(node.in) === 'header' ? headerFault(text(node.name) ?? '-', 'name') : undefined,
    ]
    return [...missing, ...faults.filter((said) => said !== undefined)]
  },
}

const mediaTypeFault = (key: string): Said | undefined => {
  if (MEDIA_TYPE.test(key)) return undefined
  const meant = meantTypes(key).join(' and ')
  const how =
    key === 'schema'
      ? 'it is read as the schema of application/json; write the media type above it'
      : meant === key
        ? 'write one such as application/json, and under it the schema'
        : `it is read as ${meant}; write that`
  return warn('media-type-invalid', `${key} is not a media type: ${how}`)
}

/** The media types of a key of `content`: `json` means application/json, and some documents write several in one key. */
export function meantTypes(key: string): readonly string[] {
  if (MEDIA_TYPE.test(key)) return [key]
  const parts = key.split(/\s*,\s*/).map((part) => SHORT_TYPES.get(part.toLowerCase()) ?? part)
  return parts.every((part) => MEDIA_TYPE.test(part)) ? parts : [key]
}

const SHORT_TYPES: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['text', 'text/plain'],
  ['html', 'text/html'],
])

const placeFault = (written: string | undefined): Said | undefined => {
  const place = placeNamed(written)
  if (written === undefined || (written === place && KEY_PLACES.includes(place))) return undefined
  const how =
    place !== undefined && KEY_PLACES.includes(place)
      ? `: it is read as in ${place}; write that`
      : `, so no credential is sent for it: write one of ${KEY_PLACES.join(', ')}`
  return warn('security-scheme-place-is-unknown', `a key cannot be in ${written}${how}`, 'in')
}

const KEY_PLACES: readonly string[] = ['query', 'header', 'cookie']

const PLACES = ['path', 'query', 'querystring', 'header', 'cookie'] as const

/** OpenAPI 2.0 had these two places. */
const PLACE_HINTS: ReadonlyMap<string, string> = new Map([
  ['body', ': it is read as the body where requestBody is left out; write it under requestBody'],
  ['formData', ', so it is ignored: a form belongs under requestBody'],
])

/** The place of a parameter or a key, also in other letters, `Header`. */
export const placeNamed = (written: unknown): (typeof PLACES)[number] | undefined =>
  PLACES.find((known) => known === text(written)?.toLowerCase())

const SCHEMES: readonly string[] = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect']
