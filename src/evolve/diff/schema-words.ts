import type { Gap } from '../compare/gap.js'

/** What changed, in words: `before` and `after` are what a keyword said in each version. */
export function wordsOf(gap: Gap, isLess: boolean): string {
  const [before, after] = isLess
    ? [gap.inner.says, gap.outer.says]
    : [gap.outer.says, gap.inner.says]
  const was = before === undefined ? '' : ` (it was ${shown(before)})`
  switch (gap.kind) {
    case 'type':
      return isLess
        ? `can no longer be ${listOf(before, article)}, only ${listOf(after, article)}`
        : `can be ${listOf(after, article)}, and was ${listOf(before, article)}`
    case 'null':
      return isLess ? 'can no longer be null' : 'can be null'
    case 'value':
      return valueWords(gap, isLess)
    case 'step':
      // 1 is what an integer is a multiple of.
      if (after === undefined || after === 1) {
        return `need not be a multiple of ${shown(before)} any more`
      }
      return `must be a multiple of ${shown(after)}${before === 1 ? '' : was}`
    case 'minimum':
    case 'maximum':
      return boundWords(gap.kind, before, after, isLess)
    case 'shortest':
    case 'longest':
    case 'fewest-items':
    case 'most-items':
    case 'fewest-properties':
    case 'most-properties':
      return countWords(gap.kind, before, after, isLess)
    case 'pattern':
      if (before === undefined) return `must match ${String(after)}`
      if (after === undefined) return `need not match ${String(before)} any more`
      return `${isLess ? 'must' : 'need only'} match ${String(after)}, and had to match ${String(before)}`
    case 'unique-items':
      return isLess ? 'must not hold an item twice' : 'may hold an item twice'
    case 'contained-item':
      return isLess
        ? 'must hold other items than before (contains)'
        : 'need not hold the items that it did (contains)'
    case 'required':
      return requiredWords(gap, isLess)
    case 'undeclared':
      return isLess ? 'is refused: the object is closed' : 'is no longer refused'
    case 'property-name':
      return isLess
        ? 'may have fewer names for its properties'
        : 'may have other names for its properties'
    case 'dependent':
      return isLess
        ? `asks for ${listOf(after)} wherever ${shown(before)} is there`
        : `no longer has ${listOf(before)} wherever ${shown(after)} is there`
    case 'alternative':
      return isLess
        ? 'has alternatives that together let less through'
        : 'has alternatives that together let more through'
    case 'overlap':
      return isLess
        ? 'has alternatives of a oneOf that overlap: what fits two of them is refused'
        : 'has alternatives of a oneOf that no longer overlap: what fitted two of them is let through'
    case 'exclusion':
      return isLess
        ? 'excludes values that it let through (not)'
        : 'no longer excludes values (not)'
    case 'nothing':
      return isLess ? 'can have no value any more' : 'can have a value, and could have none'
    case 'unevaluated':
      return isLess
        ? 'refuses what no other keyword looks at'
        : 'lets through what no keyword looks at'
    case 'undecided':
      return 'has too many alternatives to be compared'
  }
}

function valueWords({ inner, outer }: Gap, isLess: boolean): string {
  if (inner.says === undefined) {
    return isLess
      ? `must be ${valuesOf(outer.says)}`
      : `may be another value, and was ${valuesOf(outer.says)}`
  }
  return isLess ? `can no longer be ${valuesOf(inner.says)}` : `can also be ${valuesOf(inner.says)}`
}

function requiredWords({ inner }: Gap, isLess: boolean): string {
  const isNamed = inner.says !== undefined
  if (isLess) return isNamed ? 'must be there' : 'is new and must be there'
  return isNamed ? 'may be absent, and always was there' : 'is gone, and always was there'
}

function boundWords(
  kind: 'minimum' | 'maximum',
  before: unknown,
  after: unknown,
  isLess: boolean,
): string {
  const isLow = kind === 'minimum'
  const was = before === undefined ? '' : ` (it was ${shown(before)})`
  if (isLess) return `must be at ${isLow ? 'least' : 'most'} ${shown(after)}${was}`
  if (after === undefined) return `may be ${isLow ? 'less' : 'more'} than ${shown(before)}`
  return `may be as ${isLow ? 'small' : 'large'} as ${shown(after)}${was}`
}

type CountKind = keyof typeof UNITS

const UNITS = {
  shortest: 'character',
  longest: 'character',
  'fewest-items': 'item',
  'most-items': 'item',
  'fewest-properties': 'property',
  'most-properties': 'property',
} as const

function countWords(kind: CountKind, before: unknown, after: unknown, isLess: boolean): string {
  const isLow = kind === 'shortest' || kind.startsWith('fewest')
  const counted = (count: unknown) =>
    `${shown(count)} ${count === 1 ? UNITS[kind] : UNITS[kind].replace(/y$/, 'ie').concat('s')}`
  const wasBounded = before !== undefined && before !== 0
  const was = wasBounded ? ` (it was ${shown(before)})` : ''
  if (isLow && isLess && after === 1) return 'must not be empty'
  if (isLow && !isLess && before === 1) return 'may be empty'
  if (isLess) return `must have at ${isLow ? 'least' : 'most'} ${counted(after)}${was}`
  if (after === undefined || (isLow && after === 0)) {
    return `may have ${isLow ? 'fewer' : 'more'} than ${counted(before)}`
  }
  return `may have as ${isLow ? 'few' : 'many'} as ${counted(after)}${was}`
}

const article = (type: unknown): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`

const valuesOf = (said: unknown): string => listOf(said, (value) => JSON.stringify(value))

const listOf = (said: unknown, write: (one: unknown) => string = shown): string => {
  const all = Array.isArray(said) ? said : [said]
  const words = all.slice(0, MOST_LISTED).map(write)
  const more = all.length - words.length
  if (more > 0) return `${words.join(', ')} and ${more} more`
  const last = words.pop() ?? 'nothing'
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`
}

const MOST_LISTED = 5

const shown = (said: unknown): string => {
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
