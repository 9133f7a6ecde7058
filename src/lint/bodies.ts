import type { HttpOperation } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import { filesIn, propertyNames } from '../model/form-encoding.js'
import type { MediaType } from '../model/http-content.js'
import { codecOf } from '../runtime/shared/codecs.js'
import {
  dereference,
  describesText,
  everyReached,
  type Schema,
  type SchemaObject,
  type Schemas,
} from '../schema/schema.js'
import { sourceOf } from '../schema/source.js'
import type { LintRule, Survey } from './survey.js'

/** Forms and files: declarations of a body that no request or response can satisfy. */
export const BODY_RULES: readonly LintRule[] = [
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
  {
    id: 'body-schema-not-applied',
    level: 'note',
    purpose:
      'A body that is neither JSON nor a form is read as text or bytes, so a schema of another value describes nothing that programs get.',
    find: schemasOfRawBodies,
  },
]

const contentsOf = ({ body, responses }: HttpOperation): readonly MediaType[] => [
  ...(body?.content ?? []),
  ...responses.flatMap(({ content }) => content),
]

function* strayEncodings({ http, api }: Survey): Generator<FindingDetails> {
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

function* vainEncodings({ http }: Survey): Generator<FindingDetails> {
  for (const { type, encodings } of http.flatMap(contentsOf)) {
    const codec = codecOf(type)
    const isMultipart = codec === 'multipart' || codec === 'parts'
    for (const { style, contentType, headers, source } of encodings) {
      if (!isMultipart && codec !== 'form') {
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

function* schemasOfRawBodies({ http, api: { schemas } }: Survey): Generator<FindingDetails> {
  const bodies = http.flatMap(({ body, responses }) => [body, ...responses])
  for (const { content } of bodies.flatMap((one) => one ?? [])) {
    // Clients choose JSON where it is declared too.
    if (content.some(({ codec }) => codec === 'json')) continue
    for (const { type, codec: kind, schema, source } of content) {
      if (kind !== 'text' && kind !== 'bytes') continue
      if (!describesText(schema, schemas, 'no')) continue
      const got = kind === 'text' ? 'a string' : 'a file'
      yield {
        location: source.locate('schema'),
        message: `a body of ${type} is read as ${kind}, so programs get ${got}, which is not parsed or validated by this schema`,
        advice: 'declare JSON too, or describe the body in words and remove the schema',
      }
    }
  }
}

function* filesInText({ http, api: { schemas } }: Survey): Generator<FindingDetails> {
  for (const { type, schema } of http.flatMap(contentsOf)) {
    const codec = codecOf(type)
    const isMultipart = codec === 'multipart'
    if (!isMultipart && codec !== 'form' && codec !== 'json') continue
    const place = isMultipart ? 'an object within a form' : codec === 'json' ? 'JSON' : type
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
const bytesIn = (roots: readonly Schema[], schemas: Schemas): readonly SchemaObject[] =>
  [...everyReached(roots, schemas)].filter(({ format }) => format === 'binary')
