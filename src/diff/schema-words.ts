import {
  type Constraint,
  type Gap,
  type Limit,
  type Path,
  pathText,
} from '../schema/contain/gap.js'
import { keywordsOf, resolved } from '../schema/node.js'

/** Describes a change as a predicate for the name of the value; `isLess`: the new version accepts less than the old one. */
export function wordsOf(gap: Gap, isLess: boolean): string {
  const [was, is] = isLess ? [gap.inner, gap.outer] : [gap.outer, gap.inner]
  const [before, after] = [was.says, is.says]
  switch (gap.kind) {
    case 'type':
      return isLess
        ? `can no longer be ${shownList(before, article)}, only ${shownList(after, article)}`
        : `can be ${shownList(after, article)} now; it was ${shownList(before, article)}`
    case 'null':
      return isLess ? 'can no longer be null' : 'can be null now'
    case 'value':
      return valueWords(gap, isLess)
    case 'step':
      if (isLess && after === 1 && before === undefined) return 'must be a whole number now'
      if (!isLess && before === 1 && after === undefined)
        return 'no longer has to be a whole number'
      // 1 is the `multipleOf` of an integer.
      if (after === undefined || after === 1) {
        return `no longer has to be a multiple of ${shown(before)}`
      }
      return `must be a multiple of ${shown(after)} now${before === 1 ? '' : formerly(before)}`
    case 'minimum':
    case 'maximum':
      return boundWords(gap.kind, was, is, isLess)
    case 'shortest':
    case 'longest':
    case 'fewest-items':
    case 'most-items':
    case 'fewest-properties':
    case 'most-properties':
      return countWords(gap.kind, before, after, isLess)
    case 'pattern':
      if (before === undefined) return `must match \`${String(after)}\` now`
      if (after === undefined) return `no longer has to match \`${String(before)}\``
      return `${isLess ? 'must' : 'only has to'} match \`${String(after)}\` now; it had to match \`${String(before)}\``
    case 'unique-items':
      return isLess
        ? 'must not contain the same item twice now'
        : 'may contain the same item twice now'
    case 'contained-item':
      return isLess
        ? 'must contain an item now that it did not have to contain (contains)'
        : 'no longer has to contain an item that it had to contain (contains)'
    case 'required':
      return requiredWords(gap, isLess)
    case 'undeclared':
      return isLess ? 'is no longer accepted' : 'is accepted now'
    case 'property-name':
      return nameWords(gap, isLess)
    case 'dependent':
      return isLess
        ? `must have ${names(after)} now wherever it has ${names(before)}`
        : `may lack ${names(before)} now where it has ${names(after)}`
    case 'alternative':
      return alternativeWords(gap.inner.says, isLess)
    case 'overlap':
      return isLess
        ? 'has alternatives that overlap now: a value that matches two of them is rejected (oneOf)'
        : 'has alternatives that no longer overlap: a value that matched two of them is valid now (oneOf)'
    case 'exclusion':
      return isLess
        ? 'can no longer be a value that is excluded now (not)'
        : 'can be a value now that was excluded (not)'
    case 'nothing':
      if (gap.path.at(-1)?.kind === 'any-property')
        return isLess
          ? 'can no longer be one that is not declared'
          : 'can be one now that is not declared'
      return isLess ? 'can no longer have any value' : 'can have a value now; it could have none'
    case 'unevaluated': {
      const members = gap.outer.keyword === 'unevaluatedItems' ? 'items' : 'properties'
      return isLess
        ? `can no longer have ${members} that are not declared`
        : `can have ${members} now that are not declared`
    }
    case 'undecided':
      if (Array.isArray(gap.inner.says)) return leftWords(gap.inner.says, gap.limit)
      return `is too complex to be compared${limitWords(gap.limit)}`
  }
}

function alternativeWords(name: unknown, isLess: boolean): string {
  if (typeof name === 'string') {
    return isLess
      ? `no longer has the alternative \`${name}\``
      : `may be a new alternative now, \`${name}\``
  }
  return isLess ? 'no longer has an alternative that it had' : 'may be a new alternative'
}

const formerly = (before: unknown) => (before === undefined ? '' : ` (it was ${shown(before)})`)

const names = (values: unknown): string => shownList(values, (name) => `\`${String(name)}\``, 'and')

function valueWords({ inner, outer }: Gap, isLess: boolean): string {
  if (inner.says === undefined) {
    return isLess
      ? `must be ${valuesOf(outer.says)} now`
      : `can be a value other than ${valuesOf(outer.says)} now`
  }
  return isLess
    ? `can no longer be ${valuesOf(inner.says)}`
    : `can be ${valuesOf(inner.says)} now as well`
}

function requiredWords({ inner }: Gap, isLess: boolean): string {
  const isNamed = inner.says !== undefined
  if (isLess) return isNamed ? 'is required now' : 'is new and required'
  return isNamed ? 'may be absent now; it was always present' : 'is removed; it was always present'
}

function nameWords({ inner, path }: Gap, isLess: boolean): string {
  if (path.at(-1)?.kind === 'property') {
    return isLess
      ? 'can no longer be the name of a property (propertyNames)'
      : 'can be the name of a property now (propertyNames)'
  }
  const example =
    typeof inner.says === 'string' && inner.says !== '' ? ` such as \`${shown(inner.says)}\`` : ''
  return isLess
    ? `can no longer have some property names${example}`
    : `can have more property names now${example}`
}

function boundWords(
  kind: 'minimum' | 'maximum',
  before: Constraint,
  after: Constraint,
  isLess: boolean,
): string {
  const [was, is] = [before, after].map((one) => boundOf(kind, one))
  const isSame = before.says === after.says
  const than = kind === 'minimum' ? 'less than' : 'more than'
  if (isLess) {
    const then = !was ? '' : isSame ? `; ${before.says} itself was accepted` : ` (it was ${was})`
    return `must be ${is} now${then}`
  }
  if (!is) {
    return isExclusive(kind, before)
      ? `can be ${before.says} or ${than} that now`
      : `can be ${than} ${before.says} now`
  }
  if (isSame) return `can be ${after.says} itself now; it was ${was}`
  return isExclusive(kind, after)
    ? `can be anything ${is} now (it was ${was})`
    : `can be as ${kind === 'minimum' ? 'small' : 'large'} as ${shown(after.says)} now (it was ${was})`
}

/** `more than 5`, `at least 5`; undefined if a version has no such bound. */
const boundOf = (kind: 'minimum' | 'maximum', one: Constraint): string | undefined => {
  if (one.says === undefined) return undefined
  const words = isExclusive(kind, one)
    ? { minimum: 'more than', maximum: 'less than' }
    : { minimum: 'at least', maximum: 'at most' }
  return `${words[kind]} ${shown(one.says)}`
}

/** Whether a bound is exclusive; a version may declare its bound with another keyword than that of the change. */
function isExclusive(kind: 'minimum' | 'maximum', { node, keyword, says }: Constraint): boolean {
  const exclusive = kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
  const schema = node ? keywordsOf(resolved(node)) : {}
  if (schema[exclusive] === says) return true
  return keyword === exclusive && schema[kind] === undefined
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
  if (isLow && isLess && after === 1) return 'must not be empty now'
  if (isLow && !isLess && before === 1) return 'can be empty now'
  if (isLess) return `must have at ${isLow ? 'least' : 'most'} ${counted(after)} now${was}`
  if (after === undefined || (isLow && after === 0)) {
    return `can have ${isLow ? 'fewer' : 'more'} than ${counted(before)} now`
  }
  return `can have as ${isLow ? 'few' : 'many'} as ${counted(after)} now${was}`
}

/** `a string`, `an object`, `null`. */
export const article = (type: unknown): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`

/** `"a" or "b"`. */
export const valuesOf = (values: unknown): string =>
  shownList(values, (value) => JSON.stringify(value))

/** A value as JSON; `none` if there is none. */
export const valueText = (value: unknown): string =>
  value === undefined ? 'none' : JSON.stringify(value)

export const shownList = (
  values: unknown,
  write: (one: unknown) => string = shown,
  link: 'and' | 'or' = 'or',
): string => {
  const all = Array.isArray(values) ? values : [values]
  const words = all.slice(0, MOST_LISTED).map(write)
  const more = all.length - words.length
  if (more > 0) return `${words.join(', ')} and ${more} more`
  const last = words.pop() ?? 'nothing'
  return words.length === 0 ? last : `${words.join(', ')} ${link} ${last}`
}

const MOST_LISTED = 5

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The pairs of schemas whose comparison exceeded a limit, by their places in the value. */
function leftWords(places: readonly Path[], limit: Limit | undefined): string {
  const shown = places.slice(0, MOST_LISTED).map((path) => `\`${pathText(path) || 'the whole'}\``)
  const more = places.length > shown.length ? ` and ${places.length - shown.length} more` : ''
  const pairs = places.length === 1 ? '1 pair of schemas' : `${places.length} pairs of schemas`
  return `has ${pairs} with too many combinations to be compared, at ${shown.join(', ')}${more}${limitWords(limit)}`
}

/** The limit of the comparison that was reached; empty if no limit ended it. */
const limitWords = (limit: Limit | undefined): string =>
  limit === undefined ? '' : ` (${LIMITS[limit.counts](limit.most.toLocaleString('en'))})`

const LIMITS: Readonly<Record<Limit['counts'], (most: string) => string>> = {
  steps: (most) => `a pair of schemas took more than ${most} steps`,
  'steps together': (most) => `the schema and all that it contains took more than ${most} steps`,
  'steps to combine': (most) =>
    `to combine the alternatives of a schema took more than ${most} steps`,
  'steps of alternatives': (most) =>
    `the alternatives and their members took more than ${most} steps`,
  alternatives: (most) => `more than ${most} pairs of alternatives and their members differ`,
  drafts: (most) => `more than ${most} values were drafted to show a difference`,
  depth: (most) => `more than ${most} comparisons are nested`,
  shapes: (most) => `a schema has more than ${most} combinations of alternatives`,
  overlaps: (most) => `a branch of a oneOf may overlap with more than ${most} others`,
}
