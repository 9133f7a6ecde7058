import ts from 'typescript'
import { commentText, visibleCode, withoutControls } from '../model/escape.js'
import { wrap } from './paragraphs.js'

/** A node as text, so many levels in. Lines of comments are as long as they may be `below` so many levels. */
export function printNode(node: ts.Node, depth = 0, below = depth): string {
  const text = withShortLines(withPlainComments(textOf(node)), LINE - 4 * below)
  return depth === 0 ? text : text.replace(/^(?=.)/gm, '    '.repeat(depth))
}

/** As `astToString` of openapi-typescript prints a node, which makes a printer for each. */
function textOf(node: ts.Node): string {
  const file: { statements: ts.NodeArray<ts.Statement> } = FILE
  file.statements = ts.factory.createNodeArray([node as ts.Statement])
  return PRINTER.printFile(FILE)
}

const FILE = ts.createSourceFile('types.ts', '', ts.ScriptTarget.ESNext)
const PRINTER = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed })

/** Whole comments without control characters; in names and values these are written by their codes. */
const withPlainComments = (text: string): string =>
  visibleCode(
    withoutControls(text) === text
      ? text
      : text.replace(STRINGS_AND_COMMENTS, (piece, comment: string | undefined) =>
          comment === undefined ? piece : `/*${commentText(comment)}*/`,
        ),
  )

/** A string is found so that a comment within it is not taken for one. */
const STRINGS_AND_COMMENTS = /"(?:[^"\\\n]|\\.)*"|\/\*([\s\S]*?)\*\//g

/** Comments that openapi-typescript prints in a line, however long, in several. */
const withShortLines = (text: string, most: number): string =>
  text
    .replace(/^( *)\/\*\* (.+) \*\/$/gm, (line, margin: string, said: string) =>
      line.length <= most ? line : `${margin}/**\n${commented(margin, said)}\n${margin} */`,
    )
    .replace(/^( *) \* (?! |\|)(.+)$/gm, (line, margin: string, said: string) =>
      line.length <= most ? line : commented(margin, said),
    )

const LINE = 100

const commented = (margin: string, said: string): string =>
  wrap(said)
    .map((line) => `${margin} * ${line}`)
    .join('\n')
