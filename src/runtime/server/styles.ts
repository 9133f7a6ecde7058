import type { Parameter } from '../operation.js'

/**
 * Everything that the text of a parameter can mean by its style: one value, a list, an object, in this order; none where
 * it does not begin as its style does. Percent-encoding is undone after splitting. Throws URIError where it is broken.
 */
export const readStyled = (
  parameter: Parameter,
  raw: string,
  decode: Decode,
): readonly unknown[] => {
  const { style, explode, name } = parameter
  if (style === 'label') return readLabel(raw, explode, decode)
  if (style === 'matrix') return readMatrix(raw, name, explode, decode)
  return readDelimited(raw, DELIMITERS[style] ?? ',', explode, decode)
}

type Decode = (raw: string) => string

/** A decoded name with the text of its value. */
export type QueryPair = {
  readonly name: string
  readonly raw: string
  /** Whether it has an equals sign. */
  readonly isPair?: boolean
}

/** The pairs of a query; a name whose encoding is broken stays as it is, and will be nobody's. */
export const readQuery = (query: string): readonly QueryPair[] =>
  query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', equals, raw = ''] = /^([^=]*)(=?)(.*)$/s.exec(part) ?? []
      const isPair = equals !== ''
      try {
        return { name: decodeQuery(name), raw, isPair }
      } catch {
        return { name, raw, isPair }
      }
    })

/** The text of a part of a query, in which a plus is a blank (as in URLSearchParams). */
export const decodeQuery: Decode = (raw) => decodeURIComponent(raw.replaceAll('+', '%20'))

const DELIMITERS: Readonly<Partial<Record<Parameter['style'], RegExp>>> = {
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7[Cc]|\|/,
}

/** One value, a list, or an object: `R=100,G=200` exploded, `R,100,G,200` not. */
const readDelimited = (
  raw: string,
  delimiter: string | RegExp,
  explode: boolean,
  decode: Decode,
): readonly unknown[] => {
  const parts = raw.split(delimiter)
  const items = parts.map(decode)
  const object = explode ? pairsOf(parts, decode) : alternating(items)
  return [decode(raw), items, ...(raw === '' ? [[]] : []), ...(object ? [object] : [])]
}

/** RFC 6570 §3.2.5: `.blue`, `.R.100.G.200`; OpenAPI 3.0's own table joins lists by full stops either way. */
const readLabel = (raw: string, explode: boolean, decode: Decode): readonly unknown[] => {
  if (!raw.startsWith('.')) return []
  const body = raw.slice(1)
  const byComma = readDelimited(body, ',', false, decode)
  const byStop = readDelimited(body, '.', explode, decode)
  // The first list that fits is taken, and to a list of texts everything does.
  return explode ? [...byStop, ...byComma] : [...byComma, ...byStop]
}

/** RFC 6570 §3.2.7: `;color=blue,black`, exploded `;color=blue;color=black` and `;R=100;G=200`. */
const readMatrix = (
  raw: string,
  name: string,
  explode: boolean,
  decode: Decode,
): readonly unknown[] => {
  if (!raw.startsWith(';')) return []
  const parts = raw.slice(1).split(';')
  const own = parts.flatMap((part) => {
    const [key = '', ...rest] = part.split('=')
    return decode(key) === name ? [rest.join('=')] : []
  })
  const object = explode ? pairsOf(parts, decode) : undefined
  const objects = object ? [object] : []
  const [only] = own
  if (only !== undefined && own.length === 1 && parts.length === 1)
    return [...readDelimited(only, ',', false, decode), ...objects]
  return [...(own.length > 0 ? [own.map(decode)] : []), ...objects]
}

const alternating = (items: readonly string[]): Record<string, string> | undefined => {
  if (items.length % 2 !== 0) return undefined
  const keys = items.filter((_, index) => index % 2 === 0)
  return Object.fromEntries(keys.map((key, index) => [key, items[index * 2 + 1] ?? '']))
}

const pairsOf = (parts: readonly string[], decode: Decode): Record<string, string> | undefined => {
  if (!parts.every((part) => part.includes('='))) return undefined
  const entries = parts.map((part) => {
    const [key = '', ...rest] = part.split('=')
    return [decode(key), decode(rest.join('='))] as const
  })
  return Object.fromEntries(entries)
}
