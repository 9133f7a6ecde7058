/** `application/json`, `application/problem+json; charset=utf-8` and the like. */
export const isJson = (type: string): boolean => /^[\w.+-]+\/([\w.-]+\+)?json$/.test(essence(type))

/** What is read and written as text: `text/*`, XML, and the few textual `application/` types. */
export const isText = (type: string): boolean =>
  /^text\/|[/+](xml|yaml|javascript|x-www-form-urlencoded)$/.test(essence(type))

/** Whether a documented media type, `text/*` and the like included, covers one that was sent. */
export const covers = (declared: string, sent: string): boolean => {
  const [want, got] = [essence(declared), essence(sent)]
  if (want === '*/*' || want === got) return true
  if (want.endsWith('/*')) return got.startsWith(want.slice(0, -1))
  // A document that says JSON is not broken by `application/problem+json`, nor the other way round.
  return isJson(want) && isJson(got)
}

/** The media type alone: lower case, no parameters. */
export const essence = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()
