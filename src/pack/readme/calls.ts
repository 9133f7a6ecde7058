import { literal, memberName, string } from '../../emit/file.js'
import type { Example, HttpOperation, HttpParameter, RpcOperation } from '../../model/api.js'
import { isIdentifier } from '../../model/names.js'
import type { Sampler } from '../../schema/readable.js'
import { refTo } from '../../schema/schema.js'

/** A call of a client, as code: `http.getOrder({ path: { id: '7' } })`. */
export type Call<O> = {
  readonly operation: O
  readonly args: string
  /** Whether the documents show no values that it may be given. */
  readonly isMadeUp: boolean
}

/** What comes before a call in code. */
export const saying = ({ isMadeUp }: Pick<Call<unknown>, 'isMadeUp'>): readonly string[] =>
  isMadeUp ? ['// The values are made up: the documents show none for this call.'] : []

/**
 * What a call of an HTTP operation is given: every required parameter as its example has it, and one of the examples of its
 * JSON body. Undefined where the documents do not show enough.
 */
export const httpArgs = (operation: HttpOperation, body?: Example): string | undefined =>
  argsOf(operation, body, () => undefined)

/** The same, with a value of our own wherever the documents show none. */
export const madeUpHttpArgs = (operation: HttpOperation, makeUp: Sampler): string | undefined =>
  argsOf(operation, undefined, makeUp)

const argsOf = (
  operation: HttpOperation,
  body: Pick<Example, 'value'> | undefined,
  makeUp: Sampler,
): string | undefined => {
  const places = new Map<string, [string, unknown][]>()
  for (const parameter of operation.parameters) {
    if (!parameter.required || parameter.secret) continue
    const value = shownValue(parameter) ?? makeUp(parameter.schema)
    if (value === undefined) return undefined
    places.set(parameter.in, [...(places.get(parameter.in) ?? []), [parameter.name, value]])
  }
  const given: [string, unknown][] = [...places].map(([place, values]) => [
    place,
    Object.fromEntries(values),
  ])
  const sent = body ?? (operation.body?.required ? sentBody(operation, makeUp) : undefined)
  if (operation.body?.required && !sent) return undefined
  if (sent) given.push(['body', sent.value])
  return given.length === 0 ? '' : written(Object.fromEntries(given))
}

/** Of a body that is JSON. */
export const bodyExamples = (operation: HttpOperation): readonly Example[] =>
  jsonBody(operation)?.examples ?? []

const jsonBody = ({ body }: HttpOperation) =>
  body?.content.find(({ type }) => /^application\/json\b/i.test(type))

/** A value for all variants at once would be a mixture, which does not compile. */
const sentBody = (
  operation: HttpOperation,
  makeUp: Sampler,
): Pick<Example, 'value'> | undefined => {
  const content = jsonBody(operation)
  const [variant] = operation.variants
  if (content?.examples[0]) return content.examples[0]
  const value = content && makeUp(variant ? { $ref: refTo(variant.request) } : content.schema)
  return value === undefined ? undefined : { value }
}

/** What a method is given by an example that is answered, params as they go by the generated client. */
export const rpcArgs = (
  operation: RpcOperation,
  { params, namedParams }: Pick<RpcOperation['examples'][number], 'params' | 'namedParams'>,
): string => {
  if (operation.paramStructure === 'by-name') {
    return Object.keys(namedParams).length === 0 ? '' : written(namedParams)
  }
  return params.map(written).join(', ')
}

/** The required params, and those before them, with values of our own. */
export const madeUpRpcArgs = (operation: RpcOperation, makeUp: Sampler): string | undefined => {
  const { params, paramStructure } = operation
  const last = params.findLastIndex(({ required }) => required)
  const asked =
    paramStructure === 'by-name'
      ? params.filter(({ required }) => required)
      : params.slice(0, last + 1)
  const made = asked.map(({ name, schema }) => [name, makeUp(schema)] as const)
  if (made.some(([, value]) => value === undefined)) return undefined
  return rpcArgs(operation, {
    params: made.map(([, value]) => value),
    namedParams: Object.fromEntries(made),
  })
}

/** Data as it is in code. */
export const written = (value: unknown): string => literal(value, 20).text

/** How code reads a property: `.state`, `['order-state']`. */
export const memberOf = (key: string): string =>
  isIdentifier(key) ? `.${key}` : `[${string(key)}]`

export const named = (members: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(members)
    .map(([key, text]) => `${memberName(key)}: ${text}`)
    .join(', ')} }`

const shownValue = ({ examples, schema }: HttpParameter): unknown => {
  if (examples[0]) return examples[0].value
  if (typeof schema !== 'object') return undefined
  return schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
}
