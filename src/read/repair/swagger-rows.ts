import { isObject } from '../../model/json.js'
import { withoutTrailingSlashes } from '../../runtime/shared/trailing.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { ASSERTIONS } from '../../schema/keywords.js'
import { inSwagger } from './examples.js'
import type { RepairRow, Rewritten } from './repair.js'

/** The faults of Swagger 2.0 documents, which are repaired before the document is converted to OpenAPI 3.0. */
export const SWAGGER_ROWS: readonly RepairRow[] = [
  {
    id: 'schemes-of-urls',
    rule: 'field-has-wrong-type',
    where: ['swagger'],
    fault: 'Swagger 2.0: `schemes: https`, `schemes: [HTTPS://]`',
    meaning: '`[https]`',
    rewrite: (swagger) => {
      if (!isObject(swagger)) return undefined
      const { schemes } = swagger
      const written: unknown = typeof schemes === 'string' ? schemes.split(/[\s,]+/) : schemes
      if (!Array.isArray(written)) return undefined
      const known = written
        .map((one: unknown) =>
          typeof one === 'string' ? one.toLowerCase().replace(/:(\/\/)?$/, '') : one,
        )
        .filter((one) => one !== '')
      if (JSON.stringify(known) === JSON.stringify(schemes)) return undefined
      const why = typeof schemes === 'string' ? 'a list' : 'names, such as https'
      const message = `schemes must be ${why}, not ${JSON.stringify(schemes)}: it is read as [${known.join(', ')}]; write that`
      return { value: { ...swagger, schemes: known }, faults: [{ message, at: ['schemes'] }] }
    },
    example: {
      before: inSwagger({ host: 'a.example', schemes: 'https' }),
      after: inSwagger({ host: 'a.example', schemes: ['https'] }),
      at: '/schemes',
    },
  },
  {
    id: 'base-path-without-slash',
    rule: 'field-has-wrong-type',
    where: ['swagger'],
    fault: 'Swagger 2.0: `basePath: v1`',
    meaning: '`/v1`',
    rewrite: (swagger) => {
      if (!isObject(swagger)) return undefined
      const { basePath } = swagger
      if (typeof basePath !== 'string' || basePath === '') return undefined
      const url = basePath.includes('://') ? partsOf(basePath) : undefined
      const path = `/${(url?.path ?? basePath.trim()).replace(/^\/+/, '')}`
      if (path === basePath) return undefined
      const { fields, written } = moveUp(swagger, url?.scheme, url?.host)
      const advice = [`basePath: ${path}`, ...written].join(', ')
      const message = `basePath must be a path that begins with one slash, not ${basePath}: it is read as ${path}; write ${advice}`
      return {
        value: { ...swagger, ...fields, basePath: path },
        faults: [{ message, at: ['basePath'] }],
      }
    },
    example: {
      before: inSwagger({ host: 'a.example', basePath: 'v1' }),
      after: inSwagger({ host: 'a.example', basePath: '/v1' }),
      at: '/basePath',
    },
  },
  {
    id: 'host-is-a-url',
    rule: 'field-has-wrong-type',
    where: ['swagger'],
    fault: 'Swagger 2.0: `host: https://api.example.com/`',
    meaning: '`api.example.com`',
    rewrite: (swagger) => {
      if (!isObject(swagger) || typeof swagger.host !== 'string') return undefined
      const { host: all, basePath = '' } = swagger
      const { scheme, host, path } = partsOf(all)
      if (host === all) return undefined
      const { fields, written } = moveUp({ ...swagger, host }, scheme, host)
      const isPath = path !== '' && typeof basePath === 'string'
      const whole = isPath ? { basePath: `${path}${basePath}` } : {}
      const advice = [
        ...(host === '' ? [] : [`host: ${host}`, ...written]),
        ...(isPath ? [`basePath: ${whole.basePath}`] : []),
      ].join(', ')
      const message = `host must be a host without a scheme and a path, not ${all}: it is read as ${host || 'no host'}; write ${advice}`
      return {
        value: { ...swagger, ...(host !== '' && fields), host, ...whole },
        faults: [{ message, at: ['host'] }],
      }
    },
    example: {
      before: inSwagger({ host: 'https://a.example/', basePath: '/v1' }),
      after: inSwagger({ host: 'a.example', basePath: '/v1', schemes: ['https'] }),
      at: '/host',
    },
  },
  {
    id: 'place-of-a-form',
    rule: 'parameter-place-is-unknown',
    where: ['swaggerParameter'],
    fault: 'Swagger 2.0: `in: form`, `in: Body`',
    meaning: '`formData`, `body`',
    rewrite: (parameter) => {
      if (!isObject(parameter)) return undefined
      const place = String(parameter.in)
      const repaired = PLACES.get(place.toLowerCase())
      if (repaired === undefined || repaired === place) return undefined
      const message = `a parameter cannot be in ${place}: it is read as in ${repaired}; write that`
      return { value: { ...parameter, in: repaired }, faults: [{ message, at: ['in'] }] }
    },
    example: {
      before: inSwagger({}, { parameters: [{ name: 'f', in: 'form', type: 'string' }] }),
      after: inSwagger({}, { parameters: [{ name: 'f', in: 'formData', type: 'string' }] }),
      at: '/paths/~1a/post/parameters/0/in',
    },
  },
  {
    id: 'body-is-a-reference',
    rule: 'schema-keyword-is-outside-schema',
    where: ['swaggerParameter'],
    fault: "Swagger 2.0: `$ref: '#/definitions/Order'` beside `in: body`",
    meaning: 'the schema of the body',
    rewrite: (parameter) => {
      if (!isObject(parameter) || parameter.in !== 'body') return undefined
      const { $ref, ...others } = parameter
      if (typeof $ref !== 'string' || /^#\/parameters\//.test($ref)) return undefined
      const message = `the body parameter ${parameter.name} has $ref outside its schema: it is read as the schema; write schema: { $ref: '${$ref}' }`
      return { value: { schema: { $ref }, ...others }, faults: [{ message, at: ['$ref'] }] }
    },
    example: {
      before: inSwagger(
        { definitions: { Order: { type: 'object' } } },
        { parameters: [{ name: 'b', in: 'body', $ref: '#/definitions/Order' }] },
      ),
      after: inSwagger(
        { definitions: { Order: { type: 'object' } } },
        { parameters: [{ name: 'b', in: 'body', schema: { $ref: '#/definitions/Order' } }] },
      ),
      at: '/paths/~1a/post/parameters/0/$ref',
    },
  },
  {
    id: 'body-without-schema',
    rule: 'schema-keyword-is-outside-schema',
    where: ['swaggerParameter'],
    fault: 'Swagger 2.0: keywords of a schema beside `in: body`',
    meaning: 'the schema of the body',
    rewrite: (parameter) => {
      if (!isObject(parameter) || '$ref' in parameter) return undefined
      if (parameter.in !== 'body' || parameter.schema !== undefined) return undefined
      const message = `the body parameter ${parameter.name} has no schema: its own keywords are read as the schema; put them under schema`
      return withSchema(parameter, message)
    },
    example: {
      before: inSwagger({}, { parameters: [{ name: 'b', in: 'body', type: 'string' }] }),
      after: inSwagger({}, { parameters: [{ name: 'b', in: 'body', schema: { type: 'string' } }] }),
      at: '/paths/~1a/post/parameters/0',
    },
  },
  {
    id: 'response-is-a-schema',
    rule: 'schema-keyword-is-outside-schema',
    where: ['swaggerResponse'],
    fault: "Swagger 2.0: `$ref: '#/definitions/Order'` as a response",
    meaning: 'the schema of the response',
    rewrite: (response, { name }) => {
      if (!isObject(response)) return undefined
      const { $ref, ...others } = response
      if (typeof $ref !== 'string' || !$ref.startsWith('#/definitions/')) return undefined
      const message = `the response ${name} refers to a schema: it is read as a response with this schema; write schema: { $ref: '${$ref}' }`
      return { value: { schema: { $ref }, ...others }, faults: [{ message, at: ['$ref'] }] }
    },
    example: {
      before: inSwagger(
        { definitions: { Order: { type: 'object' } } },
        { responses: { 200: { description: '', $ref: '#/definitions/Order' } } },
      ),
      after: inSwagger(
        { definitions: { Order: { type: 'object' } } },
        { responses: { 200: { description: '', schema: { $ref: '#/definitions/Order' } } } },
      ),
      at: '/paths/~1a/post/responses/200/$ref',
    },
  },
  {
    id: 'response-without-schema',
    rule: 'schema-keyword-is-outside-schema',
    where: ['swaggerResponse'],
    fault: 'Swagger 2.0: `type` or `properties` in a response',
    meaning: 'the schema of the response',
    rewrite: (response, { name }) => {
      if (!isObject(response) || response.schema !== undefined) return undefined
      if (!('type' in response) && !('properties' in response)) return undefined
      const message = `the response ${name} has no schema: its own keywords are read as the schema; put them under schema`
      return withSchema(response, message)
    },
    example: {
      before: inSwagger({}, { responses: { 200: { description: '', type: 'string' } } }),
      after: inSwagger({}, { responses: { 200: { description: '', schema: { type: 'string' } } } }),
      at: '/paths/~1a/post/responses/200',
    },
  },
]

/** The holder with its keywords of schemas under `schema`. */
function withSchema(holder: JsonObject, message: string): Rewritten {
  const isKeyword = ([key]: [string, unknown]) => ASSERTIONS.has(key) && key !== 'required'
  const entries = Object.entries(holder)
  const schema = Object.fromEntries(entries.filter(isKeyword))
  const others = entries.filter((entry) => !isKeyword(entry))
  return { value: { ...Object.fromEntries(others), schema }, faults: [{ message }] }
}

const PLACES: ReadonlyMap<string, string> = new Map([
  ['body', 'body'],
  ['form', 'formData'],
  ['formdata', 'formData'],
])

/** The scheme and the host of a URL where the document has none of its own, and what to write. */
function moveUp(swagger: JsonObject, scheme: string | undefined, host: string | undefined) {
  const { schemes, host: own } = swagger
  const hasSchemes = Array.isArray(schemes) && schemes.length > 0
  const hasHost = typeof own === 'string' && own !== ''
  const isHost = host !== undefined && !hasHost
  const isScheme = scheme !== undefined && !hasSchemes
  return {
    fields: { ...(isHost && { host }), ...(isScheme && { schemes: [scheme] }) },
    written: [...(isHost ? [`host: ${host}`] : []), ...(isScheme ? [`schemes: [${scheme}]`] : [])],
  }
}

/** The parts of a URL whose scheme may be missing; the path has no slash at its end. */
function partsOf(written: string) {
  const [, scheme, host = '', path = ''] =
    /^(?:(?:([a-z][a-z\d+.-]*):)?\/\/)?([^/?#]*)([^?#]*)/i.exec(written.trim()) ?? []
  return { scheme: scheme?.toLowerCase(), host, path: withoutTrailingSlashes(path) }
}
