import { DocumentError, type Finding, type WarnAt } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { convertedFrom, type Document } from './document.js'
import { repairDocument } from './repair/repair.js'
import { SWAGGER_ROWS } from './repair/swagger-rows.js'
import { inlineBodies, isRecord, SWAGGER_METHODS } from './swagger-bodies.js'
import { withSoundShapes } from './swagger-shapes.js'

/**
 * Converts a Swagger 2.0 document to OpenAPI 3.0 and keeps the positions; any other document is returned unchanged. The
 * converter is an optional peer dependency. Rejects with DocumentError if it is not installed.
 */
export async function convertSwagger(
  document: Document,
  report: (finding: Finding) => void,
): Promise<Document> {
  const { value } = document
  if (!isObject(value) || !/^2(\.0)?(\.|$)/.test(String(value.swagger))) return document
  const location = document.locate('/swagger')
  const converter = await import('@scalar/openapi-upgrader/2.0-to-3.0').catch((cause: unknown) => {
    const message =
      'Swagger 2.0 is read through @scalar/openapi-upgrader, which is not installed: npm install --save-dev @scalar/openapi-upgrader'
    const finding: Finding = {
      rule: 'document-version-is-unknown',
      level: 'error',
      location,
      message,
    }
    throw new DocumentError(finding, { cause })
  })
  report({
    rule: 'document-is-converted',
    level: 'note',
    location,
    message:
      'the document is Swagger 2.0: it is read as OpenAPI 3.0, converted by @scalar/openapi-upgrader',
  })
  const repaired = repairDocument(document, 'swagger', SWAGGER_ROWS, report)
  // The converter modifies its input.
  const copy = structuredClone(repaired)
  const warn: WarnAt = (rule, pointer, message) =>
    report({ rule, level: 'warning', location: document.locate(pointer), message })
  const shaped = withSoundShapes(copy, (finding, pointer) =>
    report({ ...finding, location: document.locate(pointer) }),
  )
  const completed = { ...(shaped as JsonObject), swagger: '2.0' }
  complete(completed, warn)
  const original = structuredClone(completed)
  const converted: unknown = converter.upgradeFromTwoToThree(completed)
  restore(original, converted)
  return convertedFrom(document, withoutPlaceholders(converted), swaggerPointer)
}

/** Replaces a missing `in` of a parameter, for which the converter would throw. */
const NO_PLACE = 'no place'

function withoutPlaceholders(value: unknown): unknown {
  const text = JSON.stringify(value)
  if (!text.includes(NO_PLACE)) return value
  return JSON.parse(text, (key, one) => (key === 'in' && one === NO_PLACE ? undefined : one))
}

/** Writes the defaults of Swagger 2.0 and removes fields that OpenAPI 3.0 does not have: the converter does neither. */
function complete(swagger: Record<string, unknown>, report: WarnAt): void {
  const completeParameters = (pointer: string, parameters: unknown) => {
    const all = Array.isArray(parameters)
      ? Object.entries<unknown>(parameters)
      : entriesOf(parameters)
    for (const [key, parameter] of all) {
      if (!isRecord(parameter)) continue
      const { name, type, collectionFormat } = parameter
      if (!('$ref' in parameter)) parameter.in ||= NO_PLACE
      if (isRecord(parameter.items)) delete parameter.items.collectionFormat
      if (type !== 'array') continue
      if (collectionFormat === undefined) parameter.collectionFormat = 'csv'
      if (collectionFormat !== 'tsv') continue
      const message = `OpenAPI does not have tab-separated lists: ${name} is read as a string, and callers must write the tabs`
      report('document-is-converted', `${pointer}${pointerOf(key, 'collectionFormat')}`, message)
      for (const keyword of LIST_KEYWORDS) delete parameter[keyword]
      parameter.type = 'string'
    }
  }
  const completeResponses = (responses: unknown) => {
    for (const [, response] of entriesOf(responses)) {
      if (!isRecord(response)) continue
      for (const [, header] of entriesOf(response.headers)) {
        if (!isRecord(header)) continue
        delete header.collectionFormat
        if (isRecord(header.items)) delete header.items.collectionFormat
      }
    }
  }
  inlineBodies(swagger, report)
  completeParameters('/parameters', swagger.parameters)
  completeResponses(swagger.responses)
  for (const [path, item] of entriesOf(swagger.paths)) {
    if (!isRecord(item)) continue
    completeParameters(pointerOf('paths', path, 'parameters'), item.parameters)
    for (const [method, operation] of entriesOf(item)) {
      if (!isRecord(operation)) continue
      completeParameters(pointerOf('paths', path, method, 'parameters'), operation.parameters)
      completeResponses(operation.responses)
      delete operation.schemes
      const { produces = swagger.produces } = operation
      const isNamed = Array.isArray(produces) && produces.length > 0
      if (!isNamed && answersFiles(operation.responses)) operation.produces = [FILE]
    }
  }
}

/** Writes what the converter omits: whether a form is required, and schemas of media types in responses with examples. */
function restore(swagger: JsonObject, converted: unknown): void {
  if (!isRecord(converted)) return
  // The converter leaves these where they describe no server.
  for (const field of ['host', 'basePath', 'schemes']) delete converted[field]
  const { paths, components } = converted
  for (const [path, item] of entriesOf(swagger.paths)) {
    for (const [method, operation] of entriesOf(item)) {
      const known = member(member(paths, path), method)
      if (!SWAGGER_METHODS.has(method) || !isObject(operation) || !isRecord(known)) continue
      const { parameters, responses, produces } = operation
      const isRequired = (one: unknown) =>
        isObject(one) && one.in === 'formData' && one.required === true
      const isForm = Array.isArray(parameters) && parameters.some(isRequired)
      if (isForm && isRecord(known.requestBody)) known.requestBody.required = true
      restoreSchemas(responses, known.responses, produces ?? swagger.produces)
    }
  }
  restoreSchemas(swagger.responses, member(components, 'responses'), swagger.produces)
}

function restoreSchemas(responses: unknown, converted: unknown, produces: unknown): void {
  for (const [key, response] of entriesOf(responses)) {
    const content = member(member(converted, key), 'content')
    if (!isObject(response) || !isObject(response.schema) || !isRecord(content)) continue
    const schemas = Object.values(content).map((media) => member(media, 'schema'))
    const schema = schemas.find((one) => one !== undefined) ?? response.schema
    const types = Array.isArray(produces) ? produces.map(String) : ['application/json']
    for (const type of [...types, ...Object.keys(content)]) {
      const media = content[type]
      content[type] = { schema, ...(isObject(media) && media) }
    }
  }
}

const member = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

const LIST_KEYWORDS = [
  'items',
  'collectionFormat',
  'minItems',
  'maxItems',
  'uniqueItems',
  'default',
]

/** The media type of a file without one: the converter would use JSON. */
const FILE = 'application/octet-stream'

/** Whether all bodies are files. */
function answersFiles(responses: unknown): boolean {
  const schemas = entriesOf(responses).flatMap(([, response]) =>
    isObject(response) && isObject(response.schema) ? [response.schema] : [],
  )
  return schemas.length > 0 && schemas.every(({ type }) => type === 'file')
}

/** The pointer in Swagger 2.0 for a pointer in OpenAPI 3.0. A place that does not exist has its nearest ancestor's. */
function swaggerPointer(pointer: string): string {
  const [first = '', second = '', ...rest] = segmentsOf(pointer)
  if (first === 'openapi') return '/swagger'
  if (first === 'servers') return '/host'
  if (first === 'components') {
    const section = SECTIONS.get(second)
    return pointerOf(...(section === undefined ? [] : [section]), ...inSwagger(rest))
  }
  return first === '' ? pointer : pointerOf(first, ...inSwagger([second, ...rest]))
}

const SECTIONS: ReadonlyMap<string, string> = new Map([
  ['schemas', 'definitions'],
  ['parameters', 'parameters'],
  ['requestBodies', 'parameters'],
  ['responses', 'responses'],
  ['securitySchemes', 'securityDefinitions'],
])

/** Without `content` and its media type, which are elsewhere in Swagger 2.0. */
function inSwagger(segments: readonly string[]): readonly string[] {
  const body = segments.indexOf('requestBody')
  if (body >= 0) return [...segments.slice(0, body), 'parameters']
  const content = segments.indexOf('content')
  const schema = segments[content + 2] === 'schema'
  return content >= 0 && schema
    ? [...segments.slice(0, content), ...segments.slice(content + 2)]
    : segments.filter((segment) => segment !== '')
}
