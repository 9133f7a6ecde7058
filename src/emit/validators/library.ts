import * as checks from '../../runtime/checks.js'
import * as pattern from '../../runtime/pattern.js'
import { freeName } from '../../text/names.js'
import type { Declaration } from '../declaration.js'
import { declared, type Fragment, importedBeside, raw, string } from '../file.js'

/** The helpers that the checks of a file call. A helper is renamed if an export has its name. */
export const createLibrary = (exported: ReadonlySet<string>): Library => {
  const free = (name: string): string => freeName(name, exported)
  const imports = new Map(
    RUNTIME.map(([name, module]) => [free(name), importedBeside(exported, name, module)]),
  )
  const [isObject, fields, fieldName] = OWN.map(free) as [string, string, string]
  return {
    nameOf: free,
    names: helperNames.map(free),
    refer: (name) => imports.get(name) ?? declared(name),
    isObject: (names) => ({
      name: isObject,
      kind: 'support',
      keyword: 'function',
      body: raw(`(value: unknown): value is ${fields} {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Any object. Fields that are read by name are listed, so that misspelled names are errors. */
type ${fields} = Readonly<Record<string, unknown>> & { readonly [name in ${fieldName}]?: unknown }

type ${fieldName} = ${printNames(names)}`),
    }),
  }
}

/** Names as a union of literals, each on its own line. */
const printNames = (names: ReadonlySet<string>): string =>
  names.size === 0
    ? 'never'
    : [...names]
        .sort()
        .map((name) => `\n  | ${string(name)}`)
        .join('')

export type Library = {
  /** The name of a helper in the file. */
  readonly nameOf: (name: HelperName) => string
  /** Every name that the file may import or declare besides its exports and its checks. */
  readonly names: readonly string[]
  /** The name of a helper, a function or a constant, with its import. */
  readonly refer: (name: string) => Fragment
  /** The test of objects with the type of the fields that checks read by name. */
  readonly isObject: (names: ReadonlySet<string>) => Declaration
}

export type HelperName = keyof typeof checks | keyof typeof pattern | 'isObject'

/** Helper and the module that exports it. */
const RUNTIME = [
  ...Object.keys(checks).map((name) => [name, 'twinspec/runtime/checks'] as const),
  ...Object.keys(pattern).map((name) => [name, 'twinspec/runtime/pattern'] as const),
]

const OWN = ['isObject', 'Fields', 'FieldName'] as const

/** Every name that a file may import or declare besides its exports. */
export const helperNames: readonly string[] = [...RUNTIME.map(([name]) => name), ...OWN]
