/**
 * The syntax tree of an ECMAScript regular expression. A part that matches one character is kept as source text, because RegExp
 * itself evaluates classes. Laziness, and groups without an effect on matching, are omitted.
 */
export type PatternNode =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | Repeat
  | PatternAssertion
  | { readonly kind: 'reference' }

export type Repeat = {
  readonly kind: 'repeat'
  readonly item: PatternNode
  readonly least: number
  readonly most: number
}

/** A condition of a position, which reads no character. */
export type PatternAssertion =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'boundary'; readonly negate: boolean }
  | {
      readonly kind: 'look'
      readonly behind: boolean
      readonly negate: boolean
      readonly item: PatternNode
    }

/**
 * Parses a valid expression. Undefined for rare constructs that are not supported: modifiers, octal escapes, groups nested more
 * than 100 deep.
 */
export function parsePattern({ source, unicode }: RegExp): PatternNode | undefined {
  const atom = unicode ? UNICODE_ATOM : LEGACY_ATOM
  let at = 0
  let depth = 0

  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at
    const found = expression.exec(source)
    if (found) at += found[0].length
    return found ?? undefined
  }

  const parseChoice = (): PatternNode => {
    const options = [parseSequence()]
    while (take(BAR)) options.push(parseSequence())
    const [only] = options
    return only && options.length === 1 ? only : { kind: 'choice', options }
  }

  const parseSequence = (): PatternNode => {
    const items: PatternNode[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      items.push(parseRepeat(parseItem()))
    }
    const [only] = items
    return only && items.length === 1 ? only : { kind: 'sequence', items }
  }

  const parseRepeat = (item: PatternNode): PatternNode => {
    const [sign, low, comma, high] = take(QUANTIFIER) ?? []
    if (sign === undefined) return item
    const least = low === undefined ? (sign.startsWith('+') ? 1 : 0) : Number(low)
    const open = sign.startsWith('?') ? 1 : Number.POSITIVE_INFINITY
    const most = low === undefined ? open : comma === undefined ? least : high ? Number(high) : open
    return { kind: 'repeat', item, least, most }
  }

  const parseItem = (): PatternNode => {
    const [group] = take(GROUP) ?? []
    if (group !== undefined) return parseGroup(group)
    if (take(START)) return { kind: 'start' }
    if (take(END)) return { kind: 'end' }
    const [boundary] = take(BOUNDARY) ?? []
    if (boundary !== undefined) return { kind: 'boundary', negate: boundary === '\\B' }
    if (take(REFERENCE)) return { kind: 'reference' }
    const [character] = take(atom) ?? []
    if (character === undefined || UNREAD.test(character)) throw new UnreadPattern()
    return { kind: 'character', source: character }
  }

  const parseGroup = (opening: string): PatternNode => {
    if (opening === '(?' || ++depth > DEEPEST) throw new UnreadPattern()
    const item = parseChoice()
    depth--
    if (!take(CLOSE)) throw new UnreadPattern()
    const sign = opening.at(-1)
    if (sign !== '=' && sign !== '!') return item
    return { kind: 'look', behind: opening.includes('<'), negate: sign === '!', item }
  }

  try {
    const tree = parseChoice()
    return at === source.length ? tree : undefined
  } catch (cause) {
    if (cause instanceof UnreadPattern) return undefined
    throw cause
  }
}

class UnreadPattern extends Error {}

const DEEPEST = 100

const BAR = /\|/y
const START = /\^/y
const END = /\$/y
const CLOSE = /\)/y
const BOUNDARY = /\\[bB]/y
const REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y
const GROUP = /\((?:\?(?::|=|!|<=|<!|<[^>]*>)?)?/y
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y

const ESCAPE = String.raw`\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[^]`
const CLASS = String.raw`\[(?:\\[^]|[^\]\\])*\]`
const UNICODE_ESCAPE = String.raw`\\u\{[\da-fA-F]+\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pP]\{[^}]*\}`
const UNICODE_ATOM = new RegExp(`${UNICODE_ESCAPE}|${ESCAPE}|${CLASS}|[^]`, 'uy')
const LEGACY_ATOM = new RegExp(`${ESCAPE}|${CLASS}|[^]`, 'y')

/** Escapes whose meaning depends on the following text. */
const UNREAD = /^\\(?:[0-9ck]|$)$/
