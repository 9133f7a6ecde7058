import { posix } from 'node:path'
import ts from 'typescript'
import type { File } from '../emit/file.js'
import { list } from '../runtime/validate/wording.js'
import { markdownCode } from '../text/escape.js'
import { CODE } from './manifest.js'
import { relativeTarget } from './module-graph.js'
import type { PackagePart } from './parts.js'
import { declarationOf } from './vendor.js'

/**
 * The parts and the exported names of the last package that this one does not have, each as a clause of Markdown:
 * `` `orderActions` of `./viem` is gone ``. Empty if the last package has no `exports`.
 */
export const removedExports = (
  before: ReadonlyMap<string, string>,
  now: readonly File[],
  parts: readonly PackagePart[],
): readonly string[] => {
  const { exports = {} } = JSON.parse(before.get('package.json') ?? '{}') as {
    readonly exports?: Readonly<Record<string, string | { readonly default?: string } | null>>
  }
  const targets = Object.entries(exports).flatMap(([entry, target]) => {
    const path = typeof target === 'string' ? target : target?.default
    return path === undefined || entry === './package.json' ? [] : [[entry, path] as const]
  })
  const old = modulesOf(targets, before)
  const files = new Map(now.map(({ name, text }) => [name, text]))
  const current = modulesOf(
    parts.map(({ entry, module }) => [entry, `${CODE}/${module}`] as const),
    files,
  )
  return [...old].flatMap(([entry, path]) => {
    const other = current.get(entry)
    if (other === undefined) return [gone([entry])]
    const kept = exportedNames(other, files)
    const names = [...exportedNames(path, before)].filter((name) => !kept.has(name))
    return names.length === 0 ? [] : [gone(names, entry)]
  })
}

const gone = (names: readonly string[], entry?: string): string =>
  `${list(names.map(markdownCode), 'and')}${entry === undefined ? '' : ` of ${markdownCode(entry)}`} ${names.length === 1 ? 'is' : 'are'} gone`

/** Entry -> its file in the package. An entry with a `*` has one file for each module of the folder. */
const modulesOf = (
  targets: readonly (readonly [entry: string, path: string])[],
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    targets.flatMap(([entry, target]) => {
      const path = declarationOf(posix.normalize(target))
      const [head = '', tail] = path.split('*')
      if (tail === undefined) return [[entry, path] as const]
      return [...files.keys()].flatMap((name) => {
        const own = name.slice(head.length, -tail.length)
        const isOne = name.startsWith(head) && name.endsWith(tail) && /^[^./]+$/.test(own)
        return isOne ? [[entry.replace('*', own), name] as const] : []
      })
    }),
  )

/** The names that a declaration file exports, re-exports included. */
const exportedNames = (
  path: string,
  files: ReadonlyMap<string, string>,
  passed: ReadonlySet<string> = new Set(),
): ReadonlySet<string> => {
  const text = files.get(path)
  if (text === undefined || !path.endsWith('.d.ts') || passed.has(path)) return new Set()
  const names = ts
    .createSourceFile(path, text, ts.ScriptTarget.ES2023)
    .statements.flatMap((statement): readonly string[] => {
      if (ts.isExportDeclaration(statement)) {
        const { exportClause, moduleSpecifier } = statement
        if (exportClause && ts.isNamedExports(exportClause))
          return exportClause.elements.map(({ name }) => name.text)
        if (exportClause) return [exportClause.name.text]
        if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return []
        const target = declarationOf(relativeTarget(path, moduleSpecifier.text))
        return [...exportedNames(target, files, new Set([...passed, path]))]
      }
      if (!ts.canHaveModifiers(statement)) return []
      const isExported = ts
        .getModifiers(statement)
        ?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      return isExported ? declaredNames(statement) : []
    })
  return new Set(names)
}

const declaredNames = (statement: ts.Statement): readonly string[] => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    )
  const { name } = statement as ts.Statement & { readonly name?: ts.Node }
  return name && ts.isIdentifier(name) ? [name.text] : []
}
