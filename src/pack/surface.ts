import ts from 'typescript'
import { listedBy } from './listed.js'
import { relativeTarget } from './module-graph.js'
import { declarationOf } from './vendor.js'

/**
 * What code may name of a package: its parts as `exports` has them, with the names that their declarations export, and with the
 * members of these, such as the functions of a client or the names of servers. Read from the text, without the compiler's
 * checker, which would take seconds.
 */
export const surfaceOf = ({ entries, files }: Packaged, read: Reader = createReader()): Surface => {
  const moduleAt = (path: string): Declared | undefined => {
    const text = files.get(path)
    return text === undefined ? undefined : read(text)
  }
  const parts = [...entries].map(([entry, target]) => {
    const modules = modulesOf(entry, target, files).map(([name, path]) => {
      const isData = DATA.has(entry)
      const exported = [...namesIn(path, moduleAt)].map(
        ([name, place]) => [name, isData ? undefined : membersOf(place, moduleAt)] as const,
      )
      return [name, files.has(path) ? new Map(exported) : undefined] as const
    })
    return [entry, new Map(modules)] as const
  })
  return new Map(parts)
}

/**
 * Entry, `./http` or `./http/repos/*` -> its modules by the names that they are imported by -> exported names -> members.
 * Undefined is what has no declaration.
 */
export type Surface = ReadonlyMap<string, ReadonlyMap<string, Exported | undefined>>

/** Members are undefined where the declaration does not list any: a function, a type that is computed. */
export type Exported = ReadonlyMap<string, ReadonlySet<string> | undefined>

export type Packaged = {
  /** Entry -> its code in the package, `dist/http.client.js`, with a `*` where the entry has one. */
  readonly entries: ReadonlyMap<string, string>
  /** By their names in the package. */
  readonly files: ReadonlyMap<string, string>
}

export type Reader = (text: string) => Declared

/** Two versions of a package have most of their texts in common. */
export const createReader = (): Reader => {
  const known = new Map<string, Declared>()
  return (text) => {
    const declared = known.get(text) ?? declaredIn(text)
    known.set(text, declared)
    return declared
  }
}

/** Where the members of a type are those of values, and `diff` says what became of them. */
const DATA: ReadonlySet<string> = new Set([
  './http.types',
  './rpc.types',
  './schemas',
  './validators',
  './explanations',
  './operations',
])

type At = { readonly path: string; readonly name: string }

type Modules = (path: string) => Declared | undefined

/** Of a folder what belongs to an operation or for all: `repos-get`, and not the schemas that go with it. */
const modulesOf = (
  entry: string,
  target: string,
  files: ReadonlyMap<string, string>,
): readonly (readonly [name: string, path: string])[] => {
  const declaration = declarationOf(target)
  const [head = '', tail] = declaration.split('*')
  if (tail === undefined) return target.endsWith('.js') ? [[entry, declaration]] : []
  return [...files.keys()].flatMap((path) => {
    if (!path.startsWith(head) || !path.endsWith(tail)) return []
    const name = path.slice(head.length, path.length - tail.length)
    return /^[^./]+$/.test(name) ? [[entry.replace('*', name), path] as const] : []
  })
}

const namesIn = (
  path: string,
  moduleAt: Modules,
  passed: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, At> => {
  const declared = moduleAt(path)
  if (!declared || passed.has(path)) return new Map()
  const seen = new Set([...passed, path])
  const others = declared.passedOn.flatMap((module) => [
    ...namesIn(besides(path, module), moduleAt, seen),
  ])
  const own = [...declared.exported].map(([name, place]) => [name, at(path, place)] as const)
  return new Map([...others, ...own])
}

const besides = (path: string, module: string): string =>
  declarationOf(relativeTarget(path, module))

const at = (path: string, { module, name }: Place): At =>
  module === undefined ? { path, name } : { path: besides(path, module), name }

/** The names that the type of what is there lists, by way of whatever it is made of in this package. */
const membersOf = (place: At, moduleAt: Modules, depth = 0): ReadonlySet<string> | undefined => {
  const declared = depth > DEEPEST ? undefined : moduleAt(place.path)
  if (!declared) return undefined
  const elsewhere = declared.imported.get(place.name)
  if (elsewhere) return membersOf(at(place.path, elsewhere), moduleAt, depth + 1)
  if (!declared.types.has(place.name)) {
    const found = namesIn(place.path, moduleAt).get(place.name)
    const isHere = found?.path === place.path && found.name === place.name
    return found && !isHere ? membersOf(found, moduleAt, depth + 1) : undefined
  }
  const type = declared.types.get(place.name)
  const named = (name: string) => membersOf({ path: place.path, name }, moduleAt, depth + 1)
  return type && listedBy(type, named)
}

/** Declarations that lead to each other are a few steps; more is a circle. */
const DEEPEST = 12

/** What a declaration file passes on, and what it says of it; types are as they were parsed. */
type Declared = {
  /** Exported name -> where it is declared: here, or in the module that it is passed on from. */
  readonly exported: ReadonlyMap<string, Place>
  /** Modules of which all is passed on. */
  readonly passedOn: readonly string[]
  /** Names that stand here, imported ones as well. */
  readonly imported: ReadonlyMap<string, Place>
  /** The types of aliases and of values that are declared here; undefined of what is declared otherwise. */
  readonly types: ReadonlyMap<string, ts.TypeNode | undefined>
}

/** `module` is as it is written, `./http.types.js`; undefined where it is this file. */
type Place = { readonly module: string | undefined; readonly name: string }

const declaredIn = (text: string): Declared => {
  const exported = new Map<string, Place>()
  const imported = new Map<string, Place>()
  const types = new Map<string, ts.TypeNode | undefined>()
  const passedOn: string[] = []
  for (const statement of ts.createSourceFile('a.d.ts', text, SETTINGS).statements) {
    if (ts.isImportDeclaration(statement)) {
      for (const [name, place] of importedBy(statement)) imported.set(name, place)
    } else if (ts.isExportDeclaration(statement)) {
      const module = moduleOf(statement)
      const { exportClause } = statement
      if (!exportClause && module !== undefined) passedOn.push(module)
      else if (exportClause && ts.isNamedExports(exportClause)) {
        for (const { name, propertyName } of exportClause.elements) {
          exported.set(name.text, { module, name: (propertyName ?? name).text })
        }
      } else if (exportClause) exported.set(exportClause.name.text, { module, name: '*' })
    } else {
      for (const [name, type] of declaredBy(statement)) {
        types.set(name, types.get(name) ?? type)
        if (isExported(statement)) exported.set(name, { module: undefined, name })
      }
    }
  }
  return { exported, passedOn, imported, types }
}

const SETTINGS: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ES2023,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

type Named = readonly (readonly [name: string, type: ts.TypeNode | undefined])[]

const declaredBy = (statement: ts.Statement): Named => {
  if (ts.isTypeAliasDeclaration(statement)) return [[statement.name.text, statement.type]]
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name, type }) =>
      ts.isIdentifier(name) ? [[name.text, type] as const] : [],
    )
  }
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement)
  return isNamed && statement.name ? [[statement.name.text, undefined]] : []
}

const importedBy = ({ importClause, moduleSpecifier }: ts.ImportDeclaration) => {
  const named = importClause?.namedBindings
  if (!named || !ts.isNamedImports(named) || !ts.isStringLiteral(moduleSpecifier)) return []
  return named.elements.map(({ name, propertyName }) => {
    const place: Place = { module: moduleSpecifier.text, name: (propertyName ?? name).text }
    return [name.text, place] as const
  })
}

const moduleOf = ({ moduleSpecifier }: ts.ExportDeclaration): string | undefined =>
  moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
