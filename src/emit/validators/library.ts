import type { Helper } from './helper.js'
import { HELPERS, type HelperName } from './helpers.js'

export type { HelperName } from './helpers.js'

/** The helpers that a file asks for, each once. Where an export has the name of one, the helper gives way. */
export function createLibrary(exported: ReadonlySet<string>): Library {
  const used = new Set<HelperName>()
  const use = (name: HelperName): string => {
    if (!used.has(name)) {
      used.add(name)
      for (const needed of HELPERS[name].needs ?? []) use(needed as HelperName)
    }
    return renamed(name)
  }
  const renamed = (text: string): string => (exported.has(text) ? `${text}_` : text)
  const textOf = ({ text, beside }: Helper) =>
    beside && used.has(beside.helper as HelperName) ? beside.text : text
  const clashing = helperNames.filter((name) => exported.has(name))
  return {
    use,
    texts: (fieldNames) =>
      (Object.keys(HELPERS) as HelperName[])
        .filter((name) => used.has(name))
        .map((name) =>
          clashing
            .reduce(
              (text, clash) => text.replaceAll(new RegExp(`\\b${clash}\\b`, 'g'), renamed(clash)),
              textOf(HELPERS[name]),
            )
            // After that, and by a function: the fields are the document's, whatever they are called.
            .replace('FIELD_NAMES', () => fieldNames),
        ),
  }
}

export type Library = {
  /** The name to call a helper by, which is printed because of this. */
  readonly use: (name: HelperName) => string
  /** With the type of the fields that checks read by name. */
  readonly texts: (fieldNames: string) => readonly string[]
}

/** Everything that helpers declare at the top of a file. */
export const helperNames: readonly string[] = Object.values(HELPERS).flatMap(({ text }) =>
  [...text.matchAll(/^(?:function|const|let|type) (\w+)/gm)].map(([, name = '']) => name),
)
