import { isObject, isReference } from '../../model/json.js'
import { hasField } from '../../model/path-item.js'
import { JSON_TYPE } from '../../runtime/shared/media-type.js'
import { text } from '../reading.js'
import {
  BODY_HINT,
  isStatus,
  KEY_PLACES,
  PARAMETER_PLACES,
  SCHEME_TYPES,
} from '../structure-rules.js'
import { wrongType } from '../structure-table.js'

import { ID, inOperation, inPaths, inRoot, inScheme, RESPONSES } from './examples.js'
import { type Here, type RepairRow, type Rewritten, renameKeys, without } from './repair.js'

/** The faults of OpenAPI documents outside bodies and schemas. */
export const OPENAPI_ROWS: readonly RepairRow[] = [
  {
    id: 'path-without-slash',
    rule: 'path-has-no-slash',
    where: ['paths'],
    fault: '`orders` as a path',
    meaning: '`/orders`',
    rewrite: (paths) =>
      readAs(paths, (key, item) =>
        key.startsWith('/') || !isObject(item) ? key : repairedPath(key),
      ),
    example: {
      before: inPaths({ orders: { get: { responses: RESPONSES } } }),
      after: inPaths({ '/orders': { get: { responses: RESPONSES } } }),
      at: '/paths/orders',
    },
  },
  {
    id: 'path-template-of-a-router',
    rule: 'path-template-is-inexact',
    where: ['paths'],
    fault: '`/orders/:id`, `/orders/{id:[0-9]+}`, `/files/{path+}`, `/users/<int:id>`',
    meaning: '`/orders/{id}`, `/files/{path}`, `/users/{id}`',
    rewrite: (paths) =>
      readAs(paths, (key, item) =>
        key.startsWith('/') && isObject(item) ? repairedPath(key) : key,
      ),
    example: {
      before: inPaths({ '/orders/:id': { parameters: [ID], get: { responses: RESPONSES } } }),
      after: inPaths({ '/orders/{id}': { parameters: [ID], get: { responses: RESPONSES } } }),
      at: '/paths/~1orders~1:id',
    },
  },
  {
    id: 'method-in-capitals',
    rule: 'field-is-unknown',
    where: ['pathItem'],
    fault: '`GET` as a method',
    meaning: '`get`',
    rewrite: (item) =>
      readAs(item, (key, value) =>
        isObject(value) && hasField(key.toUpperCase()) ? key.toLowerCase() : key,
      ),
    example: {
      before: inPaths({ '/a': { GET: { responses: RESPONSES } } }),
      after: inPaths({ '/a': { get: { responses: RESPONSES } } }),
      at: '/paths/~1a/GET',
    },
  },
  {
    id: 'servers-without-list',
    rule: 'field-has-wrong-type',
    where: ['[server]'],
    fault: '`servers: https://api.example.com`, `servers: { url: … }`',
    meaning: '`servers: [{ url: … }]`',
    rewrite: (value, { name, place, put }) => {
      if (typeof value === 'string')
        return wrong([put({ url: value })], wrongType(name, value, place, 'it is read as the url'))
      if (!isObject(value)) return undefined
      return wrong([put(value)], wrongType(name, value, place, 'it is read as a list of one'))
    },
    example: {
      before: inRoot({ servers: 'https://api.example.com' }),
      after: inRoot({ servers: [{ url: 'https://api.example.com' }] }),
      at: '/servers',
    },
  },
  {
    id: 'server-without-object',
    rule: 'field-has-wrong-type',
    where: ['server'],
    fault: '`servers: [https://api.example.com]`',
    meaning: '`servers: [{ url: … }]`',
    rewrite: (value, { name, place }) =>
      typeof value === 'string'
        ? wrong({ url: value }, wrongType(name, value, place, 'it is read as the url'))
        : undefined,
    example: {
      before: inRoot({ servers: ['https://api.example.com'] }),
      after: inRoot({ servers: [{ url: 'https://api.example.com' }] }),
      at: '/servers/0',
    },
  },
  {
    id: 'server-without-scheme',
    rule: 'server-url-has-no-scheme',
    where: ['server'],
    fault: '`url: api.example.com/v1`, `url: //api.example.com/v1`, `url: localhost:8080`',
    meaning: '`https://api.example.com/v1`, `http://localhost:8080`',
    rewrite: (server) => {
      const url = isObject(server) ? text(server.url) : undefined
      const whole = url && withScheme(url)
      if (!isObject(server) || whole === url) return undefined
      const message = `the URL of the server has no scheme, so other tools read it as a path: Twinspec reads it as ${whole}; write the scheme`
      return { value: { ...server, url: whole }, faults: [{ message, at: ['url'] }] }
    },
    example: {
      before: inRoot({ servers: [{ url: 'api.example.com/v1' }] }),
      after: inRoot({ servers: [{ url: 'https://api.example.com/v1' }] }),
      at: '/servers/0/url',
    },
  },
  {
    id: 'security-without-list',
    rule: 'field-has-wrong-type',
    where: ['[requirement]'],
    fault: '`security: key`, `security: { key: [] }`',
    meaning: '`security: [{ key: [] }]`',
    rewrite: (value, { name, place, put }) => {
      if (typeof value === 'string')
        return wrong(
          [put({ [value]: [] })],
          wrongType(name, value, place, `it is read as { ${value}: [] }`),
        )
      if (!isObject(value)) return undefined
      return wrong([put(value)], wrongType(name, value, place, 'it is read as a list of one'))
    },
    example: {
      before: inScheme({ type: 'http', scheme: 'basic' }, { security: { key: [] } }),
      after: inScheme({ type: 'http', scheme: 'basic' }, { security: [{ key: [] }] }),
      at: '/security',
    },
  },
  {
    id: 'requirement-without-object',
    rule: 'field-has-wrong-type',
    where: ['requirement'],
    fault: '`security: [key]`',
    meaning: '`security: [{ key: [] }]`',
    rewrite: (value, { name, place }) =>
      typeof value === 'string'
        ? wrong({ [value]: [] }, wrongType(name, value, place, `it is read as { ${value}: [] }`))
        : undefined,
    example: {
      before: inScheme({ type: 'http', scheme: 'basic' }, { security: ['key'] }),
      after: inScheme({ type: 'http', scheme: 'basic' }, { security: [{ key: [] }] }),
      at: '/security/0',
    },
  },
  {
    id: 'status-is-repeated',
    rule: 'response-status-is-duplicate',
    where: ['responses'],
    fault: '`4xx` and `4XX` of one operation',
    meaning: 'the first of them',
    rewrite: (responses) => {
      if (!isObject(responses)) return undefined
      const seen = new Set<string>()
      const repeated = Object.keys(responses).filter((key) => {
        const status = repairedStatus(key)
        return seen.has(status) || !seen.add(status)
      })
      if (repeated.length === 0) return undefined
      return {
        value: without(responses, repeated),
        faults: repeated.map((key) => ({
          message: `the response ${repairedStatus(key)} is already declared, so ${key} is ignored: keep one of them`,
          at: [key],
        })),
      }
    },
    example: {
      before: inOperation({
        responses: { '4XX': { description: 'A.' }, '4xx': { description: 'B.' } },
      }),
      after: inOperation({ responses: { '4XX': { description: 'A.' } } }),
      at: '/paths/~1a/get/responses/4xx',
    },
  },
  {
    id: 'status-in-other-letters',
    rule: 'response-has-no-status',
    where: ['responses'],
    fault: '`4xx` or `Default` as a status',
    meaning: '`4XX`, `default`',
    rewrite: (responses) => readAs(responses, repairedStatus),
    example: {
      before: inOperation({ responses: { '4xx': { description: 'No.' } } }),
      after: inOperation({ responses: { '4XX': { description: 'No.' } } }),
      at: '/paths/~1a/get/responses/4xx',
    },
  },
  {
    id: 'response-is-text',
    rule: 'field-has-wrong-type',
    where: ['response'],
    fault: '`200: Done`',
    meaning: '`{ description: Done }`',
    rewrite: (value, { name, place }) =>
      typeof value === 'string'
        ? wrong(
            { description: value },
            wrongType(name, value, place, 'it is read as the description'),
          )
        : undefined,
    example: {
      before: inOperation({ responses: { 200: 'Done' } }),
      after: inOperation({ responses: { 200: { description: 'Done' } } }),
      at: '/paths/~1a/get/responses/200',
    },
  },
  {
    id: 'response-without-fields',
    rule: 'field-has-wrong-type',
    where: ['response', 'mediaType'],
    fault: '`204:` or `application/json:` without fields',
    meaning: 'an empty response, any JSON value',
    rewrite: (value, { name, place }) =>
      value === null
        ? wrong({}, wrongType(name, value, place, 'it is read as an empty object'))
        : undefined,
    example: {
      before: inOperation({ responses: { 204: null } }),
      after: inOperation({ responses: { 204: {} } }),
      at: '/paths/~1a/get/responses/204',
    },
  },
  {
    id: 'parameter-place-in-capitals',
    rule: 'parameter-place-is-unknown',
    where: ['parameter'],
    fault: '`in: Header` of a parameter',
    meaning: '`in: header`',
    rewrite: (value) => {
      if (!isObject(value)) return undefined
      const written = text(value.in)
      const place = inLowerCase(written, PARAMETER_PLACES)
      if (place === undefined || place === written) return undefined
      const message = `a parameter cannot be in ${written}: it is read as in ${place}; write that`
      return { value: { ...value, in: place }, faults: [{ message, at: ['in'] }] }
    },
    example: {
      before: inOperation({ parameters: [{ name: 'q', in: 'Query', schema: {} }] }),
      after: inOperation({ parameters: [{ name: 'q', in: 'query', schema: {} }] }),
      at: '/paths/~1a/get/parameters/0/in',
    },
  },
  {
    id: 'path-parameter-is-optional',
    rule: 'path-parameter-is-not-required',
    where: ['parameter'],
    fault: '`in: path` without `required: true`',
    meaning: '`required: true`',
    rewrite: (value) => {
      if (!isObject(value) || value.in !== 'path' || value.required === true) return undefined
      const message = `${text(value.name) ?? 'a parameter'} is in the path, so it is read as required: write required: true`
      return {
        value: { ...value, required: true },
        faults: [{ message, ...('required' in value && { at: ['required'] }) }],
      }
    },
    example: {
      before: inPaths({
        '/{id}': { get: { parameters: [{ ...ID, required: false }], responses: RESPONSES } },
      }),
      after: inPaths({ '/{id}': { get: { parameters: [ID], responses: RESPONSES } } }),
      at: '/paths/~1{id}/get/parameters/0/required',
    },
  },
  {
    id: 'body-among-parameters',
    rule: 'parameter-place-is-unknown',
    where: ['operation'],
    fault: '`in: body` of a parameter, without `requestBody`',
    meaning: 'the body, as `application/json`',
    rewrite: bodyOfParameters,
    example: {
      before: inOperation(
        { parameters: [{ name: 'b', in: 'body', schema: { type: 'string' } }] },
        {},
        'post',
      ),
      after: inOperation(
        {
          parameters: [],
          requestBody: { content: { 'application/json': { schema: { type: 'string' } } } },
        },
        {},
        'post',
      ),
      at: '/paths/~1a/post/parameters/0/in',
    },
  },
  {
    id: 'security-scheme-is-of-http',
    rule: 'security-scheme-type-is-unknown',
    where: ['securityScheme'],
    fault: '`type: basic` or `bearer` of a security scheme, `type: apikey`',
    meaning: '`http` with this scheme, `apiKey`',
    rewrite: (value) => {
      if (!isObject(value)) return undefined
      const type = text(value.type)
      if (type === undefined || SCHEME_TYPES.includes(type)) return undefined
      const known = inLowerCase(type, SCHEME_TYPES)
      const scheme = /^(basic|bearer)$/i.test(type) ? type.toLowerCase() : undefined
      if (known === undefined && scheme === undefined) return undefined
      const repaired = known ?? `http with the scheme ${scheme}`
      const message = `${type} is not a type of security scheme: it is read as ${repaired}; write that`
      return {
        value: { ...value, ...(known ? { type: known } : { type: 'http', scheme }) },
        faults: [{ message, at: ['type'] }],
      }
    },
    example: {
      before: inScheme({ type: 'basic' }, { security: [{ key: [] }] }),
      after: inScheme({ type: 'http', scheme: 'basic' }, { security: [{ key: [] }] }),
      at: '/components/securitySchemes/key/type',
    },
  },
  {
    id: 'key-place-in-capitals',
    rule: 'security-scheme-place-is-unknown',
    where: ['securityScheme'],
    fault: '`in: Header` of a key',
    meaning: '`in: header`',
    rewrite: (value) => {
      if (!isObject(value) || value.type !== 'apiKey') return undefined
      const written = text(value.in)
      const place = inLowerCase(written, KEY_PLACES)
      if (place === undefined || place === written) return undefined
      const message = `a key cannot be in ${written}: it is read as in ${place}; write that`
      return { value: { ...value, in: place }, faults: [{ message, at: ['in'] }] }
    },
    example: {
      before: inScheme(
        { type: 'apiKey', in: 'Header', name: 'X-Key' },
        { security: [{ key: [] }] },
      ),
      after: inScheme({ type: 'apiKey', in: 'header', name: 'X-Key' }, { security: [{ key: [] }] }),
      at: '/components/securitySchemes/key/in',
    },
  },
  {
    id: 'flag-in-quotes',
    rule: 'field-has-wrong-type',
    where: ['flag'],
    fault: "`required: 'true'`",
    meaning: '`true`',
    rewrite: (value, { name, place }) =>
      value === 'true' || value === 'false'
        ? wrong(value === 'true', wrongType(name, value, place))
        : undefined,
    example: {
      before: inOperation({ deprecated: 'true', responses: RESPONSES }),
      after: inOperation({ deprecated: true, responses: RESPONSES }),
      at: '/paths/~1a/get/deprecated',
    },
  },
  {
    id: 'list-without-items',
    rule: 'field-has-wrong-type',
    where: ['list', 'map'],
    fault: '`parameters:` without a value, `headers: []`',
    meaning: 'an empty list, an empty object',
    rewrite: (value, { name, place }) => {
      // A YAML key without a value is null, and PHP writes an empty map as an empty list.
      const isNull = value === null && !place.needed
      const isEmpty = place.form === 'map' && Array.isArray(value) && value.length === 0
      if (!isNull && !isEmpty) return undefined
      return wrong(place.form === 'map' ? {} : [], wrongType(name, value, place))
    },
    example: {
      before: inOperation({ parameters: null, responses: RESPONSES }),
      after: inOperation({ parameters: [], responses: RESPONSES }),
      at: '/paths/~1a/get/parameters',
    },
  },
]

const wrong = (value: unknown, message: string): Rewritten => ({ value, faults: [{ message }] })

const inLowerCase = (written: string | undefined, known: readonly string[]) =>
  known.find((one) => one.toLowerCase() === written?.toLowerCase())

/** An object of which the keys are read as others. */
function readAs(
  node: unknown,
  repaired: (key: string, value: unknown) => string,
): Rewritten | undefined {
  const done = isObject(node) ? renameKeys(node, repaired) : undefined
  if (!done) return undefined
  const faults = Object.entries(done.keys ?? {}).map(([name, [key = '']]) => ({
    message: `${key === '' ? 'an empty key' : key} is read as ${name}: write that`,
    at: [key],
  }))
  return { ...done, faults }
}

/**
 * A path as OpenAPI writes it. Some documents omit the first slash, or write parameters as a router does: `orders/:id`,
 * `/orders/{id:[0-9]+}`, `/files/{path+}` and `/users/<int:id>` are `/orders/{id}`, `/files/{path}` and `/users/{id}`.
 */
export const repairedPath = (key: string): string => {
  if (key.startsWith('x-')) return key
  const path = /^([^/\s:?#]+(\/|$)|$)/.test(key) ? `/${key}` : key
  return path
    .replace(/\/:([a-z_]\w*)(?=\/|$)/gi, '/{$1}')
    .replace(/\/<(?:\w+:)?([a-z_]\w*)>(?=\/|$)/gi, '/{$1}')
    .replace(/\/{{\s*(\w+)\s*}}(?=\/|$)/g, '/{$1}')
    .replace(/{\s*[+*]?([\w.-]+?)[+*]?\s*}/g, '{$1}')
    .replace(/\/{([a-z_]\w*):[^/]*}(?=\/|$)/gi, '/{$1}')
}

/** A URL that begins with a host, though RFC 3986 reads `api.example.com/v1` as a relative path. */
function withScheme(url: string): string {
  const [authority = ''] = /^[^/?#]*/.exec(url) ?? []
  if (url.includes('://') || authority.startsWith('$')) return url
  if (url.startsWith('//')) return `https:${url}`
  if (/^localhost\b/i.test(authority)) return `http://${url}`
  return /^[^.].*(\.[a-z]{2,}|:(\d+|\{[^{}]*\}))$/i.test(authority) ? `https://${url}` : url
}

/** The key of a response in the letters of the specification. */
const repairedStatus = (key: string): string => {
  const [upper, lower] = [key.toUpperCase(), key.toLowerCase()]
  return isStatus(upper) ? upper : isStatus(lower) ? lower : key
}

/** Swagger 2.0 has the body among the parameters. */
function bodyOfParameters(value: unknown, { follow, put }: Here): Rewritten | undefined {
  if (!isObject(value) || !Array.isArray(value.parameters)) return undefined
  if (value.requestBody !== undefined) return undefined
  const parameters: readonly unknown[] = value.parameters
  const bodyAt = (one: unknown, at: number) => {
    const target = isReference(one) ? follow(one.$ref, 'parameters', String(at))?.value : one
    return isObject(target) && target.in === 'body' && target.schema !== undefined
      ? target
      : undefined
  }
  const index = parameters.findIndex((one, at) => bodyAt(one, at) !== undefined)
  const body = bodyAt(parameters[index], index)
  if (body === undefined) return undefined
  const place = ['parameters', String(index)]
  const { name: _, in: __, schema, example, ...fields } = body
  const media = put({ schema, ...(example !== undefined && { example }) }, ...place)
  const content = put({ [JSON_TYPE]: media }, ...place)
  const others = parameters.flatMap((one, at) => {
    if (at === index) return []
    return isObject(one) ? put(one, 'parameters', String(at)) : [one]
  })
  return {
    value: {
      ...value,
      parameters: put(others, 'parameters'),
      requestBody: put({ ...fields, content }, ...place),
    },
    faults: [{ message: BODY_HINT, at: isReference(parameters[index]) ? place : [...place, 'in'] }],
  }
}
