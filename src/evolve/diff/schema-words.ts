import type { Gap } from '../compare/gap.js'

/** What changed, in words: `before` and `after` are what a keyword said in each version. */
export function wordsOf(gap: Gap, isLess: boolean): string {
  const [before, after] = isLess
    ? [gap.inner.says, gap.outer.says]
    : [gap.outer.says, gap.inner.says]
  const was = before === undefined ? '' : ` (it was ${shown(before)})`
  const whole = (said: string) => `${said}${was}`
  switch (gap.kind) {
    case 'type':
      return isLess
        ? `can no longer be ${article(before)}, only ${listOf(after)}`
        : `can be ${article(after)}, and was ${listOf(before)}`
    case 'null':
      return isLess ? 'can no longer be null' : 'can be null'
    case 'value':
      return valueWords(gap, isLess)
    case 'step':
      return after === undefined
        ? `need not be a multiple of ${shown(before)} any more`
        : whole(`must be a multiple of ${shown(after)}`)
    case 'minimum':
      return bound('at least', before, after)
    case 'maximum':
      return bound('at most', before, after)
    case 'shortest':
      return bound('of at least', before, after, ' characters')
    case 'longest':
      return bound('of at most', before, after, ' characters')
    case 'fewest-items':
      return bound('of at least', before, after, ' items')
    case 'most-items':
      return bound('of at most', before, after, ' items')
    case 'fewest-properties':
      return bound('of at least', before, after, ' properties')
    case 'most-properties':
      return bound('of at most', before, after, ' properties')
    case 'pattern':
      if (before === undefined) return `must match ${String(after)}`
      if (after === undefined) return `need not match ${String(before)} any more`
      return `must match ${String(after)}, and had to match ${String(before)}`
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
      return isLess ? 'fits none of its alternatives any more' : 'may be what no alternative was'
    case 'overlap':
      return isLess
        ? 'may fit two alternatives of its oneOf, which is refused'
        : 'may be what fitted two alternatives, which was refused'
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
      ? `must be one of ${listOf(outer.says)}`
      : `may be anything, and was one of ${listOf(outer.says)}`
  }
  return isLess ? `can no longer be ${listOf(inner.says)}` : `can also be ${listOf(inner.says)}`
}

function requiredWords({ inner }: Gap, isLess: boolean): string {
  const isNamed = inner.says !== undefined
  if (isLess) return isNamed ? 'must be there' : 'is new and must be there'
  return isNamed ? 'may be absent, and always was there' : 'is gone, and always was there'
}

function bound(words: string, before: unknown, after: unknown, unit = ''): string {
  if (after === undefined || after === 0) {
    if (unit !== '' || after === undefined)
      return `need not be ${words} ${shown(before)}${unit} any more`
  }
  const was =
    before === undefined || (before === 0 && unit !== '') ? '' : ` (it was ${shown(before)})`
  return `must be ${words} ${shown(after)}${unit}${was}`
}

const article = (type: unknown): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`

const listOf = (said: unknown): string => {
  const all = Array.isArray(said) ? said : [said]
  const words = all.slice(0, MOST_LISTED).map(shown)
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
