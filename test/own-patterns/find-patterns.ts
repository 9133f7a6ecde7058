import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../import-graph.js'

/** A regular expression of our own sources. */
export type OwnPattern = {
  /** The file and line, such as `src/cli/lint.ts:12`. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** A `RegExp(…)` whose source is not a constant of its file. */
export type BuiltPattern = {
  readonly file: string
  readonly place: string
  /** The arguments as they are written. */
  readonly written: string
}

/** All regular expressions below `src/`: the literals, and the calls of `RegExp`. */
export function findPatterns(): {
  readonly patterns: readonly OwnPattern[]
  readonly built: readonly BuiltPattern[]
} {
  const patterns: OwnPattern[] = []
  const built: BuiltPattern[] = []
  for (const file of sourceFiles()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(ROOT, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    )
    const constants = constantsOf(source)
    const visit = (node: ts.Node): void => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const place = `${file}:${line + 1}`
      const literal = literalOf(node)
      if (literal) patterns.push({ place, ...literal })
      if (isCallOfRegExp(node)) {
        const [first, second] = node.arguments ?? []
        const text = first && textOf(first, constants)
        const flags = second ? textOf(second, constants) : ''
        if (text !== undefined && flags !== undefined) patterns.push({ place, source: text, flags })
        else built.push({ file, place, written: writtenOf(node) })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { patterns, built }
}

const sourceFiles = (): readonly string[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()

const literalOf = (
  node: ts.Node,
): { readonly source: string; readonly flags: string } | undefined => {
  if (!ts.isRegularExpressionLiteral(node)) return undefined
  const end = node.text.lastIndexOf('/')
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
}

const isCallOfRegExp = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'

const writtenOf = ({ arguments: given }: ts.NewExpression | ts.CallExpression): string =>
  (given ?? []).map((one) => one.getText().replaceAll(/\s+/g, ' ')).join(', ')

type Constants = ReadonlyMap<string, ts.Expression>

/** Each `const` of a file that is declared once, whatever its scope. */
const constantsOf = (source: ts.SourceFile): Constants => {
  const found = new Map<string, ts.Expression | undefined>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const { text } = node.name
      found.set(text, found.has(text) ? undefined : node.initializer)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return new Map([...found].flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** The text of an expression that depends only on constants of its file. */
const textOf = (node: ts.Expression, constants: Constants): string | undefined => {
  const read = (one: ts.Expression) => textOf(one, constants)
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return literalOf(node)?.source
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
    return templateText(node.template, read, (part) => part.rawText ?? part.text)
  if (ts.isTemplateExpression(node)) return templateText(node, read, (part) => part.text)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([read(node.left), read(node.right)], '')
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text)
    return value && read(value)
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
    const value = ts.isIdentifier(node.expression)
      ? constants.get(node.expression.text)
      : node.expression
    if (value && isCallOfRegExp(value) && value.arguments?.[0]) return read(value.arguments[0])
    return value && literalOf(value)?.source
  }
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'join'
  ) {
    const list = node.expression.expression
    const items = ts.isIdentifier(list) ? constants.get(list.text) : list
    const by = node.arguments[0] && read(node.arguments[0])
    if (items && ts.isArrayLiteralExpression(items) && by !== undefined)
      return joined(items.elements.map(read), by)
  }
  return undefined
}

type TemplatePart = ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail

const templateText = (
  node: ts.TemplateLiteral,
  read: (one: ts.Expression) => string | undefined,
  partText: (part: TemplatePart | ts.NoSubstitutionTemplateLiteral) => string,
): string | undefined => {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return partText(node)
  const rest = node.templateSpans.flatMap(({ expression, literal }) => [
    read(expression),
    partText(literal),
  ])
  return joined([partText(node.head), ...rest], '')
}

const joined = (parts: readonly (string | undefined)[], by: string): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join(by)
