/**
 * Patterns for hexadecimal text, which a table scans faster than a regular expression: `0x` and a number of digits,
 * in one of three alphabets. Any other pattern stays a regular expression.
 */
export type HexPattern = {
  readonly alphabet: Alphabet
  /** Of the digits after `0x`. */
  readonly least: number
  readonly most: number
  /** `number`: no leading zero, except for zero itself; `positive`: not zero either; `bytes`: two digits each. */
  readonly form: 'digits' | 'number' | 'positive' | 'bytes'
}

export type Alphabet = 'any' | 'lower' | 'upper'

export function readHexPattern(source: string): HexPattern | undefined {
  for (const [expression, form] of FORMS) {
    const found = expression.exec(source)
    if (!found) continue
    const { first, digits, more, count = '' } = found.groups ?? {}
    const alphabet = ALPHABETS.get(charactersOf(digits ?? ''))
    const bounds = readCount(count)
    if (alphabet === undefined || bounds === undefined) return undefined
    if (more !== undefined && charactersOf(more) !== charactersOf(digits ?? '')) return undefined
    if (first !== undefined && charactersOf(`0${first}`) !== charactersOf(digits ?? '')) {
      return undefined
    }
    if (charactersOf(first ?? '').includes('0')) return undefined
    const leading = first === undefined ? 0 : 1
    const [least, most] = bounds
    // These patterns always allow `0`, so they cannot require more digits.
    if (form === 'number' && least > 0) return undefined
    return { alphabet, form, least: least + leading, most: most + leading }
  }
  return undefined
}

/** `{64}`, `{0,31}`, `{2,}`, `*`, `+`, or nothing for one. */
const COUNT = String.raw`(?<count>\{\d+(?:,\d*)?\}|[*+]?)`
const DIGITS = String.raw`\[(?<digits>[\w\\-]+)\]`
const FIRST = String.raw`\[(?<first>[\w\\-]+)\]`

const FORMS: readonly (readonly [RegExp, HexPattern['form']])[] = [
  [new RegExp(String.raw`^\^0x${DIGITS}${COUNT}\$$`), 'digits'],
  [new RegExp(String.raw`^\^0x\((?:\?:)?0\|${FIRST}${DIGITS}${COUNT}\)\$$`), 'number'],
  [new RegExp(String.raw`^\^0x\((?:\?:)?${FIRST}${DIGITS}${COUNT}\|0\)\$$`), 'number'],
  [new RegExp(String.raw`^\^0x${FIRST}${DIGITS}${COUNT}\$$`), 'positive'],
  [new RegExp(String.raw`^\^0x\((?:\?:)?${DIGITS}\{2\}\)(?<count>\*)\$$`), 'bytes'],
  [new RegExp(String.raw`^\^0x\((?:\?:)?${DIGITS}\[(?<more>[\w\\-]+)\]\)(?<count>\*)\$$`), 'bytes'],
]

function readCount(text: string): readonly [least: number, most: number] | undefined {
  if (text === '') return [1, 1]
  if (text === '*') return [0, Number.POSITIVE_INFINITY]
  if (text === '+') return [1, Number.POSITIVE_INFINITY]
  const [, least = '', comma, most] = /^\{(\d+)(,(\d*))?\}$/.exec(text) ?? []
  if (least === '') return undefined
  if (comma === undefined) return [Number(least), Number(least)]
  return [Number(least), most ? Number(most) : Number.POSITIVE_INFINITY]
}

/** The characters of a class, sorted; empty for a class that is not of digits and letters. */
function charactersOf(text: string): string {
  const plain = text.replaceAll('\\d', '0-9')
  if (!/^(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+$/.test(plain)) return ''
  const found = new Set<string>()
  for (const [, from = '', to = from] of plain.matchAll(/([0-9A-Za-z])(?:-([0-9A-Za-z]))?/g)) {
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) {
      found.add(String.fromCharCode(code))
    }
  }
  return [...found].sort().join('')
}

const ALPHABETS: ReadonlyMap<string, Alphabet> = new Map([
  ['0123456789abcdef', 'lower'],
  ['0123456789ABCDEF', 'upper'],
  ['0123456789ABCDEFabcdef', 'any'],
])

/** The same expression with non-capturing groups, because captures are never read but slow down every match. */
export function withoutCaptures({ source, flags }: RegExp): RegExp {
  const refersBack = /\\[1-9k]/.test(source)
  if (refersBack) return new RegExp(source, flags)
  // Escapes and classes are skipped. `(?` begins a group of another kind, except for a named group.
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]?|\((?:\?<\w+>|(?!\?))/gsu, (found) =>
    found.startsWith('(') ? '(?:' : found,
  )
  return new RegExp(plain, flags)
}
