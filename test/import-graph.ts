import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Which of our files import which, read from their syntax; paths are relative to the project. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export type Import = { readonly from: string; readonly specifier: string; readonly kind: Kind }
/** `type` is erased, `dynamic` happens when it is called. */
type Kind = 'static' | 'type' | 'dynamic'

export const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** What `imports` of package.json means by a name: on Node, and elsewhere. */
type Platforms = {
  readonly node: Readonly<Record<string, string>>
  readonly default: Readonly<Record<string, string>>
}

type Manifest = {
  readonly imports: Readonly<Record<string, Platforms>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

export const files = filesUnder('src', 'generated', 'scripts')
export const imports = files.flatMap((file) => importsOf(file, read(file)))

const importsFrom = new Map(
  files.map((file) => [file, imports.filter(({ from }) => from === file)] as const),
)

export function filesUnder(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.[cm]?ts$/.test(entry.name))
          .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
          .filter((file) => !file.includes('node_modules'))
          .sort()
      : [],
  )
}

export function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Every import, re-export, `import('...')` type and `import('...')` call of a file. */
function importsOf(file: string, text: string): readonly Import[] {
  const found: Import[] = []
  const add = (node: ts.Node | undefined, kind: Kind) => {
    if (node && ts.isStringLiteralLike(node)) found.push({ from: file, specifier: node.text, kind })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, kindOf(node.importClause))
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static')
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, 'type')
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], 'dynamic')
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return found
}

/** `import { type A } from` still loads its module under verbatimModuleSyntax. */
function kindOf(clause: ts.ImportClause | undefined): Kind {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type' : 'static'
}

/**
 * Every file that one leads to by static imports, types included unless asked otherwise; `run time` follows those that happen
 * when they are called, too, and `elsewhere` does as a browser would, but not through a door.
 */
export function reachable(
  start: string,
  kinds: 'static' | 'all' | 'run time' | 'elsewhere' = 'all',
  isDoor: (from: string, to: string) => boolean = () => false,
): readonly { readonly file: string; readonly chain: readonly string[] }[] {
  const found = new Map<string, readonly string[]>([[start, [start]]])
  for (const [file, chain] of found) {
    for (const { specifier, kind } of importsFrom.get(file) ?? []) {
      if (kind === 'dynamic' && kinds !== 'run time' && kinds !== 'elsewhere') continue
      if (kind === 'type' && (kinds === 'static' || kinds === 'elsewhere')) continue
      const targets = targetsOf(file, specifier).slice(kinds === 'elsewhere' ? -1 : 0)
      for (const target of targets) {
        if (found.has(target) || (kind === 'dynamic' && isDoor(file, target))) continue
        found.set(target, [...chain, target])
      }
    }
  }
  return [...found].slice(1).map(([file, chain]) => ({ file, chain }))
}

/** The files of ours that an import means, by platform: Node's first; none for a package or what is no TypeScript. */
export function targetsOf(from: string, specifier: string): readonly string[] {
  if (specifier.startsWith('#')) {
    const { node, default: elsewhere } = manifest.imports[specifier] ?? {}
    return [node, elsewhere].map((one) => sourceOf(one) ?? specifier)
  }
  if (specifier.startsWith('.')) {
    const path = relative(ROOT, resolve(ROOT, dirname(from), specifier))
    return [path.replace(/\.js$/, '.ts')]
  }
  if (!isOurs(specifier)) return []
  const target = manifest.exports[specifier.replace(/^twinspec/, '.')]
  return typeof target === 'object' ? [sourceOf(target) ?? 'nothing'] : [specifier]
}

const sourceOf = (target: Readonly<Record<string, string>> | undefined): string | undefined =>
  target?.['twinspec-source']?.replace('./', '')

export const isOurs = (specifier: string): boolean => /^(\.|#|twinspec(\/|$))/.test(specifier)

export const isNode = (specifier: string): boolean => specifier.startsWith('node:')

/** `@scope/name/part` is of `@scope/name`; undefined for what is no package. */
export function packageOf(specifier: string): string | undefined {
  if (isOurs(specifier) || isNode(specifier)) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

export const packagesIn = (some: readonly Import[]): ReadonlySet<string> =>
  new Set(some.flatMap(({ specifier }) => packageOf(specifier) ?? []))

/** A file of re-exports and nothing else. */
export function isBarrel(text: string): boolean {
  const { statements } = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest)
  return (
    statements.length > 0 &&
    statements.every((one) => ts.isExportDeclaration(one) && one.moduleSpecifier !== undefined)
  )
}
