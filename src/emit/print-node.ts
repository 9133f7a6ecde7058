import ts from 'typescript'
import { commentText, visibleCode, withoutControls } from '../text/escape.js'
import { wrap } from './paragraphs.js'

/** A node as text, indented by `depth` levels. Lines of comments leave space for `below` levels. */
export function printNode(node: ts.Node, depth = 0, below = depth): string {
  const text = withShortLines(withPlainComments(textOf(node)), LINE - 2 * below)
  return depth === 0 ? text : text.replace(/^(?=.)/gm, '  '.repeat(depth))
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

/** Removes control characters from comments, and escapes them in names and values. */
const withPlainComments = (text: string): string =>
  visibleCode(
    withoutControls(text) === text
      ? text
      : text.replace(STRINGS_AND_COMMENTS, (piece, comment: string | undefined) =>
          comment === undefined ? piece : `/*${commentText(comment)}*/`,
        ),
  )

/** Strings are matched too, so that a comment within a string is not taken for one. */
const STRINGS_AND_COMMENTS = /"(?:[^"\\\n]|\\.)*"?|\/\*([^*]*(?:\*(?!\/)[^*]*)*)(?:\*\/)?/g

/** Wraps comments, which openapi-typescript prints on one line of any length. */
const withShortLines = (text: string, most: number): string =>
  text
    .replace(/^( *)\/\*\* (.+) \*\/$/gm, (line, margin: string, words: string) =>
      line.length <= most ? line : `${margin}/**\n${commented(margin, words)}\n${margin} */`,
    )
    .replace(/^( *) \* (?! |\|)(.+)$/gm, (line, margin: string, words: string) =>
      line.length <= most ? line : commented(margin, words),
    )

const LINE = 100

const commented = (margin: string, words: string): string =>
  wrap(words)
    .map((line) => `${margin} * ${line}`)
    .join('\n')
