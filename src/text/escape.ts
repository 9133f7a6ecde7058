import { writeJson } from '../runtime/shared/json.js'
import { wellFormed } from '../runtime/shared/template.js'
import { isIdentifier } from './names.js'

/**
 * Escapes text of a document for output that a machine reads: one function per kind of output. All templates use these
 * functions, so that a document can never add code, markup, a command or a second line.
 */

/** Text for a terminal, without control characters, escape sequences or characters that change the direction of text. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '\ufffd')

/**
 * Text within one line of a terminal: without control characters, and each line break with the white space around it is one
 * space. No text of a document or of a server begins a line.
 */
export const terminalLine = (text: string): string =>
  withoutControls(text.replace(/\s+/g, (run) => (LINE_END.test(run) ? ' ' : run)))

const LINE_END = /[\n\u2028\u2029]/

/** C0 except tab and line feed, DEL, C1, and the characters that change the direction of text. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Characters that JSON and TypeScript allow unescaped, but that control a terminal or an editor. */
const HIDDEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const byCode = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Code that a compiler has printed, with invisible characters in its strings replaced by escapes. */
export const visibleCode = (code: string): string => code.replace(HIDDEN, byCode)

/** A value as JSON that is safe in a script. Undefined where `JSON.stringify` returns undefined. */
export const jsonText = (value: unknown, indent?: number): string => {
  const text: string | undefined = writeJson(value, indent)
  return text?.replace(HIDDEN, byCode) ?? 'undefined'
}

/** A text within a sentence: an empty one, which nobody would see, in quotes. */
export const inSentence = (text: string): string => (text === '' ? '""' : text)

/** A string literal of TypeScript. */
export const stringLiteral = (text: string): string =>
  PLAIN.test(text)
    ? `'${text}'`
    : `'${jsonText(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Most texts need no escapes. */
const PLAIN = /^[ !#-&(-[\]-~]*$/

/** The name of a member in a type. */
export const keyText = (key: string): string =>
  isIdentifier(key) || /^(0|[1-9]\d{0,8})$/.test(key) ? key : stringLiteral(key)

/** The name of a member in an object literal, where a plain `__proto__` would set the prototype. */
export const memberName = (key: string): string =>
  key === '__proto__' ? `['__proto__']` : keyText(key)

/** A string between backticks, without the backticks. */
export const templateText = (text: string): string =>
  jsonText(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/`|\$\{/g, '\\$&')

/** A regular expression as its literal. TypeScript rejects some escapes in a literal without the flag u, so that is constructed. */
export const regExpLiteral = (expression: RegExp): string =>
  expression.unicode || !/\\[pPku1-9]/.test(expression.source)
    ? // The escape of a character also replaces a backslash before it.
      String(expression).replace(/\\?[\s\S]/gu, (piece) =>
        HIDDEN_ONE.test(piece) ? byCode(piece.slice(-1)) : piece,
      )
    : `/* @__PURE__ */ new RegExp(${stringLiteral(expression.source)})`

const HIDDEN_ONE = new RegExp(`[\\u0000-\\u001f]|${HIDDEN.source}`)

/** A string literal of Python. The escapes of JSON are escapes of Python. */
export const pythonString = (text: string): string => jsonText(text)

/** Text between the three quotes of a docstring of Python: it cannot end the docstring, and nothing in it is an escape. */
export const pythonDocText = (text: string): string =>
  withoutControls(text.replace(LINE_ENDS, '\n'))
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '\\"\\"\\"')
    .replace(/"$/, '\\"')

/** A string literal of Go, which has no halves of surrogate pairs. The other escapes of JSON are escapes of Go. */
export const goString = (text: string): string => jsonText(wellFormed(text))

/** A basic string of TOML, which has no halves of surrogate pairs either. */
export const tomlString = (text: string): string => jsonText(wellFormed(text))

/** Text of a comment of Go, whose every line has its own slashes: line feeds are its only line breaks. */
export const goCommentText = (text: string): string =>
  wellFormed(withoutControls(text.replace(LINE_ENDS, '\n')))

/** Text within a block comment: it cannot end the comment, and line feeds are its only line breaks. */
export const commentText = (text: string): string =>
  withoutControls(text.replace(LINE_ENDS, '\n')).replaceAll('*/', '*\\/')

const LINE_ENDS = /\r\n?|[\u2028\u2029]/g

/** Text of HTML, in an element or in a quoted attribute. A browser reads every line break as a line feed. */
export const htmlText = (text: string): string =>
  withoutControls(text.replace(/\r\n?/g, '\n')).replace(
    /[&<>"']/g,
    (character) => ENTITIES[character] ?? character,
  )

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text of XML, in an element or an attribute. */
export const xmlText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replace(CONTROLS, '\ufffd')
    .replace(/[\ufffe\uffff]/g, '\ufffd')

/** Plain text in one line of Markdown; `@name` mentions no user. */
export const markdownText = (text: string): string =>
  inOneLine(text)
    .replace(/[\\`*[\]<>#~&]|(?<![a-z\d])_|_(?![a-z\d])/gi, '\\$&')
    // List markers have an effect only at the beginning.
    .replace(/^(\d*)(?=[-+.)])/, '$1\\')
    // GitHub looks for mentions after it has parsed Markdown, so a backslash would not prevent one.
    .replaceAll('@', '@&#8203;')

/** A span of code in Markdown, between as many backticks as necessary. */
export const markdownCode = (text: string): string => {
  const words = inOneLine(text)
  const fence = '`'.repeat(longestRun(words) + 1)
  const space = words === '' || /^`|`$/.test(words) ? ' ' : ''
  return `${fence}${space}${words}${space}${fence}`
}

/** One of our own sentences in Markdown: text between backticks is code, and nothing else is markup. */
export const markdownSentence = (text: string): string =>
  inOneLine(text)
    .split(/`([^`]+)`/)
    .map((piece, index) =>
      index % 2 === 1
        ? markdownCode(piece)
        : piece.replace(/\S(.*\S)?/s, (words) => markdownText(words)),
    )
    .join('')

/** A block of code in Markdown, which no line of the text can end. */
export const markdownBlock = (language: string, text: string): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${withoutControls(text)}\n${fence}`
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/**
 * A cell of a Markdown table; no character in it ends the cell. Renderers differ about a bar after an even number of
 * backslashes, so the output contains none. In text, backslashes are doubled; a span of code becomes an HTML element.
 */
export const markdownCell = (markdown: string): string =>
  replacePieces(inOneRow(markdown), CELL_PIECES, safeCellPiece)

const inOneRow = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

/** An escaped character, backticks, or a cell separator. */
const CELL_PIECES = /\\.|`+|\|/g

const safeCellPiece = (piece: string, code: string | undefined): string => {
  if (code?.includes('\\|')) return markdownCell(`<code>${markdownText(code)}</code>`)
  return piece.startsWith('\\') ? piece : piece.replaceAll('|', '\\|')
}

/**
 * Replaces the pieces of a line that `pieces` matches, and its spans of code, with their contents: between two runs of equally
 * many backticks. The end of each span is known beforehand, because a pattern with a back-reference would look for it at each
 * run of another length.
 */
const replacePieces = (
  line: string,
  pieces: RegExp,
  write: (piece: string, code: string | undefined) => string,
): string => {
  const ends = line.includes('`') ? endsOfSpans(line) : undefined
  let text = ''
  for (let at = 0; ; ) {
    pieces.lastIndex = at
    const found = pieces.exec(line)
    if (found === null) return text + line.slice(at)
    const [piece] = found
    const end = ends?.get(found.index)
    const after = end === undefined ? found.index + piece.length : end + piece.length
    const code = end === undefined ? undefined : line.slice(found.index + piece.length, end)
    text += line.slice(at, found.index) + write(line.slice(found.index, after), code)
    at = after
  }
}

/** Where each run of backticks begins -> where the next run of the same length begins. */
const endsOfSpans = (line: string): ReadonlyMap<number, number> => {
  const ends = new Map<number, number>()
  const next = new Map<number, number>()
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].reverse()) {
    const end = next.get(run.length)
    if (end !== undefined) ends.set(index, end)
    next.set(run.length, index)
  }
  return ends
}

/** Text within one line, such as after `//`. */
export const inOneLine = (text: string): string => withoutControls(text).trim().replace(/\s+/g, ' ')

/**
 * A description in Markdown, with its HTML as plain text. Links lead only to http, https, mailto and addresses without a
 * scheme. A block between fences that begin a line is unchanged, because every renderer reads it as code. A span of code is
 * escaped too, because it may begin in an earlier line.
 */
export const markdownProse = (text: string): string => {
  let fence: string | undefined
  const lines = withoutControls(text.replace(LINE_ENDS, '\n'))
    .trim()
    .split('\n')
    .map((line) => {
      if (fence !== undefined) {
        if (/^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]?.startsWith(fence)) fence = undefined
        return line
      }
      fence = /^(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.slice(1).find(Boolean)
      return fence === undefined ? replacePieces(line, PIECES, safePiece) : line
    })
  return [...lines, ...(fence === undefined ? [] : [fence])].join('\n')
}

/** The same in one line, such as a cell or a quotation. */
export const markdownProseLine = (text: string): string =>
  replacePieces(inOneLine(text), PIECES, safePiece)

/** An allowed link target: http, https or mailto, or an address without a scheme, which has no colon before a slash. */
const ADDRESS = String.raw`[ \t]*(?:<?(?:https?|mailto):|<?(?:[/?#)>]|[^\s:&\\<>()/?#]+(?:[/?#)> \t]|$)))`

/** The end of a link's text, before another kind of address or in the next line. */
const UNSAFE_LINK = new RegExp(`\\](?=[(:](?!${ADDRESS}))`, 'i')

/** An escaped character, backticks, an autolink, the beginning of a tag, or an unsafe link. */
const PIECES = new RegExp(
  `\\\\.|\`+|<(?:https?|mailto):[^\\s<>]*>|<(?=[a-z/!?])|${UNSAFE_LINK.source}`,
  'gi',
)

/** Another renderer may see the end of a span of code where this one sees its beginning, so its content is escaped too. */
const safePiece = (piece: string, code: string | undefined): string => {
  if (piece === '<' || piece === ']') return `\\${piece}`
  const isUnsafe = code !== undefined && (/<[a-z/!?]/i.test(code) || UNSAFE_LINK.test(code))
  return isUnsafe ? `<code>${markdownText(code)}</code>` : piece
}

/**
 * A word of a command in any POSIX shell. Only the closing quote is special within single quotes. Control
 * characters are printed by the shell itself.
 */
export const shellWord = (text: string): string =>
  `'${text.replace(SHELL_CONTROLS, (found) => (found === "'" ? "'\\''" : `'"${printed(found)}"'`))}'`

/** A path as a word of a command, in quotes only where it needs them. */
export const shellPath = (path: string): string =>
  /^[\w./@][\w./@+-]*$/.test(path) ? path : shellWord(path)

/** Text of a shell between double quotes, without the quotes. Interactive shells expand history after a `!`. */
export const shellText = (text: string): string =>
  text
    .replace(/[\\"$`]/g, '\\$&')
    .replaceAll('!', `"'!'"`)
    .replace(SHELL_CONTROLS, (found) => (found === "'" ? found : printed(found)))

/** In an interactive shell, a tab completes the word. */
const SHELL_CONTROLS = new RegExp(`'|\\t|${CONTROLS.source}`, 'g')

/** An argument of a command cannot contain NUL. */
const printed = (control: string): string =>
  control === '\0'
    ? '\ufffd'
    : `$(printf '${[...new TextEncoder().encode(control)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')`

/** The shell variable for a name in a document: `apiKey` -> `${API_KEY}`. */
export const shellVariable = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase()
  // Without a letter, it could be a special parameter of the shell.
  const usable = /[A-Z]/.test(words) ? words : 'VALUE'
  return `\${${usable.replace(/^(?=\d)/, '_')}}`
}

/** The message of an annotation of GitHub. */
export const annotationText = (text: string): string =>
  withoutControls(text.replace(LINE_ENDS, '\n')).replaceAll('%', '%25').replaceAll('\n', '%0A')

/** A property of an annotation of GitHub, its title or file. */
export const annotationProperty = (text: string): string =>
  annotationText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A line for the log of GitHub Actions, where no text of it is a command: `::error::` at its start, `##[error]` anywhere. */
export const workflowLogLine = (text: string): string =>
  terminalLine(text)
    .replace(/^(\s*):(?=:)/, '$1\\:')
    .replaceAll('##[', '#\\#[')
