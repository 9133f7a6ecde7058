import * as checks from '../../runtime/checks.js'
import { code, type Fragment, imported, join, raw } from '../file.js'

/** What the checks of a file call. A helper gets another name where an export has its own. */
export const createLibrary = (exported: ReadonlySet<string>): Library => {
  const used = new Set<HelperName>()
  const free = (name: string): string => (exported.has(name) ? `${name}_` : name)
  return {
    use(name) {
      used.add(name)
      return free(name)
    },
    print(fieldNames) {
      const imports = [...used]
        .filter((name) => name !== 'isObject')
        .flatMap((name) => {
          const as = free(name)
          return imported(as === name ? name : `${name} as ${as}`, RUNTIME).imports
        })
      const [isObject, fields, fieldName] = OWN.map(free) as [string, string, string]
      const text = used.has('isObject')
        ? code`function ${isObject}(value: unknown): value is ${fields} {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Any object; fields that are read by their names are listed, so that none is misspelled. */
type ${fields} = Readonly<Record<string, unknown>> & { readonly [name in ${fieldName}]?: unknown }

type ${fieldName} = ${raw(fieldNames)}`
        : join([])
      return { ...text, imports }
    },
  }
}

export type Library = {
  /** The name to call a helper by, which is imported because of this. */
  readonly use: (name: HelperName) => string
  /** The imports of the helpers so far, and the test of objects with the type of the fields that checks read by name. */
  readonly print: (fieldNames: string) => Fragment
}

export type HelperName = keyof typeof checks | 'isObject'

const OWN = ['isObject', 'Fields', 'FieldName'] as const

/** Every name that a file may import or declare beside its exports. */
export const helperNames: readonly string[] = [...Object.keys(checks), ...OWN]

const RUNTIME = 'twinspec/runtime/checks'
