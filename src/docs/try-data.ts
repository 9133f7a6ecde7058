import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { isObject } from '../model/json.js'
import { httpRecord } from '../model/operation-record.js'
import { rpcOperations } from '../model/operations.js'
import { parametersSchema, sentParametersSchema, variantParametersSchema } from '../model/params.js'
import { sampleRequest } from '../model/sample-request.js'
import type { Content } from '../runtime/operation.js'
import { isImported } from '../runtime/shared/codecs.js'
import { ANNOTATIONS } from '../schema/keywords.js'
import type { Sampler } from '../schema/readable.js'
import {
  dereference,
  mapSubschemas,
  referredName,
  type Schema,
  type Schemas,
  subschemas,
  typesIn,
} from '../schema/schema.js'
import { jsonText } from '../text/escape.js'
import { errorsOf } from './errors-page.js'
import type { HttpExample, HttpTry, RpcTry, TryData } from './page/try/data.js'
import { plainText } from './prose.js'
import { anchor, anchorsOf, SITE_MARK, type Site, statusName } from './site.js'

/** The data of an operation's try-it, as a script, because a page from a disk cannot load data. */
export function tryScript(site: Site, operation: Operation): string {
  // As a string, because in an object literal `__proto__` would set the prototype.
  const text = jsonText(JSON.stringify(tryData(site.api, operation, site.madeUp)))
  return `// ${SITE_MARK}: what the try-it knows. Do not edit.\nself.twinspecTryData = JSON.parse(${text})\n`
}

/**
 * The same data as a value; `madeUp` generates the initial required body. Schemas contain only the keywords that validation
 * needs.
 */
export function tryData(api: Api, operation: Operation, madeUp?: Sampler): TryData {
  const data = operation.kind === 'http' ? httpTry(api, operation, madeUp) : rpcTry(api, operation)
  return { ...data, schemas: closure(api, schemasOf(data)) }
}

function httpTry(api: Api, operation: HttpOperation, madeUp?: Sampler): HttpTry {
  const { kind, servers, body } = operation
  const content = body?.content ?? []
  return {
    kind,
    operation: withoutServers(operation),
    servers,
    limits: api.http?.limits ?? {},
    schemas: {},
    parameters: operation.parameters
      .filter(({ secret }) => !secret)
      .map(({ name, in: place, required, schema }) => ({
        key: `${place}.${name}`,
        name,
        place,
        required,
        schema: bare(schema),
        ...hintOf(schema, api.schemas),
      })),
    bodies: content.map(({ type, schema }) => ({ type, schema: bare(schema) })),
    responses: Object.fromEntries(
      operation.responses.map(({ status, description, content: contents, headers }) => [
        status,
        {
          name: statusName(status),
          description: plainText(description),
          content: contents.map(({ type, codec, schema }) => ({
            type,
            codec,
            schema: bare(schema),
          })),
          headers: headers.map(({ name, required, explode, codec, schema }) => ({
            name,
            required,
            ...(explode && { explode }),
            ...(codec && { codec }),
            schema: bare(schema),
          })),
        },
      ]),
    ),
    examples: httpExamples(madeUp ? withMadeUp(operation, madeUp, api.schemas) : operation),
  }
}

/** What a field for a value shows while it is empty: a value that the schema shows, or else its type. */
function hintOf(schema: Schema, schemas: Schemas): { readonly hint?: string } {
  const real = dereference(schema, schemas)
  if (typeof real === 'boolean') return {}
  const example = real.examples?.[0] ?? real.default
  if (example !== undefined && example !== null && example !== '')
    return { hint: `for example ${typeof example === 'string' ? example : jsonText(example)}` }
  const words = [typesIn(real)?.join(' or '), real.format].filter((word) => word !== undefined)
  return words.length === 0 ? {} : { hint: words.join(', ') }
}

/** The record of an operation for a page, which names the server itself. */
export const withoutServers = (operation: HttpOperation): HttpTry['operation'] => {
  // The page shows a body as it was received.
  const { body, sameAs: _, bigints: __, ...record } = httpRecord(operation)
  return {
    ...record,
    servers: [],
    ...(body && { body: { ...body, content: body.content.map(asSent) } }),
  }
}

/** The page has no imported codec, so that a reader chooses a file with the body. */
const asSent = <Body extends Content>(content: Body): Body =>
  isImported(content.codec) ? { ...content, codec: 'bytes' } : content

/**
 * The operation with an example of its required body, generated if the document has none. Files are left for the reader to
 * choose.
 */
function withMadeUp(operation: HttpOperation, madeUp: Sampler, schemas: Schemas): HttpOperation {
  const { body } = operation
  const isShown = body?.content.some(({ examples }) => examples.length > 0)
  if (!body?.required || isShown) return operation
  const { sent, files } = sampleRequest(operation, madeUp, undefined, schemas)
  if (sent === undefined) return operation
  const { media, example } = sent
  const value = isObject(example.value)
    ? Object.fromEntries(Object.entries(example.value).filter(([name]) => !files.includes(name)))
    : example.value
  return {
    ...operation,
    body: { ...body, content: [{ ...media, examples: [{ ...example, value }] }] },
  }
}

/** One for each example of a body, in the order of the page; without a body, one for each name of a parameter example. */
function httpExamples({ body, parameters }: HttpOperation): readonly HttpExample[] {
  const open = parameters.filter(({ secret }) => !secret)
  const valuesFor = (name: string | undefined) =>
    Object.fromEntries(
      open.flatMap(({ in: place, name: own, examples }) => {
        const example = examples.find((one) => one.name === name) ?? examples[0]
        if (example === undefined) return []
        const { value } = example
        return [[`${place}.${own}`, isExact(value) ? value : jsonText(value)]]
      }),
    )
  const bodies = (body?.content ?? []).flatMap(({ type, examples }) =>
    examples.map(({ name, summary, value }) => ({
      name,
      ...(summary !== undefined && { summary: plainText(summary) }),
      type,
      ...(isExact(value) ? { body: value } : { text: jsonText(value, 2) }),
      parameters: valuesFor(name),
    })),
  )
  if (bodies.length > 0) return bodies
  const named = new Map(
    open.flatMap(({ examples }) => examples.map((one) => [one.name, one.summary] as const)),
  )
  return [...named].map(([name, summary]) => ({
    name,
    ...(summary !== undefined && { summary: plainText(summary) }),
    parameters: valuesFor(name),
  }))
}

/** Whether JavaScript keeps all digits of a value. */
const isExact = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(isExact)
    : typeof value !== 'bigint'

function rpcTry(api: Api, operation: RpcOperation): RpcTry {
  const { kind, id, method, params, paramStructure, errors, result, examples } = operation
  const isNamed = paramStructure === 'by-name'
  const byName = parametersSchema({ ...operation, paramStructure: 'by-name' })
  const anchors = anchorsOf(
    'error',
    errors.map(({ code }) => code),
  )
  const components = componentsOf(api, operation)
  return {
    kind,
    operation: {
      kind,
      id,
      method,
      params: params.map(({ name, required }) => ({ name, required })),
      paramStructure,
      errors: errors.map(({ code, message }) => ({ code, message })),
    },
    servers: api.rpc?.servers ?? [],
    limits: api.rpc?.limits ?? {},
    schemas: {},
    ...(!isNamed && { list: bare(sentParametersSchema(operation)) }),
    ...(paramStructure !== 'by-position' && { object: bare(byName) }),
    result: { name: result.name, schema: bare(result.schema) },
    errors: errors.map(({ code, message }, at) => {
      const component = components.get(code)
      return {
        code,
        message,
        ...(component !== undefined && { component }),
        anchor: anchors[at] ?? anchor('error', code),
      }
    }),
    codes: Object.fromEntries(
      errorsOf(api.operations).codes.map(({ code, names }) => [code, names.join('; ')]),
    ),
    ...subscriptionOf(api, operation),
    examples: examples.map(({ name, summary, params: list, namedParams }) => {
      const sent = isNamed ? namedParams : list
      return {
        name,
        ...(summary !== undefined && { summary: plainText(summary) }),
        ...(isExact(sent) ? { params: sent } : { text: jsonText(sent, 2) }),
      }
    }),
  }
}

/** What a subscription needs: how it is ended, and where its items are. */
function subscriptionOf(
  api: Api,
  operation: RpcOperation,
): Pick<RpcTry, 'subscription' | 'variants'> {
  const { subscription, variants } = operation
  const end = rpcOperations(api).find(({ method }) => method === subscription?.unsubscribe)
  if (!subscription || !end) return {}
  const notifications = subscription.notifications.flatMap(({ method, item }) => {
    const sent = api.serverMethods.find((one) => one.method === method)
    return sent ? [{ ...sentMethod(sent), item, schema: bare(parametersSchema(sent)) }] : []
  })
  return {
    subscription: { unsubscribe: sentMethod(end), id: subscription.id, notifications },
    ...(variants && {
      variants: Object.fromEntries(
        variants.map((one) => [
          one.name,
          {
            params: bare(variantParametersSchema(operation, one)),
            ...(one.item !== undefined && { item: bare(one.item) }),
          },
        ]),
      ),
    }),
  }
}

const sentMethod = ({ method, params, paramStructure }: RpcOperation) => ({
  ...{ method, paramStructure },
  params: params.map(({ name, required }) => ({ name, required })),
})

/** Code -> the name of the error component that a method refers to. */
function componentsOf(api: Api, { method }: RpcOperation): ReadonlyMap<number, string> {
  const document = api.rpc?.bundled
  const methods = Array.isArray(document?.methods) ? document.methods : []
  const written = methods.find((one) => isObject(one) && one.name === method)
  const shelf = isObject(document?.components) ? document.components.errors : undefined
  const list = isObject(written) && Array.isArray(written.errors) ? written.errors : []
  return new Map(
    list.flatMap((one) => {
      const name = isObject(one) && typeof one.$ref === 'string' ? one.$ref.split('/').at(-1) : ''
      const error = isObject(shelf) && name ? shelf[name] : undefined
      return name && isObject(error) && typeof error.code === 'number' ? [[error.code, name]] : []
    }),
  )
}

const schemasOf = (data: TryData): readonly Schema[] => {
  if (data.kind === 'rpc')
    return [
      ...[data.list ?? true, data.object ?? true, data.result.schema],
      ...(data.subscription?.notifications ?? []).map(({ schema }) => schema),
      ...Object.values(data.variants ?? {}).flatMap(({ params, item = true }) => [params, item]),
    ]
  const { parameters, bodies, responses, operation } = data
  const variants = (operation.variants ?? []).flatMap(({ request, ...answers }) => [
    request,
    ...answers.responses,
    ...answers.errors,
  ])
  return [
    ...[...parameters, ...bodies].map(({ schema }) => schema),
    ...Object.values(responses).flatMap(({ content, headers }) =>
      [...content, ...headers].map(({ schema }) => schema),
    ),
    ...variants.map((name): Schema => ({ $ref: `#/components/schemas/${name}` })),
  ]
}

function closure(api: Api, from: readonly Schema[]): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>()
  const waiting = [...from]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const name = referredName(schema)
    for (const inner of subschemas(schema)) waiting.push(inner)
    if (name === undefined || found.has(name)) continue
    const target = bare(api.schemas.get(name)?.schema ?? true)
    found.set(name, target)
    waiting.push(target)
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Annotations that are kept: messages use the title, and the format identifies bytes. */
const KEPT = new Set(['title', 'format'])

function bare(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema
  const kept = Object.entries(schema).filter(
    ([key]) => KEPT.has(key) || !(ANNOTATIONS.has(key) || key.startsWith('x-')),
  )
  return mapSubschemas(Object.fromEntries(kept), bare) as Schema
}
