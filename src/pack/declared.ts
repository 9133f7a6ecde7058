import ts from 'typescript'

/** What a declaration file passes on, and what it says of it; types are as they were parsed. */
export type Declared = {
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
export type Place = { readonly module: string | undefined; readonly name: string }

export const declaredIn = (text: string): Declared => {
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
