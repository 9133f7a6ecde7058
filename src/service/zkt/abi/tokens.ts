import { clip } from '../../clip.js'

/**
 * Splits a line of a human-readable ABI into words, numbers and punctuation, and returns them one by one. Throws a
 * SignatureError at the first character that begins no token.
 */
export const readTokens = (line: string): Tokens => {
  const texts = split(line)
  let at = 0
  const next = (): string | undefined => texts[at]
  const take = (): string => {
    const text = texts[at]
    if (text === undefined) throw new SignatureError('ends too early')
    at += 1
    return text
  }
  const takeIf = (text: string): boolean => {
    if (texts[at] !== text) return false
    at += 1
    return true
  }
  return {
    next,
    take,
    takeIf,
    expect: (text) => {
      if (!takeIf(text)) throw new SignatureError(`expects ${text} ${place(texts, at)}`)
    },
    name: () => {
      if (!isName(next())) throw new SignatureError(`expects a name ${place(texts, at)}`)
      return take()
    },
    end: () => {
      takeIf(';')
      if (at < texts.length) throw new SignatureError(`does not go on like this: ${clip(take())}`)
    },
  }
}

export type Tokens = {
  readonly next: () => string | undefined
  readonly take: () => string
  readonly takeIf: (text: string) => boolean
  readonly expect: (text: string) => void
  readonly name: () => string
  readonly end: () => void
}

export const isName = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z_$]/.test(text)

/** The problem of a line, as the end of a sentence that begins with the line. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
}

const TOKEN = /\s*([A-Za-z_$][\w$]*|\d+|[()[\]{},;])/y

const split = (line: string): readonly string[] => {
  const text = line.trimEnd()
  const texts: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined) {
      const wrong = text.slice(from, from + 20).trimStart()
      throw new SignatureError(`has ${JSON.stringify(wrong.slice(0, 1))} where none may stand`)
    }
    texts.push(token)
  }
  return texts
}

const place = (texts: readonly string[], at: number): string => {
  const before = texts[at - 1]
  return before === undefined ? 'at its beginning' : `after ${clip(before)}`
}
