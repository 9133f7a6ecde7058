import { literal, memberName } from '../../emit/file.js'
import type { Example, HttpOperation, HttpParameter, RpcOperation } from '../../model/api.js'

/** A call of a client that the documents show, as code: `http.getOrder({ path: { id: '7' } })`. */
export type Call<O> = { readonly operation: O; readonly args: string }

/**
 * What a call of an HTTP operation is given: every required parameter as its example has it, and one of the examples of its
 * JSON body. Undefined where the documents do not show enough.
 */
export const httpArgs = (operation: HttpOperation, body?: Example): string | undefined => {
  const places = new Map<string, [string, unknown][]>()
  for (const parameter of operation.parameters) {
    if (!parameter.required || parameter.secret) continue
    const value = shownValue(parameter)
    if (value === undefined) return undefined
    places.set(parameter.in, [...(places.get(parameter.in) ?? []), [parameter.name, value]])
  }
  const given: [string, unknown][] = [...places].map(([place, values]) => [
    place,
    Object.fromEntries(values),
  ])
  const sent = body ?? (operation.body?.required ? bodyExamples(operation)[0] : undefined)
  if (operation.body?.required && !sent) return undefined
  if (sent) given.push(['body', sent.value])
  return given.length === 0 ? '' : written(Object.fromEntries(given))
}

/** Of a body that is JSON. */
export const bodyExamples = ({ body }: HttpOperation): readonly Example[] =>
  body?.content.find(({ type }) => /^application\/json\b/i.test(type))?.examples ?? []

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

/** Data as it stands in code. */
export const written = (value: unknown): string => literal(value, 20).text

export const named = (members: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(members)
    .map(([key, text]) => `${memberName(key)}: ${text}`)
    .join(', ')} }`

const shownValue = ({ examples, schema }: HttpParameter): unknown => {
  if (examples[0]) return examples[0].value
  if (typeof schema !== 'object') return undefined
  return schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
}
