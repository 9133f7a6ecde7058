import type { Api, HttpOperation, Variant } from '../../model/api.js'
import type { HttpParameter } from '../../model/http-content.js'
import { httpOperations } from '../../model/operations.js'
import { codecOf } from '../../runtime/shared/codecs.js'
import { dereference } from '../../schema/schema.js'
import type { Sent } from '../../traffic/exchange.js'
import { NotTested, type Plan } from '../case.js'
import { madeValue } from '../cases/input.js'
import { isNamed } from '../outcome.js'
import { resourceTypesOf } from '../state/resource-types.js'
import type { Creator } from '../state/resources.js'
import { unsupportedReason } from '../target.js'
import { adviceOnExamples } from '../values/bodies.js'
import { parentPath, propertiesFor } from '../values/identifiers.js'
import { collectShown } from '../values/shown-values.js'
import { type HttpValues, writeHttp } from '../wire/write-request.js'

/** An operation and the example requests of the documents. */
export type HttpSubject = {
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
}: HttpSubject): (Shown & { readonly json: JsonBody }) | undefined =>
  shown.find((one): one is Shown & { readonly json: JsonBody } => one.json !== undefined)

/** The subjects of all HTTP operations that can be tested; `skip` reports the others. */
export const subjectsOf = (plan: Plan): readonly HttpSubject[] =>
  httpOperations(plan.api).flatMap((operation) => {
    const subject = subjectOf(plan, operation)
    if (typeof subject !== 'string') return subject
    plan.skip(`${operation.id}, the protocol`, subject)
    return []
  })

/** Returns a function that writes the operation's first example request with another value of a path parameter. */
export const withPathValue =
  ({ target }: Plan, { operation, shown: [{ values }] }: HttpSubject, name: string) =>
  (value: string): Sent => {
    const parameters = { ...values.parameters, [`path.${name}`]: value }
    const sent = writeHttp(operation, { ...values, parameters }, target)
    if (!sent) throw new NotTested('its request cannot be written')
    return sent
  }

const subjectOf = (plan: Plan, operation: HttpOperation): HttpSubject | string => {
  const { target } = plan
  const why = unsupportedReason(target, operation)
  if (why !== undefined) return why
  const parameters = shownParameters(plan, operation)
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
  body && codecOf(body.type) === 'json'
    ? { value: body.value, text: JSON.stringify(body.value), type: body.type }
    : undefined

/** The values of the required parameters, or why there are none. */
export const shownParameters = (
  plan: Plan,
  operation: HttpOperation,
): Record<string, unknown> | string => {
  const { api, checker, target } = plan
  const { key } = target
  const values: Record<string, unknown> = {}
  for (const parameter of operation.parameters) {
    if (!parameter.required) continue
    if (parameter.secret === true) {
      if (key === undefined) return 'it needs a key, and none was given'
      continue
    }
    // A made-up identifier is that of a resource that the run creates.
    const isMade = parameter.in !== 'path' || isCreated(plan, operation, parameter)
    const value =
      shownValue(api, parameter) ??
      (isMade ? madeValue(parameter, collectShown(api, checker)) : undefined)
    if (value === undefined) return noValue(api, operation, parameter)
    values[`${parameter.in}.${parameter.name}`] = value
  }
  return values
}

/** Whether an operation creates what a path parameter identifies. */
const isCreated = (plan: Plan, { path }: HttpOperation, { name }: HttpParameter): boolean =>
  resourceTypesOf(plan).all.some(
    (resourceType) =>
      resourceType.creators.some(isSureCreator) &&
      resourceType.parameter.name === name &&
      path.startsWith(resourceType.path.slice(0, resourceType.path.lastIndexOf('{'))),
  )

/** PUT creates a resource if 201 is declared, or if a missing one is no declared reason to reject it. */
const isSureCreator = ({ kind, operation }: Creator): boolean =>
  kind === 'returns' || isNamed(operation, 201) || !isNamed(operation, 404)

/**
 * What to add: an example, or a link from the response that contains the value (OpenAPI, Link Object). The text is the same for
 * all operations that need the value, so that a report has it once.
 */
const noValue = (api: Api, target: HttpOperation, parameter: HttpParameter): string => {
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
  const values = `{ ${name}: '$response.body#${found?.pointer ?? '/…'}' }`
  return `${what}: give it an example, or add a link for each operation to ${place}: links: { NAME: { operationId: NAME, parameters: ${values} } }`
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
    .toSorted((a, b) => Number(b.codec === 'json') - Number(a.codec === 'json'))
    .flatMap(({ type, examples }) => examples.map(({ name, value }) => ({ type, name, value })))
  const ofVariants = variants.flatMap((variant): readonly Body[] => {
    const found = all.find(({ name }) => name === variant.example)
    return found ? [{ name: `the variant ${variant.name}`, variant, body: found }] : []
  })
  const [first] = all
  if (ofVariants.length > 0 || !first) return ofVariants
  return [{ name: `the example ${first.name}`, variant: undefined, body: first }]
}
