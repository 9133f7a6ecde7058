import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import ts from 'typescript'
import { pascalCase, splitWords } from '../text/names.js'

// The modules that import the types of openapi-typescript, and what changes in them

export type TextFile = { readonly path: string; readonly text: string }

export type Edit = { readonly start: number; readonly end: number; readonly text: string }

export type Mention = {
  readonly path: string
  readonly line: number
  readonly message: string
  /** Whether the project still needs openapi-typescript there. */
  readonly needsPackage?: true
}

export type FileEdit = Edit & { readonly path: string }

/** A module of types that openapi-typescript has printed, and where ours are. */
export type Output = {
  /** Relative to the project. */
  readonly output: string
  readonly folder: string
  readonly document: string | undefined
  readonly exported: ReadonlySet<string> | undefined
}

/** The module of a folder of types. */
export const TYPES = 'http.types'

export type Resolver = (specifier: string, from: string) => Output | undefined

/** Which output a module specifier means: by its path, else as TypeScript resolves it. */
export const moduleResolver = (dir: string, outputs: readonly Output[]): Resolver => {
  const config = ts.findConfigFile(dir, ts.sys.fileExists)
  const { options } = config
    ? ts.parseJsonConfigFileContent(
        ts.readConfigFile(config, ts.sys.readFile).config,
        ts.sys,
        dirname(config),
      )
    : { options: {} }
  const byStem = new Map(outputs.map((one) => [resolve(dir, stemOf(one.output)), one]))
  return (specifier, from) => {
    const file = resolve(dir, from)
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
      const stem = resolve(dirname(file), stemOf(specifier))
      return byStem.get(stem) ?? byStem.get(join(stem, 'index'))
    }
    if (!outputs.some(({ output }) => basename(stemOf(output)) === basename(stemOf(specifier))))
      return undefined
    const { resolvedModule } = ts.resolveModuleName(specifier, file, options, ts.sys)
    return resolvedModule && byStem.get(stemOf(resolve(resolvedModule.resolvedFileName)))
  }
}

export type ModuleChanges = {
  readonly edits: readonly FileEdit[]
  readonly left: readonly Mention[]
  readonly stays: readonly Mention[]
}

/** The changes of a module, or of the scripts in a component of Vue, Svelte or Astro. */
export const moduleChanges = ({ path, text }: TextFile, resolveTo: Resolver): ModuleChanges => {
  const parts = /\.(?:vue|svelte|astro)$/.test(path) ? scriptsOf(text) : [{ code: text, at: 0 }]
  const all = parts.map(({ code, at }) => partChanges({ path, text }, code, at, resolveTo))
  return {
    edits: all.flatMap(({ edits }) => edits),
    left: all.flatMap(({ left }) => left),
    stays: all.flatMap(({ stays }) => stays),
  }
}

type Script = { readonly code: string; readonly at: number }

/** The code between the fences of Astro, and that of each script. */
const scriptsOf = (text: string): readonly Script[] => {
  const [open, close] = [...text.matchAll(/^---\r?$/gm)]
  const scripts: Script[] = []
  let end = 0
  const add = (from: number, to: number): void => {
    scripts.push({ code: text.slice(from, to), at: from })
    end = to
  }
  if (open && close) add(open.index + open[0].length, close.index)
  for (;;) {
    const tag = text.indexOf('<script', end)
    const begin = tag < 0 ? -1 : text.indexOf('>', tag) + 1
    const to = begin <= 0 ? -1 : text.indexOf('</script>', begin)
    if (to < 0) return scripts
    add(begin, to)
  }
}

const partChanges = (
  { path, text }: TextFile,
  code: string,
  at: number,
  resolveTo: Resolver,
): ModuleChanges => {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, kind)
  const edits: FileEdit[] = []
  const left: Mention[] = []
  const stays: Mention[] = []
  const mention = (node: ts.Node, message: string): Mention => ({
    path,
    line: lineAt(text, at + node.getStart()),
    message,
  })
  const change = (node: ts.Node, written: string) =>
    edits.push({ path, start: at + node.getStart(), end: at + node.end, text: written })
  const clients = clientNames(source)
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    const output = specifier && resolveTo(specifier.text, path)
    if (specifier && output) {
      const quote = code[specifier.getStart()] ?? "'"
      change(specifier, `${quote}${specifierFor(specifier.text, path, output)}${quote}`)
      for (const one of importedNames(node)) {
        const name = nameIn(output, one)
        if (name === undefined)
          left.push(
            mention(
              one,
              `${output.folder} has no ${importedName(one)}: use components['schemas']['…'], or see docs/coming-from-openapi-typescript.md`,
            ),
          )
        else if (name !== importedName(one))
          change(one, name === one.name.text ? name : `${name} as ${one.name.text}`)
      }
    }
    if (ts.isCallExpression(node) && node.typeArguments && clients.has(node.expression.getText()))
      stays.push(
        mention(
          node,
          `${node.expression.getText()} of openapi-fetch stays; --with openapi-fetch writes a client with credentials, retries and validation`,
        ),
      )
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { edits, left, stays }
}

/** The specifier of an import, an export, an `import(…)`, or a type `import('…')`. */
const specifierOf = (node: ts.Node): ts.StringLiteral | undefined => {
  const found =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined
  return found && ts.isStringLiteral(found) ? found : undefined
}

/** With the same ending as before: TypeScript finds `http.types.ts` by `http.types.js` too. */
const specifierFor = (specifier: string, from: string, { output, folder }: Output): string => {
  const ending = /\.d\.[mc]?ts$/.test(specifier)
    ? '.js'
    : /\.[mc]?[tj]s$/.test(specifier)
      ? extname(specifier)
      : ''
  if (!specifier.startsWith('.')) {
    const suffix = folder.slice(stemOf(output).length)
    return `${stemOf(specifier)}${suffix}/${TYPES}${ending}`
  }
  const path = relative(dirname(from), join(folder, TYPES)).split(sep).join('/')
  return `${path.startsWith('.') ? path : `./${path}`}${ending}`
}

const importedNames = (node: ts.Node): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] => {
  const list = ts.isImportDeclaration(node)
    ? node.importClause?.namedBindings
    : ts.isExportDeclaration(node)
      ? node.exportClause
      : undefined
  return list && (ts.isNamedImports(list) || ts.isNamedExports(list)) ? [...list.elements] : []
}

const importedName = ({ name, propertyName }: ts.ImportSpecifier | ts.ExportSpecifier): string =>
  (propertyName ?? name).text

/** The name of a type here: that of openapi-typescript, or of a schema that `--root-types` exports as `SchemaOrder`. */
const nameIn = (
  { exported }: Output,
  one: ts.ImportSpecifier | ts.ExportSpecifier,
): string | undefined => {
  const name = importedName(one)
  if (ALWAYS.has(name) || exported?.has(name)) return name
  const isSpelled = (schema: string, word: string) =>
    schema === word || pascalCase(splitWords(schema).join(' ')) === word
  const short = name.replace(/^Schema/, '')
  return [...(exported ?? [])].find((schema) => isSpelled(schema, name) || isSpelled(schema, short))
}

const ALWAYS: ReadonlySet<string> = new Set([
  'paths',
  'webhooks',
  'components',
  'operations',
  '$defs',
])

/** What the default export of openapi-fetch is called in a module. */
const clientNames = (source: ts.SourceFile): ReadonlySet<string> =>
  new Set(
    source.statements.flatMap((one) =>
      ts.isImportDeclaration(one) &&
      ts.isStringLiteral(one.moduleSpecifier) &&
      one.moduleSpecifier.text === 'openapi-fetch'
        ? (one.importClause?.name?.text ?? [])
        : [],
    ),
  )

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

export const stemOf = (path: string): string => path.replace(/(?:\.d)?\.[mc]?[tj]s$/, '')
