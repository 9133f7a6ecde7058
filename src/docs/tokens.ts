/** Splits JSON, or similar TypeScript, into keys, strings, numbers, words and the text between them. */
export function* tokens(text: string): Generator<Token> {
  let done = 0
  for (const match of text.matchAll(TOKENS)) {
    const [token] = match
    const kind = KINDS.find((name) => match.groups?.[name] !== undefined)
    if (kind === undefined) continue
    if (match.index > done) yield { text: text.slice(done, match.index) }
    yield { text: token, kind: kind === 'text' && isKey(text, token, match.index) ? 'key' : kind }
    done = match.index + token.length
  }
  if (done < text.length) yield { text: text.slice(done) }
}

export type Token = { readonly text: string; readonly kind?: Kind | 'key' | undefined }

type Kind = (typeof KINDS)[number]

const KINDS = ['text', 'comment', 'word', 'number'] as const

/** Whether a string is the name of a member. */
const isKey = (text: string, token: string, at: number): boolean => {
  COLON.lastIndex = at + token.length
  return token.startsWith('"') && COLON.test(text)
}

const COLON = /\s*:/y

/** An escaped character outside of a string is no token; without it, a string could begin at each escaped quote. */
const TOKENS =
  /\\.|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<comment>\/\/.*$)|(?<word>\b(?:true|false|null|import|from|const|await|for|of)\b)|(?<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)/gm
