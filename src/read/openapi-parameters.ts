import type { HttpParameter } from '../model/http-content.js'
import { entriesOf } from '../model/json.js'
import type { Parameter } from '../runtime/operation.js'
import { codecOf } from '../runtime/shared/codecs.js'
import { templateNames } from '../runtime/shared/template.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { readExamples, schemaIn } from './openapi-content.js'
import { flag, flagOf, type ReadContext, text } from './reading.js'
import { isParameterPlace } from './structure-rules.js'

/** The parameters of an operation and of its path item; those of the operation override the others. */
export function readDeclaredParameters(
  node: JsonObject,
  item: JsonObject,
  path: string,
  reading: ReadContext,
): {
  readonly parameters: readonly HttpParameter[]
  readonly unusedPathParameters: readonly HttpParameter[]
} {
  const byKey = new Map<string, HttpParameter>()
  const unusedPathParameters: HttpParameter[] = []
  const lists = [item.parameters, node.parameters].flatMap((list, of) =>
    (Array.isArray(list) ? list : []).map((entry: unknown) => ({ entry, of })),
  )
  const seen = new Set<string>()
  const declared = new Set(lists.map(({ entry }) => text(reading.resolve(entry)?.name)))
  for (const { entry, of } of lists) {
    const parameter = reading.resolve(entry)
    const written = text(parameter?.name)
    if (!parameter || !isParameterPlace(parameter.in) || written === undefined) continue
    const isWholeQuery = parameter.in === 'querystring'
    const place = parameter.in === 'querystring' ? 'query' : parameter.in
    const name = place === 'path' ? nameInPath(written, path, declared) : written
    if (name !== written) {
      reading.report({
        rule: 'path-parameter-is-not-in-path',
        level: 'warning',
        location: reading.source(parameter).locate('name'),
        message: `the path ${path} does not contain {${written}}: the parameter is read as {${name}}; write the same name in both`,
      })
    }
    // OpenAPI 3.0.3, Parameter Object: these three header parameters "SHALL be ignored".
    if (place === 'header' && /^(accept|content-type|authorization)$/i.test(name)) continue
    if (place === 'path' && !path.includes(`{${name}}`)) {
      reading.report({
        rule: 'path-parameter-is-not-in-path',
        level: 'warning',
        location: reading.source(parameter).locate(),
        message: `the path ${path} does not contain {${name}}: the parameter is ignored`,
      })
      unusedPathParameters.push(readParameter(parameter, place, name, reading))
      continue
    }
    const read = readParameter(parameter, place, name, reading)
    // RFC 9110, 5.1: names of header fields are case-insensitive.
    const key = `${place}.${place === 'header' ? name.toLowerCase() : name}`
    // OpenAPI 3.0.3, Operation Object: a list MUST NOT include duplicates; one of the operation overrides that of the path.
    if (seen.has(`${of} ${key}`)) {
      reading.report({
        rule: 'parameter-is-duplicate',
        level: 'warning',
        location: reading.source(parameter).locate(),
        message: `the ${place} parameter ${name} is declared twice in one list, and this declaration is used: keep one of them`,
      })
    }
    seen.add(`${of} ${key}`)
    byKey.set(key, read)
    const { schema } = read
    if (isWholeQuery && [...byKey.values()].some((one) => one.in === 'query' && one !== read)) {
      reading.report({
        rule: 'querystring-is-not-alone',
        level: 'warning',
        location: reading.source(parameter).locate(),
        message: `${name} is the whole query string, but the operation has other query parameters too: declare them as properties of ${name}, or declare all with in: query`,
      })
    }
    if (
      place === 'cookie' &&
      read.explode &&
      typeof schema === 'object' &&
      schema.type === 'object'
    ) {
      reading.report({
        rule: 'cookie-parameter-is-ambiguous',
        level: 'warning',
        location: reading.source(parameter).locate(),
        message: `each property of ${name} is sent as a separate cookie, which servers cannot tell from other cookies: write explode: false`,
      })
    }
  }
  for (const name of templateNames(path)) {
    if (byKey.has(`path.${name}`)) continue
    reading.report({
      rule: 'path-parameter-is-undeclared',
      level: 'warning',
      location: reading.source(node).locate(),
      message: `the path parameter {${name}} is not declared: it is read as a required string`,
    })
    byKey.set(`path.${name}`, undeclared(name, node, reading))
  }
  return { parameters: [...byKey.values()], unusedPathParameters }
}

function readParameter(
  node: JsonObject,
  place: Parameter['in'],
  name: string,
  reading: ReadContext,
): HttpParameter {
  const [mediaType, content] = entriesOf(node.content)[0] ?? []
  const holder = reading.resolve(content) ?? node
  const style = STYLES.find((known) => known === node.style)
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const isListed = (style ?? usual) === 'form' || style === 'cookie'
  const isWholeQuery = node.in === 'querystring'
  const own = mediaType ?? (isWholeQuery ? 'application/x-www-form-urlencoded' : undefined)
  return {
    name,
    in: place,
    required: place === 'path' || flag(node.required),
    style: style ?? usual,
    explode: flagOf(node.explode) ?? isListed,
    ...(flag(node.allowReserved) && { allowReserved: true }),
    ...(own !== undefined && { mediaType: own, codec: codecOf(own) }),
    ...(isWholeQuery && { isWholeQuery }),
    ...(flag(node['x-secret']) && { secret: true }),
    description: text(node.description),
    deprecated: flag(node.deprecated),
    schema: schemaIn(holder, reading),
    examples: readExamples(holder, reading, mediaType),
    source: reading.source(node),
  }
}

/**
 * The name in the path that differs only in its letters' case or its separators: `userID` means `{user_id}`, unless another
 * parameter has that name.
 */
function nameInPath(
  written: string,
  path: string,
  declared: ReadonlySet<string | undefined>,
): string {
  if (path.includes(`{${written}}`)) return written
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '')
  const names = [...path.matchAll(/{([^{}]+)}/g)].map(([, name = '']) => name)
  const nearest = names.find((name) => plain(name) === plain(written))
  return nearest === undefined || declared.has(nearest) ? written : nearest
}

const STYLES = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
  'cookie',
] as const

const undeclared = (name: string, node: JsonObject, reading: ReadContext): HttpParameter => ({
  name,
  in: 'path',
  required: true,
  style: 'simple',
  explode: false,
  description: undefined,
  deprecated: false,
  schema: { type: 'string' },
  examples: [],
  source: reading.source(node),
})
