import type { Api, HttpOperation, Variant } from '../../model/api.js'
import type { HttpParameter } from '../../model/http-content.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { dereference } from '../../schema/schema.js'
import { NotTested, type Plan } from '../case.js'
import { type Target, unsupportedReason } from '../target.js'
import { adviceOnExamples } from '../values/bodies.js'
import { parentPath, propertiesFor } from '../values/identifiers.js'
import type { Sent } from '../wire/exchange.js'
import { type HttpValues, writeHttp } from '../wire/write-request.js'

/** An operation and the example requests of the documents. */
export type Subject = {
  readonly operation: HttpOperation
  /** At least one: one per variant, else the first example, else a request without a body. */
  readonly shown: readonly [Shown, ...Shown[]]
}

export type Shown = {
  /** `the variant message`, `the example callRead`, `the plain request`. */
  readonly name: string
  readonly variant: Variant | undefined
  readonly values: HttpValues
  readonly sent: Sent
  /** The body if it is sent as JSON: the value, its text and its media type. */
  readonly json: JsonBody | undefined
}

export type JsonBody = { readonly value: unknown; readonly text: string; readonly type: string }

/** The first example request with a JSON body. */
export const jsonRequest = ({
  shown,
}: Subject): (Shown & { readonly json: JsonBody }) | undefined =>
  shown.find((one): one is Shown & { readonly json: JsonBody } => one.json !== undefined)

/** The subjects of all HTTP operations that can be tested; `skip` reports the others. */
export const subjectsOf = (plan: Plan): readonly Subject[] =>
  httpOperations(plan.api).flatMap((operation) => {
    const subject = subjectOf(plan, operation)
    if (typeof subject !== 'string') return subject
    plan.skip(`${operation.id}, the protocol`, subject)
    return []
  })

/** Returns a function that writes the operation's first example request with another value of a path parameter. */
export const withPathValue =
  ({ target }: Plan, { operation, shown: [{ values }] }: Subject, name: string) =>
  (value: string): Sent => {
    const parameters = { ...values.parameters, [`path.${name}`]: value }
    const sent = writeHttp(operation, { ...values, parameters }, target)
    if (!sent) throw new NotTested('its request cannot be written')
    return sent
  }

/** The operations of the OpenAPI document only. */
export const httpOperations = (api: Api): readonly HttpOperation[] =>
  api.operations.filter((one) => one.kind === 'http')

const subjectOf = ({ api, target }: Plan, operation: HttpOperation): Subject | string => {
  const why = unsupportedReason(target, operation)
  if (why !== undefined) return why
  const parameters = shownParameters(api, operation, target)
  if (typeof parameters === 'string') return parameters
  const bodies = shownBodies(operation)
  if (bodies.length === 0 && operation.body?.required)
    return `the documents have no example of its request body${adviceOnExamples(operation)}`
  const shown = (bodies.length > 0 ? bodies : [PLAIN]).flatMap(({ name, variant, body }) => {
    const values = { parameters, body }
    const sent = writeHttp(operation, values, target)
    return sent ? [{ name, variant, values, sent, json: jsonOf(body) }] : []
  })
  const [first, ...others] = shown
  return first ? { operation, shown: [first, ...others] } : 'it needs a key, and none was given'
}

const jsonOf = (body: HttpValues['body']): JsonBody | undefined =>
  body && isJson(body.type)
    ? { value: body.value, text: JSON.stringify(body.value), type: body.type }
    : undefined

/** The values of the required parameters, or why there are none. */
export const shownParameters = (
  api: Api,
  operation: HttpOperation,
  { key }: Target,
): Record<string, unknown> | string => {
  const values: Record<string, unknown> = {}
  for (const parameter of operation.parameters) {
    if (!parameter.required) continue
    if (parameter.secret === true) {
      if (key === undefined) return 'it needs a key, and none was given'
      continue
    }
    const value = shownValue(api, parameter)
    if (value === undefined) return noValue(api, operation, parameter)
    values[`${parameter.in}.${parameter.name}`] = value
  }
  return values
}

/** What to add: an example, or a link from the response that contains the value (OpenAPI, Link Object). */
const noValue = (api: Api, target: HttpOperation, parameter: HttpParameter): string => {
  const { id } = target
  const { name } = parameter
  const what = `the documents have no value for the parameter ${name}`
  if (parameter.in !== 'path') return `${what}: give it an example`
  const parent = parentPath(target, parameter)
  const [found] = httpOperations(api)
    .filter((one) => one !== target)
    .toSorted((a, b) => Number(a.path !== parent) - Number(b.path !== parent))
    .flatMap((source) =>
      propertiesFor(api, source, parameter, parent).map(({ pointer }) => ({ source, pointer })),
    )
  const place = found ? `the response of ${found.source.id}` : 'the response that has the value'
  const link = `links: { ${id}: { operationId: ${id}, parameters: { ${name}: '$response.body#${found?.pointer ?? '/…'}' } } }`
  return `${what}: give it an example, or add this to ${place}: ${link}`
}

const shownValue = (api: Api, { examples, schema }: HttpParameter): unknown => {
  const real = dereference(schema, api.schemas)
  const declared =
    typeof real === 'object' ? [real.examples?.[0], real.default, real.enum?.[0]] : []
  return [examples[0]?.value, ...declared].find((value) => value !== undefined)
}

type Body = Pick<Shown, 'name' | 'variant'> & Pick<HttpValues, 'body'>

const PLAIN: Body = { name: 'the plain request', variant: undefined }

/** One of each variant, else the first example. JSON comes before other media types. */
const shownBodies = ({ body, variants }: HttpOperation): readonly Body[] => {
  const all = (body?.content ?? [])
    .toSorted((a, b) => Number(isJson(b.type)) - Number(isJson(a.type)))
    .flatMap(({ type, examples }) => examples.map(({ name, value }) => ({ type, name, value })))
  const ofVariants = variants.flatMap((variant): readonly Body[] => {
    const found = all.find(({ name }) => name === variant.example)
    return found ? [{ name: `the variant ${variant.name}`, variant, body: found }] : []
  })
  const [first] = all
  if (ofVariants.length > 0 || !first) return ofVariants
  return [{ name: `the example ${first.name}`, variant: undefined, body: first }]
}
