import ts from 'typescript'
import { visibleCode } from '../text/escape.js'
import { doc } from './file.js'
import { WIDTH } from './header.js'

/** A node as text, indented by `depth` levels. */
export function printNode(node: ts.Node, depth = 0): string {
  const text = inOurStyle(visibleCode(textOf(node)))
  const indented = depth === 0 ? text : text.replace(/^(?=.)/gm, '  '.repeat(depth))
  return indented.split('\n').map(withShortUnions).join('\n')
}

/** A line that is too long and declares a union, with a line for each member. */
function withShortUnions(line: string): string {
  if (line.length <= WIDTH || /^ *\*/.test(line)) return line
  const [start = '', margin = ''] = DECLARES.exec(line) ?? []
  const members = start === '' ? [] : unionMembers(line.slice(start.length))
  if (members.length < 2) return line
  return [start.trimEnd(), ...members.map((one) => `${margin}  | ${one}`)].join('\n')
}

/** The begin of a line that declares a type: an alias, or a member under an identifier or a string. */
const DECLARES =
  /^( *)(?:export type [^\s=]+ = |(?:readonly )?(?:[\p{L}\p{N}_$]+|'(?:[^'\\]|\\.)*')\??: )/u

/** The members of a union that is the rest of a line; none if it goes on in other lines. */
function unionMembers(text: string): readonly string[] {
  const members: string[] = []
  let depth = 0
  let begin = 0
  for (const { 0: piece, index } of text.matchAll(
    /'(?:[^'\\]|\\.)*'?|`[^`]*`?|[([{<]|=>|[)\]}>]| \| /g,
  )) {
    if (/^[([{<]$/.test(piece)) depth++
    else if (/^[)\]}>]$/.test(piece)) depth--
    else if (piece === ' | ' && depth === 0) {
      members.push(text.slice(begin, index))
      begin = index + piece.length
    }
  }
  return depth === 0 ? [...members, text.slice(begin)] : []
}

/**
 * Prints a node like `astToString` of openapi-typescript, which creates a printer for each. A level is two spaces, as in all
 * generated code; TypeScript's printer writes four.
 */
function textOf(node: ts.Node): string {
  const file: { statements: ts.NodeArray<ts.Statement> } = FILE
  file.statements = ts.factory.createNodeArray([node as ts.Statement])
  return PRINTER.printFile(FILE).replace(/^(?: {4})+/gm, (margin) => ' '.repeat(margin.length / 2))
}

const FILE = ts.createSourceFile('types.ts', '', ts.ScriptTarget.ESNext)
const PRINTER = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed })

/**
 * The paragraphs of a comment as a title, which openapi-typescript writes into a comment of its own. Without any character that
 * could end that comment, so that no text of a document is in what it prints.
 */
export const commentTitle = (
  ...paragraphs: readonly (string | undefined)[]
): { readonly title?: string } => {
  const texts = paragraphs.filter((one) => one !== undefined && one.trim() !== '')
  return texts.length === 0 ? {} : { title: `<${encodeURIComponent(JSON.stringify(texts))}>` }
}

/**
 * Writes code as all other generated code: strings between single quotes, no semicolons at the ends of lines, and those comments
 * as all others. Leaves out what openapi-typescript adds, such as `@enum {string}`.
 */
const inOurStyle = (text: string): string =>
  text.replace(PIECES, (piece: string, margin?: string, comment?: string, end = '') => {
    if (comment === undefined) return piece === ';' ? '' : singleQuoted(piece)
    const [begin, close] = [comment.indexOf('<'), comment.lastIndexOf('>')]
    if (begin < 0) return margin === undefined ? end : ''
    const title = decodeURIComponent(comment.slice(begin + 1, close))
    const lines = doc(...(JSON.parse(title) as readonly string[])).text
    return `${margin ?? ''}${lines.replaceAll('\n', `\n${margin ?? ''}`)}${end}`
  })

/** A string that TypeScript has printed between double quotes. */
const singleQuoted = (piece: string): string =>
  `'${piece.slice(1, -1).replace(/\\.|'/g, (one) => ESCAPES[one] ?? one)}'`

const ESCAPES: Readonly<Record<string, string>> = { '\\"': '"', "'": "\\'" }

/**
 * Strings, comments and the semicolons between them. So a comment within a string is not taken for one. One that does not end is
 * matched to the end of the text, so that no part is read twice.
 */
const PIECES =
  /"(?:[^"\\\n]|\\.)*"?|(^ *)?\/\*([^*]*(?:\*(?!\/)[^*]*)*)(?:\*\/|(?![\s\S]))(\n)?|;$/gm
