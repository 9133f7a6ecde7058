import type { DefaultPlaces, HttpDefaults } from '../operation.js'

type Input = Readonly<Record<string, unknown>> & { readonly body?: unknown }

/**
 * The input of a call with the defaults of the document where the caller left something out. `hasHeader` says whether the options
 * of the client or the call have a header, and `type` is the media type of the body. A body that is left out stays out.
 */
export const fillDefaults = (
  { parameters = [], bodies = {}, named = {} }: HttpDefaults,
  input: Input,
  {
    hasHeader,
    type,
  }: {
    readonly hasHeader: (name: string) => boolean
    readonly type: string | undefined
  },
): Input => {
  const filled: Record<string, unknown> = { ...input }
  for (const { in: place, name, value } of parameters) {
    const own = Object(filled[place]) as Readonly<Record<string, unknown>>
    const isGiven = Object.hasOwn(own, name) && own[name] !== undefined
    if (isGiven || (place === 'header' && hasHeader(name))) continue
    filled[place] = { ...own, [name]: value }
  }
  const places = type === undefined ? undefined : bodies[type]
  if (places !== undefined && input.body !== undefined)
    filled.body = fill(input.body, places, named, [])
  return filled
}

const fill = (
  written: unknown,
  places: DefaultPlaces,
  named: NonNullable<HttpDefaults['named']>,
  above: readonly object[],
): unknown => {
  const value = written === undefined ? structuredClone(places.value) : written
  // A value that contains itself is rejected when it is written.
  if (typeof value !== 'object' || value === null || above.includes(value)) return value
  const within = [...above, value]
  let result: unknown = value
  if (Array.isArray(value)) {
    const { items } = places
    if (items) result = value.map((item) => fill(item, items, named, within))
  } else if (isPlain(value)) result = fillMembers(value, places, named, within)
  return (places.refs ?? []).reduce((all: unknown, name) => {
    const own = named[name]
    return own === undefined ? all : fill(all, own, named, above)
  }, result)
}

const fillMembers = (
  value: Readonly<Record<string, unknown>>,
  { properties = {}, others }: DefaultPlaces,
  named: NonNullable<HttpDefaults['named']>,
  within: readonly object[],
): unknown => {
  const keys = new Set([...Object.keys(value), ...Object.keys(properties)])
  const entries = [...keys].flatMap((key) => {
    const places = Object.hasOwn(properties, key) ? properties[key] : others
    const own = Object.hasOwn(value, key) ? value[key] : undefined
    const filled = places === undefined ? own : fill(own, places, named, within)
    return filled === undefined ? [] : [[key, filled] as const]
  })
  return Object.fromEntries(entries)
}

/** Files, dates and forms have no members of the document. */
const isPlain = (value: object): value is Readonly<Record<string, unknown>> =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value))
