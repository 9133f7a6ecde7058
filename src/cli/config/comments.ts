import { readFileSync, statSync } from 'node:fs'
import { Lexer } from 'yaml'
import type { Finding, Location, RuleRow } from '../../model/finding.js'

/**
 * `# twinspec-ignore rule: reason` in a YAML document. It applies to its own line, or to the next one if it is alone.
 */
export type IgnoreComment = {
  readonly rule: string
  readonly reason: string
  readonly location: Location
  /** The lines of the node that the comment applies to, 1-based. */
  readonly first: number
  readonly last: number
}

/** The ignore comments of a file, and findings for invalid ones. Empty for files that are not YAML on the disk. */
export const ignoreComments = (
  file: string,
): { readonly comments: readonly IgnoreComment[]; readonly faults: readonly Finding[] } => {
  const comments: IgnoreComment[] = []
  const faults: Finding[] = []
  const text = textOf(file)
  if (!text.includes(MARK)) return { comments, faults }
  const lines = text.split('\n')
  for (const { line, column, words } of commentsIn(text)) {
    if (!words.startsWith(MARK)) continue
    const location = { file, line, column, pointer: '' }
    const [, rule, reason] = /^\s+([a-z0-9-]+)\s*:\s*(\S.*)$/.exec(words.slice(MARK.length)) ?? []
    if (rule === undefined || reason === undefined) {
      const message = `the comment ignores nothing: write # ${MARK} rule-id: reason`
      faults.push({ rule: IGNORE_RULE.id, level: IGNORE_RULE.level, location, message })
      continue
    }
    const extent = extentOf(lines, line - 1)
    comments.push({ rule, reason: reason.trim(), location, ...extent })
  }
  return { comments, faults }
}

const MARK = 'twinspec-ignore'

export const IGNORE_RULE = {
  id: 'ignore-comment-invalid',
  level: 'warning',
  purpose: 'A comment without the id of a rule and a reason has no effect.',
} as const satisfies RuleRow

const textOf = (file: string): string => {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
  return isFile && !/\.json$/i.test(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * Every comment of a text, without its `#`. The lexer excludes text that only looks like one, such as a line of a description.
 */
function* commentsIn(text: string) {
  let line = 1
  let column = 1
  let isContent = false
  for (const lexeme of new Lexer().lex(text)) {
    const isScalar = isContent
    isContent = lexeme === BLOCK_SCALAR
    if (CONTROLS.has(lexeme)) continue
    if (lexeme.startsWith('#') && !isScalar) yield { line, column, words: lexeme.slice(1).trim() }
    const parts = lexeme.split('\n')
    line += parts.length - 1
    column = (parts.length > 1 ? 1 : column) + (parts.at(-1)?.length ?? 0)
  }
}

const BLOCK_SCALAR = '\u001f'

/** Control tokens of the lexer, which are not part of the text. */
const CONTROLS: ReadonlySet<string> = new Set(['\u0002', '\u0018', BLOCK_SCALAR])

/**
 * The lines of the node that a comment in a line (0-based) applies to: all following lines with deeper indentation than its
 * first.
 */
const extentOf = (lines: readonly string[], at: number) => {
  const isAlone = /^\s*#/.test(lines[at] ?? '')
  const next = lines.findIndex((line, index) => index > at && !/^\s*(#|$)/.test(line))
  const first = isAlone && next > 0 ? next : at
  const indent = indentOf(lines[first] ?? '')
  const isItem = /^\s*- /.test(lines[first] ?? '')
  const end = lines.findIndex((line, index) => {
    if (index <= first || /^\s*(#|$)/.test(line)) return false
    const isOwnItem = !isItem && indentOf(line) === indent && /^\s*- /.test(line)
    return indentOf(line) <= indent && !isOwnItem
  })
  return { first: first + 1, last: end < 0 ? lines.length : end }
}

const indentOf = (line: string): number => line.length - line.trimStart().length
