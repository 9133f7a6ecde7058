/**
 * Where and why a text is not JSON (RFC 8259). The errors of JSON.parse often have no position, and their words depend on the
 * version of Node. Requires a text that JSON.parse has rejected.
 */
export const jsonFault = (text: string): JsonFault => {
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let previous = { offset: 0, token: '' }
  for (;;) {
    const offset = skip(text, previous.offset + previous.token.length, /[\t\n\r ]*/y)
    const token = text.slice(offset, skip(text, offset, aToken))
    const close = open.at(-1) === '{' ? '}' : ']'
    if (!allowed[state].test(token) || (/^[}\]]$/.test(token) && token !== close)) {
      return explain({ text, offset, state, previous, close: open.length > 0 ? close : undefined })
    }
    if (token === '{' || token === '[') open.push(token)
    if (token === '}' || token === ']') open.pop()
    state = stateAfter(token, state, open.at(-1))
    previous = { offset, token }
  }
}

type JsonFault = { readonly offset: number; readonly why: string }

type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'end'

const aToken =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, 7 forbids exactly these
  /[{}[\]:,]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

const allowed: Readonly<Record<State, RegExp>> = {
  value: /^[^}\],:]/,
  'value-or-end': /^[^},:]/,
  key: /^"/,
  'key-or-end': /^["}]/,
  colon: /^:/,
  'comma-or-end': /^[,}\]]/,
  end: /^(?!)/,
}

const stateAfter = (token: string, state: State, open: '{' | '[' | undefined): State => {
  if (token === '{') return 'key-or-end'
  if (token === '[') return 'value-or-end'
  if (token === ':') return 'value'
  if (token === ',') return open === '{' ? 'key' : 'value'
  if (token.startsWith('"') && state.startsWith('key')) return 'colon'
  return open ? 'comma-or-end' : 'end'
}

type Failure = {
  readonly text: string
  readonly offset: number
  readonly state: State
  readonly previous: { readonly offset: number; readonly token: string }
  /** The character that closes the innermost container; undefined at the top. */
  readonly close: string | undefined
}

const explain = ({ text, offset, state, previous, close }: Failure): JsonFault => {
  const found = text[offset]
  if (found === undefined) {
    const missing = close ? `a closing ${close} is missing` : 'a value is missing'
    return { offset, why: `the text ends too early, ${missing}` }
  }
  if (found === '/' || found === '#') {
    return { offset, why: 'JSON has no comments: remove it, or make the file YAML' }
  }
  if (previous.token === ',' && /[}\]]/.test(found)) {
    return {
      offset: previous.offset,
      why: `there is a comma before the closing ${found}: remove it`,
    }
  }
  if (found === "'") return { offset, why: 'strings and keys must be in double quotes' }
  if (found === '"' && (state.startsWith('value') || state.startsWith('key'))) {
    return explainString(text, offset)
  }
  const word = text.slice(offset, skip(text, offset, /[^\s,:{}[\]"]{1,20}|./y))
  return { offset, why: `expected ${expected(state, close)}, found ${JSON.stringify(word)}` }
}

const expected = (state: State, close: string | undefined): string => {
  if (state === 'end') return 'the end of the text'
  if (state === 'colon') return 'a colon'
  if (state === 'comma-or-end') return `a comma or ${close}`
  return state.startsWith('key') ? 'a key in double quotes' : 'a value'
}

const explainString = (text: string, offset: number): JsonFault => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, 7 forbids exactly these
  const legal = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*/y
  const end = skip(text, offset, legal)
  if (text[end] === '\\') {
    const found = JSON.stringify(text.slice(end, end + 2))
    return { offset: end, why: `${found} is not a valid escape in JSON` }
  }
  return text[end] === undefined || /[\n\r]/.test(text[end])
    ? { offset, why: 'the string that begins here is never closed' }
    : { offset: end, why: 'a control character in a string must be escaped' }
}

const skip = (text: string, offset: number, pattern: RegExp): number => {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}
