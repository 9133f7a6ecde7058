import type { Finding } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { hasField, isMethod } from '../model/path-item.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { text } from './reading.js'
import type { ObjectField, ObjectKind } from './structure-table.js'

/** The fault in the name of a member of a map. */
export function faultOfKey(keys: ObjectField['keys'], key: string): StructureFault | undefined {
  switch (keys) {
    case 'path':
      if (key.startsWith('/')) return undefined
      return warn(
        'path-has-no-slash',
        `the path ${key} does not begin with a slash, so it is ignored: write /${key}`,
      )
    case 'status':
      if (isStatus(key)) return undefined
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
export function structureFaults(
  kind: ObjectKind,
  node: JsonObject,
  version: string,
): readonly StructureFault[] {
  return RULES[kind]?.(node, version) ?? []
}

export type StructureFault = Pick<Finding, 'rule' | 'level' | 'message'> & {
  /** The faulty field; undefined for the whole object. */
  readonly at?: string | undefined
}

/** The message for `{}` in a template. */
export const namelessIn = (what: 'path' | 'url'): string =>
  `{} in the ${what} contains no name, so no value can replace it: write a name between the braces`

const warn = (rule: string, message: string, at?: string): StructureFault => ({
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
const headerFault = (name: string, at?: string): StructureFault | undefined =>
  HEADER_NAME.test(name)
    ? undefined
    : warn(
        'header-name-invalid',
        `${JSON.stringify(name)} is not a valid header name: use letters, digits and signs such as -, without spaces`,
        at,
      )

/** OpenAPI 3.2, Path Item Object: `additionalOperations` contains the methods without a field of their own. */
const methodFault = (key: string): StructureFault | undefined => {
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
  readonly [kind in ObjectKind]?: (node: JsonObject, version: string) => readonly StructureFault[]
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
    const name = text(node.name)
    if (written !== undefined && !isParameterPlace(written)) {
      const message =
        PLACE_HINTS.get(written) ??
        `a parameter cannot be in ${written}, so it is ignored: write one of ${PARAMETER_PLACES.join(', ')}`
      return [warn('parameter-place-is-unknown', message, 'in')]
    }
    const fault = written === 'header' && name !== undefined ? headerFault(name, 'name') : undefined
    return fault ? [fault] : []
  },

  securityScheme: (node) => {
    const type = text(node.type)
    if (type === undefined) return []
    if (!SCHEME_TYPES.includes(type)) {
      const message = `${type} is not a type of security scheme, so no credential is sent for it: write one of ${SCHEME_TYPES.join(', ')}`
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
      node.in === 'header' ? headerFault(text(node.name) ?? '-', 'name') : undefined,
    ]
    return [...missing, ...faults.filter((fault) => fault !== undefined)]
  },
}

const mediaTypeFault = (key: string): StructureFault | undefined =>
  isMediaType(key)
    ? undefined
    : warn(
        'media-type-invalid',
        `${key} is not a media type: write one such as application/json, and under it the schema`,
      )

export const isMediaType = (key: string): boolean => MEDIA_TYPE.test(key)

/** OpenAPI 3.0.3, Responses Object: a status, a range such as 4XX, or default. */
export const isStatus = (key: string): boolean => /^([1-5]\d\d|[1-5]XX|default)$/.test(key)

const placeFault = (written: string | undefined): StructureFault | undefined =>
  written === undefined || KEY_PLACES.includes(written)
    ? undefined
    : warn(
        'security-scheme-place-is-unknown',
        `a key cannot be in ${written}, so no credential is sent for it: write one of ${KEY_PLACES.join(', ')}`,
        'in',
      )

export const KEY_PLACES: readonly string[] = ['query', 'header', 'cookie']

export const PARAMETER_PLACES = ['path', 'query', 'querystring', 'header', 'cookie'] as const

export const isParameterPlace = (written: unknown): written is (typeof PARAMETER_PLACES)[number] =>
  PARAMETER_PLACES.some((place) => place === written)

export const BODY_HINT =
  'a parameter cannot be in body: it is read as the body where requestBody is left out; write it under requestBody'

/** OpenAPI 2.0 had these two places. */
const PLACE_HINTS: ReadonlyMap<string, string> = new Map([
  ['body', BODY_HINT],
  [
    'formData',
    'a parameter cannot be in formData, so it is ignored: a form belongs under requestBody',
  ],
])

export const SCHEME_TYPES: readonly string[] = [
  'apiKey',
  'http',
  'mutualTLS',
  'oauth2',
  'openIdConnect',
]
