/** Names are in lower case; a header that occurs more than once may be a list. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers in their order and spelling. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/**
 * The value of a header; the values of one that occurs more than once are joined (RFC 9110, 5.3), those of Cookie by semicolons
 * (RFC 9113, 8.2.3). The names of a record are found in lower case, those of pairs in any.
 */
export const headerOf = (headers: HeaderRecord | HeaderPairs, name: string): string | undefined => {
  const value = isPairs(headers)
    ? valuesIn(headers, name)
    : Object.hasOwn(headers, name)
      ? headers[name]
      : undefined
  if (typeof value === 'string' || value === undefined) return value
  return value.join(/^cookie$/i.test(name) ? '; ' : ', ')
}

/** The codings of a body by its Content-Encoding: `identity` and an empty member are none (RFC 9110, 5.6.1.2 and 8.4). */
export const codingsOf = (contentEncoding = ''): readonly string[] =>
  contentEncoding
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '' && one !== 'identity')

const isPairs = (headers: HeaderRecord | HeaderPairs): headers is HeaderPairs =>
  Array.isArray(headers)

const valuesIn = (headers: HeaderPairs, name: string): readonly string[] | undefined => {
  const lower = name.toLowerCase()
  const values = headers.filter(([one]) => one.toLowerCase() === lower).map(([, value]) => value)
  return values.length === 0 ? undefined : values
}
