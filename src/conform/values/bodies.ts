import type { Api, Operation } from '../../model/api.js'
import { filesIn } from '../../model/form-encoding.js'
import { hasJsonValue, type MediaType } from '../../model/http-content.js'
import { isObject } from '../../model/json.js'
import { sampleBody, withoutBytes } from '../../model/sample-request.js'
import { holdsFields, isXml } from '../../runtime/shared/codecs.js'
import { createSampler, type Sampler } from '../../schema/readable.js'
import type { Schemas } from '../../schema/schema.js'

/**
 * The Api with an example for each required body without one, so that every case can send a complete request. Files of a
 * multipart form are bytes, even if an example has text for them.
 */
export const withBodies = (api: Api): Api => {
  const madeUp = createSampler(api.schemas, 'request')
  const operations = api.operations.map((operation) => {
    const { kind } = operation
    if (kind === 'rpc' || operation.body === undefined) return operation
    const { content, required } = operation.body
    const isShown = content.some(({ examples }) => examples.length > 0)
    const made =
      isShown || !required ? content : content.map((one) => withExample(one, madeUp, api.schemas))
    const written = made.map((one) => withFiles(one, api.schemas))
    return written.every((one, at) => one === content[at])
      ? operation
      : { ...operation, body: { ...operation.body, content: written } }
  })
  return operations.every((one, at) => one === api.operations[at]) ? api : { ...api, operations }
}

/** The name of an example that no document has. */
export const MADE_UP = 'made up'

const withExample = (media: MediaType, madeUp: Sampler, schemas: Schemas): MediaType => {
  const { type, codec, schema, source } = media
  const value = holdsFields(codec)
    ? madeUp(withoutBytes(schema, schemas))
    : hasJsonValue(media) || codec === 'text'
      ? sampleBody(media, madeUp)
      : 'bytes'
  const isWritten = hasJsonValue(media)
    ? value !== undefined
    : holdsFields(codec)
      ? isObject(value)
      : typeof value === 'string'
  if (!isWritten || isXml(type)) return media
  return { ...media, examples: [{ name: MADE_UP, summary: undefined, value, source }] }
}

const withFiles = (media: MediaType, schemas: Schemas): MediaType => {
  if (media.codec !== 'multipart') return media
  const files = filesIn(media.schema, schemas)
  const examples = media.examples.map((example) => {
    if (!isObject(example.value)) return example
    const fields = Object.entries(example.value).map(([name, value]) => [
      name,
      files.includes(name) ? bytesOf(value) : value,
    ])
    return { ...example, value: Object.fromEntries(fields) }
  })
  return { ...media, examples }
}

/** A string as bytes, also in lists; any other value is unchanged. */
export const bytesOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(bytesOf) : typeof value === 'string' ? Buffer.from(value) : value

/** Which examples to add to an operation, as the end of a message; empty if none is missing. */
export const adviceOnExamples = (operation: Operation): string => {
  const missing = missingExamples(operation)
  return missing.length === 0 ? '' : `: add an example of ${missing.join(' and ')}`
}

/** The required parts of a request without an example, with their place: `the body (spec/api.yaml:12)`. */
const missingExamples = (operation: Operation): readonly string[] => {
  const at = (...members: readonly (string | number)[]): string => {
    const { file, line } = operation.source.locate(...members)
    return `(${file}:${line})`
  }
  if (operation.kind === 'rpc') {
    const needsParams = operation.params.some(({ required }) => required)
    return needsParams && operation.examples.length === 0 ? [`its params ${at()}`] : []
  }
  const { body, parameters, variants } = operation
  const isShown =
    variants.length > 0 ||
    body?.content.some(({ examples }) => examples.some(({ name }) => name !== MADE_UP)) === true
  return [
    ...(body?.required && !isShown ? [`its body ${at('requestBody')}`] : []),
    ...parameters
      .filter(({ required, secret, examples }) => required && !secret && examples.length === 0)
      .map(({ name }) => `its parameter ${name} ${at('parameters')}`),
  ]
}
