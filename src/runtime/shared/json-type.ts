/** `application/json`, `application/problem+json; charset=utf-8` and the like. */
export const isJson = (type: string): boolean => /^[^/\s]+\/([^/\s]+\+)?json$/.test(essence(type))

/** The media type alone: lower case, no parameters. */
export const essence = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()
