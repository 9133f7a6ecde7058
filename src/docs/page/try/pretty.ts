/** JSON with a line for each member, its tokens as they came: no number is rounded and no key is lost. */
export function pretty(text: string): string {
  let depth = 0
  let out = ''
  const line = () => `\n${'  '.repeat(depth)}`
  const all = text.match(TOKENS) ?? []
  for (const [at, token] of all.entries()) {
    if (token === '{' || token === '[') {
      out += token
      depth++
      if (all[at + 1] !== CLOSING[token]) out += line()
    } else if (token === '}' || token === ']') {
      depth--
      const before = all[at - 1] ?? ''
      out += CLOSING[before] === token ? token : line() + token
    } else if (token === ',') out += token + line()
    else out += token === ':' ? ': ' : token
  }
  return out
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

const TOKENS = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g
