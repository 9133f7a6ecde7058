/** The value of a JSON text, or why it is none. The platform's error quotes a part of the text, so it is made of `clean(text)`. */
export const parseJson = (text: string, clean: (text: string) => string): ParsedJson => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { cause: errorOf(clean(text)) }
  }
}

export type ParsedJson = { readonly value: unknown } | { readonly cause: unknown }

const errorOf = (text: string): unknown => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}
