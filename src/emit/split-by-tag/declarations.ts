import type { Import } from '../file.js'

/** One declaration at the top of a file, with the comment above it. */
export type Declaration = {
  readonly text: string
  /**
   * `export` for what belongs to a schema or an operation, `service` for the lists of all operations, `support` for what
   * those call, `local` for the names of types, which each file gives for itself.
   */
  readonly kind: 'export' | 'service' | 'support' | 'local'
  readonly names: readonly string[]
  /** The names that it needs of others, and of what the file imports. */
  readonly uses: ReadonlySet<string>
}

/** A file that our emitters printed, taken apart at the declarations that begin a line. */
export function readDeclarations(text: string): {
  readonly imports: readonly Import[]
  readonly pieces: readonly Declaration[]
} {
  const end = text.indexOf('\n\n')
  const imports = readImports(text.slice(0, end))
  const texts = textsOf(text.slice(end + 2).trimEnd())
  const declared = texts.map((one) => ({ text: one, ...declaration(one) }))
  const everywhere = new Set([
    ...imports.map(({ name }) => name.split(' as ').at(-1) ?? name),
    ...declared.filter(({ kind }) => kind !== 'export').flatMap(({ names }) => names),
  ])
  const all = new Set([...everywhere, ...declared.flatMap(({ names }) => names)])
  return {
    imports,
    pieces: declared.map((one) => ({
      ...one,
      // Within functions a property may be called as an export is; functions call each other only.
      uses: wordsAmong(one.text, one.kind === 'support' ? everywhere : all, one.names),
    })),
  }
}

/** Each declaration with the comment above it. */
function textsOf(body: string): readonly string[] {
  const texts: string[] = []
  let start = 0
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) {
    if (!isOutermost(body.charCodeAt(at + 1)) || body.startsWith(' */', at - 3)) continue
    texts.push(body.slice(start, at).trimEnd())
    start = at + 1
  }
  return [...texts, body.slice(start)]
}

/** Whether a line that begins so is not within what the one before began. */
const isOutermost = (code: number): boolean =>
  code > SPACE && code !== BRACE_END && code !== PARENTHESIS_END && code !== BRACKET_END

function declaration(text: string): Pick<Declaration, 'kind' | 'names'> {
  const [, exported, keyword, name = ''] =
    /^(export )?(function|const|let|type) ([\w$]+)/m.exec(text) ?? []
  const names = [name]
  if (keyword === 'type') return { kind: 'local', names }
  if (exported === undefined) return { kind: 'support', names }
  return { kind: SERVICES.has(name) ? 'service' : 'export', names }
}

const SERVICES = new Set([
  'httpService',
  'httpValidators',
  'rpcServers',
  'rpcService',
  'rpcValidators',
])

/** The words outside of comments, strings and regular expressions that are neither a member nor a key. */
function wordsAmong(
  text: string,
  among: ReadonlySet<string>,
  own: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>()
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    if (isSaid(text, start, end)) continue
    for (let at = start; at < end; ) {
      const code = text.charCodeAt(at)
      let behind = code === QUOTE ? endOfString(text, at, end) : at + 1
      if (isOfWord(code) || code === DOT) {
        while (isOfWord(text.charCodeAt(behind))) behind++
        // Behind a point is a member, before a colon a key.
        if (code !== DOT && !isDigit(code) && text.charCodeAt(behind) !== COLON) {
          const word = text.slice(at, behind)
          if (among.has(word) && !own.includes(word)) found.add(word)
        }
      }
      at = behind
    }
  }
  return found
}

/** Whether a line is of a comment or of a regular expression. */
function isSaid(text: string, start: number, end: number): boolean {
  if (text.startsWith('const ', start)) return /^const [\w$]+ = \/[^*]/.test(text.slice(start, end))
  let at = start
  while (text.charCodeAt(at) === SPACE) at++
  return text.startsWith('*', at) || text.startsWith('/**', at)
}

/** Behind the quote that ends it; an apostrophe by itself is a character as any other. */
function endOfString(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at + 1
  }
  return start + 1
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** `[\w$]`, of whichever a file of megabytes is made. */
const isOfWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  isDigit(code) ||
  code === 0x5f ||
  code === 0x24

const SPACE = 0x20
const QUOTE = 0x27
const PARENTHESIS_END = 0x29
const DOT = 0x2e
const COLON = 0x3a
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE_END = 0x7d

export function readImports(head: string): readonly Import[] {
  return [
    ...head.matchAll(/^import (type )?(?:\* as ([\w$]+)|\{([^}]*)\}) from '([^']+)'/gm),
  ].flatMap(([, type, space, names = '', from = '']): readonly Import[] => {
    if (space !== undefined) return [{ name: space, from, kind: 'namespace' }]
    const each = names
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    return each.map((one) => ({
      name: one.replace(/^type /, ''),
      from,
      kind: type !== undefined || one.startsWith('type ') ? 'type' : 'value',
    }))
  })
}
