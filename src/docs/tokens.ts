/** Splits JSON, or similar TypeScript, into keys, strings, numbers, words and the text between them. */
export function* tokens(text: string): Generator<Token> {
  let done = 0
  for (const match of text.matchAll(TOKENS)) {
    const [token] = match
    if (match.index > done) yield { text: text.slice(done, match.index) }
    yield { text: token, kind: KINDS.find((name) => match.groups?.[name] !== undefined) }
    done = match.index + token.length
  }
  if (done < text.length) yield { text: text.slice(done) }
}

export type Token = { readonly text: string; readonly kind?: (typeof KINDS)[number] | undefined }

const KINDS = ['key', 'text', 'comment', 'word', 'number'] as const

const TOKENS =
  /(?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<comment>\/\/.*$)|(?<word>\b(?:true|false|null|import|from|const|await|for|of)\b)|(?<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)/gm
