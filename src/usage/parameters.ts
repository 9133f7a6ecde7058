import type { Pairs } from '../conform/traffic/recording.js'
import type { HttpOperation } from '../model/api.js'
import type { HttpParameter } from '../model/http-content.js'
import { readCookies } from '../runtime/server/parameters.js'
import { decodeQuery, type QueryPair, readQuery, readStyled } from '../runtime/server/readings.js'
import { readDeep } from '../runtime/shared/deep-object.js'
import { templateNames } from '../runtime/shared/template.js'
import type { Plan } from './plan.js'

/** A parameter of a request with its value, whose scalars are texts. */
export type SentParameter = { readonly parameter: HttpParameter; readonly value: unknown }

/** The declared parameters of a recorded request, and whether its query contains undeclared ones. */
export const sentParameters = (
  operation: HttpOperation,
  { url, path, headers }: Wire,
  planOf: (parameter: HttpParameter) => Plan,
): { readonly sent: readonly SentParameter[]; readonly hasUndeclared: boolean } => {
  const names = templateNames(operation.path)
  const query = readQuery(/\?([^#]*)/.exec(url)?.[1] ?? '')
  const cookies = readCookies({ cookie: headerIn(headers, 'cookie') })
  const sent = operation.parameters.flatMap((parameter): readonly SentParameter[] => {
    const { name } = parameter
    const raw = {
      path: () => path[names.indexOf(name)],
      query: () => undefined,
      header: () => headerIn(headers, name),
      cookie: () => cookies.get(name)?.[0],
    }[parameter.in]()
    const read = () =>
      parameter.in === 'query'
        ? queryValue(parameter, planOf(parameter), query)
        : raw === undefined
          ? undefined
          : textValue(parameter, planOf(parameter), raw, (text) => text)
    const value = attempt(read)
    return value === undefined ? [] : [{ parameter, value }]
  })
  const isKnown = (name: string) =>
    isDeclared(operation, name) ||
    operation.parameters.some((one) => isMember(one, planOf(one), name))
  return { sent, hasUndeclared: query.some(({ name }) => !isKnown(name)) }
}

type Wire = {
  readonly url: string
  /** The decoded values of the path template. */
  readonly path: readonly string[]
  readonly headers: Pairs
}

export const headerIn = (headers: Pairs, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]

const isDeclared = ({ parameters, schemes }: HttpOperation, name: string): boolean =>
  parameters.some(
    (one) =>
      one.in === 'query' &&
      (one.name === name || one.isWholeQuery || name.startsWith(`${one.name}[`)),
  ) ||
  Object.values(schemes).some(
    (one) => one.kind === 'key' && one.in === 'query' && one.parameter === name,
  )

/** Whether a query parameter is a member of an exploded object, which has a query parameter for each member. */
const isMember = (parameter: HttpParameter, plan: Plan, name: string): boolean =>
  parameter.in === 'query' &&
  parameter.mediaType === undefined &&
  parameter.style === 'form' &&
  parameter.explode &&
  plan.hasType('object') &&
  plan.property(name) !== undefined

const queryValue = (parameter: HttpParameter, plan: Plan, query: readonly QueryPair[]): unknown => {
  const { name, style } = parameter
  if (parameter.isWholeQuery) return query.length === 0 ? undefined : {}
  if (style === 'deepObject' && parameter.mediaType === undefined) {
    const fields = query.filter((pair) => pair.name.startsWith(`${name}[`))
    return readDeep(
      name,
      fields.map((pair) => [pair.name, decodeQuery(pair.raw)]),
    )[0]
  }
  const own = query.filter((pair) => pair.name === name).map(({ raw }) => raw)
  const [raw] = own
  if (own.length > 1) return own.map(decodeQuery)
  if (raw !== undefined) return textValue(parameter, plan, raw, decodeQuery)
  const members = query.filter((pair) => isMember(parameter, plan, pair.name))
  const entries = members.map((pair) => [pair.name, decodeQuery(pair.raw)])
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Parses a value by its media type, or by its style if the schema declares a list or an object. */
const textValue = (
  parameter: HttpParameter,
  plan: Plan,
  raw: string,
  decode: (raw: string) => string,
): unknown => {
  if (parameter.mediaType !== undefined) return JSON.parse(decode(raw))
  const isList = plan.hasType('array')
  if (isList && parameter.explode && parameter.in === 'query') return [decode(raw)]
  if (!isList && !plan.hasType('object')) return decode(raw)
  const readings = readStyled(parameter, raw, decode)
  return (
    readings.find((one) => (isList ? Array.isArray(one) : typeof one === 'object')) ?? decode(raw)
  )
}

/** An unreadable value counts as an empty text, because the parameter was sent. */
const attempt = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return ''
  }
}
