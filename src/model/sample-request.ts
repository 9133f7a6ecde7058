import { essence, isForm, isJson } from '../runtime/shared/media-type.js'
import type { Sampler } from '../schema/readable.js'
import { dereference, type Schema, type Schemas } from '../schema/schema.js'
import type { HttpOperation, RpcOperation } from './api.js'
import { filesIn } from './form-encoding.js'
import { type Example, type HttpParameter, hasJsonValue, type MediaType } from './http-content.js'
import { isObject } from './json.js'
import { parametersSchema } from './params.js'

/** The request of a sample: the document's own examples, and generated values where there are none. */
export function sampleRequest(
  operation: HttpOperation,
  madeUp: Sampler,
  given?: Sent,
  schemas: Schemas = new Map(),
): SampleRequest {
  const names: string[] = []
  const parameters = operation.parameters.map((one): HttpParameter => {
    const isSent = (one.required || one.in === 'path') && !one.secret
    const value = isSent && one.examples.length === 0 ? parameterValue(one, madeUp) : undefined
    if (value === undefined) return one
    names.push(one.name)
    return { ...one, examples: [exampleOf(one, value)] }
  })
  const sent = given ?? bodyOf(operation, madeUp, schemas)
  if (sent && sent !== given) names.push('the body')
  const lacksBody = operation.body?.required === true && sent === undefined
  const files = sent && isForm(sent.media.type) ? filesIn(sent.media.schema, schemas) : []
  return { operation: { ...operation, parameters }, sent, files, madeUp: names, lacksBody }
}

export type Sent = { readonly media: MediaType; readonly example: Example }

type SampleRequest = {
  /** With an example of each parameter that is sent, if one could be generated. */
  readonly operation: HttpOperation
  readonly sent: Sent | undefined
  /** The properties of a form that are files: their values are the bytes. */
  readonly files: readonly string[]
  /** The generated parts: the names of parameters, `the body`. */
  readonly madeUp: readonly string[]
  /** A body is required, and none could be generated. */
  readonly lacksBody: boolean
}

/** The params of a method without examples, by position and by name; undefined if they could not be generated. */
export function sampleParams(operation: RpcOperation, madeUp: Sampler): SampleParams | undefined {
  const value = madeUp(parametersSchema(operation))
  if (value === undefined) return undefined
  return Array.isArray(value)
    ? { params: value, namedParams: {} }
    : { params: [], namedParams: isObject(value) ? value : {} }
}

export type SampleParams = {
  readonly params: readonly unknown[]
  readonly namedParams: Readonly<Record<string, unknown>>
}

/** A parameter can carry neither null nor an empty list or object. */
function parameterValue({ schema }: HttpParameter, madeUp: Sampler): unknown {
  const value = madeUp(schema)
  if (value === null) return undefined
  const isEmptyObject = isObject(value) && Object.keys(value).length === 0
  return isEmptyObject
    ? (madeUp({ allOf: [schema, { type: 'object', minProperties: 1 }] }) ?? value)
    : withItems(value, schema, madeUp)
}

const withItems = (value: unknown, schema: Schema, madeUp: Sampler): unknown =>
  Array.isArray(value) && value.length === 0
    ? madeUp({ allOf: [schema, { type: 'array', minItems: 1 }] })
    : value

/** A sample of a body that is not a form. A list that is sent item by item has an item, because the body would be empty. */
export const bodyValue = ({ schema, isSequential }: MediaType, madeUp: Sampler): unknown =>
  isSequential ? withItems(madeUp(schema), schema, madeUp) : madeUp(schema)

/** A sample of a form. A form cannot carry an empty list, so each list has an item. */
function formValue(form: Schema, madeUp: Sampler, schemas: Schemas): unknown {
  const value = madeUp(form)
  const known = dereference(form, schemas)
  const { properties = {} } = typeof known === 'object' ? known : {}
  if (!isObject(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      withItems(one, properties[name] ?? true, madeUp),
    ]),
  )
}

/** The body in the media type that a client selects; an optional one is shown if it has content. */
function bodyOf({ body }: HttpOperation, madeUp: Sampler, schemas: Schemas): Sent | undefined {
  const content = body?.content ?? []
  const media = content.find(({ type }) => isJson(type)) ?? content[0]
  if (media === undefined || !canBeWritten(media)) return undefined
  const value = isForm(media.type)
    ? formValue(withoutBytes(media.schema, schemas), madeUp, schemas)
    : bodyValue(media, madeUp)
  if (value === undefined) return undefined
  if (essence(media.type).startsWith('text/') && typeof value !== 'string') return undefined
  const saysNothing = isObject(value) && Object.keys(value).length === 0
  return saysNothing && !body?.required ? undefined : { media, example: exampleOf(media, value) }
}

/** A form with a text in place of each file, and with one file even if all are optional. */
export function withoutBytes(form: Schema, schemas: Schemas): Schema {
  const files = filesIn(form, schemas).filter((name) => name !== '*')
  const known = dereference(form, schemas)
  const { properties = {}, required = [] } = typeof known === 'object' ? known : {}
  const own = files.filter((name) => Object.hasOwn(properties, name))
  if (own.length === 0) return form
  const texts = own.map((name) => {
    const property = dereference(properties[name] ?? true, schemas)
    const isList = typeof property === 'object' && property.items !== undefined
    return [name, { const: isList ? ['file'] : 'file' }] as const
  })
  const needed = own.some((name) => required.includes(name)) ? [] : own.slice(0, 1)
  return {
    ...(typeof known === 'object' && known),
    properties: { ...properties, ...Object.fromEntries(texts) },
    required: [...required, ...needed],
  }
}

const canBeWritten = (media: MediaType): boolean =>
  hasJsonValue(media) || isForm(media.type) || essence(media.type) === 'text/plain'

const exampleOf = ({ source }: Pick<Example, 'source'>, value: unknown): Example => ({
  name: 'made up',
  summary: undefined,
  value,
  source,
})
