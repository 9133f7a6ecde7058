import type { Import } from '../file.js'

/** One declaration at the top of a file, with the comment above it. */
export type Piece = {
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
export function readPieces(text: string): {
  readonly imports: readonly Import[]
  readonly pieces: readonly Piece[]
} {
  const end = text.indexOf('\n\n')
  const imports = readImports(text.slice(0, end))
  const texts: string[] = []
  let lines: string[] = []
  for (const line of text
    .slice(end + 2)
    .trimEnd()
    .split('\n')) {
    if (/^[^\s})\]]/.test(line) && lines.length > 0 && !lines.at(-1)?.endsWith(' */')) {
      texts.push(lines.join('\n').trimEnd())
      lines = []
    }
    lines.push(line)
  }
  texts.push(lines.join('\n').trimEnd())

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

function declaration(text: string): Pick<Piece, 'kind' | 'names'> {
  const [, exported, keyword, name = ''] =
    /^(export )?(function|const|let|type) ([\w$]+)/m.exec(text) ?? []
  const names = [name]
  if (keyword === 'type') return { kind: 'local', names }
  if (exported === undefined) return { kind: 'support', names }
  return { kind: SERVICES.has(name) ? 'service' : 'export', names }
}

const SERVICES = new Set(['httpService', 'httpValidators', 'rpcService', 'rpcValidators'])

/** The words outside of comments, strings and regular expressions that are neither a member nor a key. */
function wordsAmong(
  text: string,
  among: ReadonlySet<string>,
  own: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const line of text.split('\n')) {
    if (/^\s*(?:\/\*\*|\*)/.test(line) || /^const [\w$]+ = \/[^*]/.test(line)) continue
    for (const [word] of line.matchAll(
      /'(?:[^'\\]|\\.)*'|(?<![.\w$])[A-Za-z_$][\w$]*(?![\w$:])/g,
    )) {
      if (among.has(word) && !own.includes(word)) found.add(word)
    }
  }
  return found
}

function readImports(head: string): readonly Import[] {
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
