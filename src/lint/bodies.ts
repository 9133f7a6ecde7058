import type { HttpOperation } from '../model/api.js'
import type { Said } from '../model/finding.js'
import { filesIn, propertyNames } from '../model/form-encoding.js'
import type { MediaType } from '../model/http-content.js'
import { essence, isForm, isJson } from '../runtime/shared/media-type.js'
import { dereference, type Schema, type Schemas, subschemas } from '../schema/schema.js'
import { sourceOf } from '../schema/source.js'
import type { Rule, Survey } from './survey.js'

/** Forms and files: declarations of a body that no request or response can satisfy. */
export const BODY_RULES: readonly Rule[] = [
  {
    id: 'encoding-names-no-property',
    level: 'warning',
    purpose:
      'An Encoding Object applies to the form property with the same name; without that property, it is ignored.',
    find: strayEncodings,
  },
  {
    id: 'encoding-has-no-effect',
    level: 'warning',
    purpose: 'Ignored fields of an Encoding Object do not change the form that is sent.',
    find: vainEncodings,
  },
  {
    id: 'file-cannot-be-sent',
    level: 'warning',
    purpose:
      'JSON, url-encoded forms and objects within a form are text and cannot contain binary data.',
    find: filesInText,
  },
]

const contentsOf = ({ body, responses }: HttpOperation): readonly MediaType[] => [
  ...(body?.content ?? []),
  ...responses.flatMap(({ content }) => content),
]

function* strayEncodings({ http, api }: Survey): Generator<Said> {
  for (const { schema, encodings } of http.flatMap(contentsOf)) {
    if (encodings.length === 0) continue
    const names = propertyNames(schema, api.schemas)
    // The properties of an open form are unknown.
    if (names.length === 0) continue
    for (const { property, source } of encodings) {
      if (names.includes(property)) continue
      yield {
        location: source.locate(),
        message: `the form has no property ${property}: its properties are ${names.join(', ')}`,
        advice: 'correct the name, or remove the encoding',
      }
    }
  }
}

function* vainEncodings({ http }: Survey): Generator<Said> {
  for (const { type, encodings } of http.flatMap(contentsOf)) {
    const isMultipart = essence(type).startsWith('multipart/')
    for (const { style, contentType, headers, source } of encodings) {
      if (!isMultipart && !isForm(type)) {
        yield {
          location: source.locate(),
          message: `an encoding applies only to forms, and this is ${type}`,
          advice: 'remove it',
        }
        continue
      }
      if (style !== undefined && contentType !== undefined)
        yield {
          location: source.locate('contentType'),
          message: 'contentType is ignored next to a style',
          advice: 'remove one of them',
        }
      if (headers.length > 0 && !isMultipart)
        yield {
          location: source.locate('headers'),
          message: `headers of parts apply only to multipart bodies, and this is ${type}`,
          advice: 'remove them',
        }
    }
  }
}

function* filesInText({ http, api: { schemas } }: Survey): Generator<Said> {
  for (const { type, schema } of http.flatMap(contentsOf)) {
    const isMultipart = essence(type) === 'multipart/form-data'
    if (!isMultipart && !isForm(type) && !isJson(type)) continue
    const place = isMultipart ? 'an object within a form' : isJson(type) ? 'JSON' : type
    const roots = isMultipart ? textProperties(schema, schemas) : [schema]
    for (const one of bytesIn(roots, schemas)) {
      const location = sourceOf(one)?.locate()
      if (location)
        yield {
          location,
          message: `${place} is text and cannot carry bytes`,
          advice:
            'encode them in base64: write format: byte, or contentEncoding: base64 from OpenAPI 3.1',
        }
    }
  }
}

/** The properties of a form that are not files. */
function textProperties(form: Schema, schemas: Schemas): readonly Schema[] {
  const files = new Set(filesIn(form, schemas))
  const known = dereference(form, schemas)
  const properties = typeof known === 'object' ? (known.properties ?? {}) : {}
  return Object.entries(properties).flatMap(([name, one]) => (files.has(name) ? [] : [one]))
}

/** Every schema of bytes that other schemas reach, once. */
function bytesIn(roots: readonly Schema[], schemas: Schemas): readonly Exclude<Schema, boolean>[] {
  const found = new Set<Exclude<Schema, boolean>>()
  const waiting = [...roots]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const schema = dereference(one, schemas)
    if (typeof schema === 'boolean' || found.has(schema)) continue
    found.add(schema)
    for (const inner of subschemas(schema)) waiting.push(inner)
  }
  return [...found].filter(({ format }) => format === 'binary')
}
