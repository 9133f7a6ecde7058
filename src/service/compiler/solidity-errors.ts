import type { Answer } from './orders.js'

/** The compiler's errors as one text, a line for each: `ParserError: Expected ';' but got '}' (line 4)`. Warnings are left out. */
export function explainErrors(
  all: readonly SolidityError[],
  source: string,
  version: string,
): Answer {
  const errors = all.filter(({ severity }) => severity === 'error')
  const bytes = Buffer.from(source)
  const lines = errors.slice(0, MOST).map((error) => {
    const line = lineOf(error, bytes)
    return `${error.type}: ${wordsOf(error, bytes, version)}${line === undefined ? '' : ` (line ${line})`}`
  })
  const more = errors.length > MOST ? [`and ${errors.length - MOST} more`] : []
  const kind = errors.some(({ type }) => ITS_OWN.includes(type)) ? 'broken' : 'refused'
  return { kind, message: [...new Set(lines), ...more].join('\n') }
}

export type SolidityError = {
  readonly severity: 'error' | 'warning' | 'info'
  readonly type: string
  readonly errorCode?: string | null
  readonly message: string
  /** In bytes of the source; -1 for none. */
  readonly sourceLocation?: { readonly start: number; readonly end: number } | null
}

const MOST = 10

/** Faults of the compiler, told with files and lines of its own source. */
const ITS_OWN = ['Exception', 'FatalError', 'InternalCompilerError']

const IMPORT = /^Source "(.*)" not found/s
const PRAGMA = /^Source file requires different compiler version/

function wordsOf(
  { type, message, sourceLocation }: SolidityError,
  bytes: Buffer,
  version: string,
): string {
  if (ITS_OWN.includes(type)) return 'the compiler fails on this source'
  const imported = IMPORT.exec(message)?.[1]
  if (imported !== undefined) {
    return `imports are not available: "${shortened(imported)}" must stand in the source itself`
  }
  if (PRAGMA.test(message) && sourceLocation) {
    const pragma = bytes.toString('utf8', sourceLocation.start, sourceLocation.end)
    return `the source asks for "${shortened(pragma)}", and the compiler is ${version}`
  }
  return shortened(message)
}

function lineOf({ sourceLocation }: SolidityError, bytes: Buffer): number | undefined {
  const start = sourceLocation?.start ?? -1
  if (start < 0) return undefined
  return bytes.toString('latin1', 0, start).split('\n').length
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
