/** A value of an enum with the name and the description that the document gives it. */
export type NamedValue = {
  readonly name: string
  readonly value: unknown
  readonly description?: string | undefined
}

/** The extensions that name the values of an enum, by position: of OpenAPI Generator, and of NSwag. */
export const NAMING = ['x-enum-varnames', 'x-enumNames'] as const

/**
 * The names of the values of an enum: undefined without such an extension, a text for names that do not fit. A null among the
 * values needs no name. Descriptions are by position (`x-enum-descriptions`) or by value (`x-enumDescriptions`), in both forms.
 */
export function namedValues(
  schema: Readonly<Record<string, unknown>>,
): readonly NamedValue[] | string | undefined {
  const { enum: values } = schema
  const key = NAMING.find((one) => one in schema)
  if (key === undefined || !Array.isArray(values)) return undefined
  const names = schema[key]
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && name !== ''))
    return `${key} must be a list of texts`
  const named = names.length === values.length ? values : values.filter((value) => value !== null)
  if (names.length !== named.length)
    return `${key} has ${names.length} names for ${named.length} values`
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return `${key} has the name ${repeated} twice`
  const texts = schema['x-enum-descriptions'] ?? schema['x-enumDescriptions']
  return named.map((value, index) => {
    const place = Array.isArray(texts) ? index : String(value)
    const text = typeof texts === 'object' && texts !== null ? Reflect.get(texts, place) : undefined
    return { name: names[index], value, description: typeof text === 'string' ? text : undefined }
  })
}
