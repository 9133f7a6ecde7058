import { holdsFields, holdsItems, isPlainText } from '../runtime/shared/codecs.js'
import { isEqual } from '../schema/json-values.js'
import type { Sampler } from '../schema/readable.js'
import { dereference, inPlace, type Schema, type Schemas } from '../schema/schema.js'
import type { HttpOperation, RpcOperation } from './api.js'
import { filesIn } from './form-encoding.js'
import { type Example, type HttpParameter, hasJsonValue, type MediaType } from './http-content.js'
import { isObject } from './json.js'
import { parametersSchema } from './params.js'

/** The request of a sample: the document's own examples, and generated values where there are none. */
export function sampleRequest(
  operation: HttpOperation,
  madeUp: Sampler,
  chosen?: ChosenExample,
  schemas: Schemas = new Map(),
): SampleRequest {
  const names: string[] = []
  const parameters = operation.parameters.map((one): HttpParameter => {
    const isSent = (one.required || one.in === 'path') && !one.secret
    const value = isSent && one.examples.length === 0 ? parameterValue(one, madeUp) : undefined
    if (value === undefined) return one
    if (!isShown(value, one.schema, schemas)) names.push(one.name)
    return { ...one, examples: [exampleOf(one, value)] }
  })
  const sent = chosen ?? bodyOf(operation, madeUp, schemas)
  if (sent && sent !== chosen && !isShown(sent.example.value, sent.media.schema, schemas))
    names.push('the body')
  const lacksBody = operation.body?.required === true && sent === undefined
  const files = sent && holdsFields(sent.media.codec) ? filesIn(sent.media.schema, schemas) : []
  return { operation: { ...operation, parameters }, sent, files, madeUp: names, lacksBody }
}

/** Whether a schema shows a value by an example, a default or a constant, or shows each part of it. */
export function isShown(value: unknown, schema: Schema, schemas: Schemas): boolean {
  const all = inPlace(schema, schemas)
  const shown = all.flatMap(({ examples = [], ...one }) => [
    ...examples,
    ...('default' in one ? [one.default] : []),
    ...('const' in one ? [one.const] : []),
  ])
  if (shown.some((one) => isEqual(one, value))) return true
  const areShown = (parts: readonly (readonly [unknown, readonly (Schema | undefined)[]])[]) =>
    parts.length > 0 &&
    parts.every(([part, own]) =>
      own.some((one) => one !== undefined && isShown(part, one, schemas)),
    )
  if (Array.isArray(value))
    return areShown(
      value.map((item, at) => [
        item,
        all.map(({ prefixItems, items }) => prefixItems?.[at] ?? items),
      ]),
    )
  if (!isObject(value)) return false
  const partsOf = (name: string) =>
    all.map(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? properties[name] : undefined,
    )
  return areShown(Object.entries(value).map(([name, part]) => [part, partsOf(name)]))
}

export type ChosenExample = { readonly media: MediaType; readonly example: Example }

/** The request of a sample. */
export type SampleRequest = {
  /** With an example of each parameter that is sent, if one could be generated. */
  readonly operation: HttpOperation
  readonly sent: ChosenExample | undefined
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

/** A value for a parameter without an example, which can carry neither null nor an empty list or object. */
export function parameterValue(
  { schema }: Pick<HttpParameter, 'schema'>,
  madeUp: Sampler,
): unknown {
  const first = madeUp(schema)
  const value = first === null ? madeUp({ allOf: [schema, { not: { type: ['null'] } }] }) : first
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
export const sampleBody = ({ schema, codec }: MediaType, madeUp: Sampler): unknown =>
  holdsItems(codec) ? withItems(madeUp(schema), schema, madeUp) : madeUp(schema)

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
function bodyOf(
  { body }: HttpOperation,
  madeUp: Sampler,
  schemas: Schemas,
): ChosenExample | undefined {
  const content = body?.content ?? []
  const media = content.find(({ codec }) => codec === 'json') ?? content[0]
  if (media === undefined || !canBeWritten(media)) return undefined
  const value = holdsFields(media.codec)
    ? formValue(withoutBytes(media.schema, schemas), madeUp, schemas)
    : sampleBody(media, madeUp)
  if (value === undefined) return undefined
  if (media.codec === 'text' && typeof value !== 'string') return undefined
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
  hasJsonValue(media) || holdsFields(media.codec) || isPlainText(media.type)

const exampleOf = ({ source }: Pick<Example, 'source'>, value: unknown): Example => ({
  name: 'made up',
  summary: undefined,
  value,
  source,
})
