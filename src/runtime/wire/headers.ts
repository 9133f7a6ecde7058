/** Names are in lower case; a header that occurs more than once may be a list. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header; the values of one that occurs more than once are joined (RFC 9110, 5.3). */
export const headerOf = (headers: HeaderRecord, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}
