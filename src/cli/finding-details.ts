import { isUndecided } from '../diff/change.js'
import type { Finding } from '../model/finding.js'

/** The details of a finding in addition to its message, each on one line. */
export const details = ({
  before,
  witness,
  advice,
  consequences = [],
  details: others = [],
}: Known): readonly Detail[] => [
  ...(before
    ? [{ label: 'before:', words: `${before.file}:${before.line}:${before.column}` }]
    : []),
  ...(witness ? [{ label: 'shown by:', words: shortened(shortValue(witness.value)) }] : []),
  ...(advice !== undefined ? [{ label: 'instead:', words: advice }] : []),
  ...others,
  ...followed(consequences),
]

/** The first few findings with the same cause, and the number of the others. */
const followed = (consequences: readonly Finding[]): readonly Detail[] => {
  const shown = consequences.slice(0, MOST_FOLLOWED)
  const more = consequences.length - shown.length
  return [
    ...shown.map(({ message }) => ({ label: 'follows:', words: message })),
    ...(more > 0 ? [{ label: 'follows:', words: `… and ${more} more (json has all)` }] : []),
  ]
}

const MOST_FOLLOWED = 3

/** The operations of a finding, unless its message or details name them all. */
export const operationsOf = ({
  rule,
  operations = [],
}: Pick<Finding, 'rule' | 'operations'>): readonly Detail[] =>
  operations.length < 2 || isUndecided({ rule })
    ? []
    : [{ label: 'affects:', words: operations.join(', ') }]

export type Detail = { readonly label: string; readonly words: string }

type Known = {
  readonly [key in 'before' | 'witness' | 'advice' | 'details' | 'consequences']?:
    | Finding[key]
    | undefined
}

/** Truncates long text; `json` has the whole text. */
export const shortened = (words: string): string =>
  words.length <= LONGEST ? words : `${words.slice(0, LONGEST)}…`

const LONGEST = 400

/**
 * A value as short JSON for people. Long texts, lists and objects are truncated, with the size in parentheses: `"aaa…" (200 ×
 * a)`. It does not parse as JSON.
 */
const shortValue = (value: unknown): string => {
  if (typeof value === 'string') return shortText(value)
  if (Array.isArray(value)) return shortList(value)
  if (typeof value === 'object' && value !== null) return shortObject(value)
  return JSON.stringify(value)
}

const shortText = (text: string): string => {
  const characters = [...text]
  if (characters.length <= LONGEST_TEXT) return JSON.stringify(text)
  const last = characters.at(-1) ?? ''
  const begins = characters.findLastIndex((one) => one !== last) + 1
  const run = characters.length - begins
  if (begins > FIRST || run < LEAST_RUN) {
    return `${JSON.stringify(`${characters.slice(0, FIRST).join('')}…`)} (${characters.length} characters)`
  }
  const before = characters.slice(0, begins).join('')
  const counted = `${run} × ${plainly(last)}`
  const said = begins === 0 ? counted : `${plainly(before)} and ${counted}`
  return `${JSON.stringify(`${before}${last.repeat(3)}…`)} (${said})`
}

const shortList = (list: readonly unknown[]): string => {
  if (list.length <= MOST_ITEMS) return `[${list.map(shortValue).join(',')}]`
  const first = list.slice(0, 3).map(shortValue)
  const json = JSON.stringify(list[0])
  const isOne = json.length <= FIRST && list.every((item) => JSON.stringify(item) === json)
  return `[${first.join(',')},…] (${isOne ? `${list.length} × ${json}` : `${list.length} items`})`
}

const shortObject = (object: object): string => {
  const entries = Object.entries(object)
  const isShort = entries.length <= MOST_ITEMS
  const said = (isShort ? entries : entries.slice(0, 3)).map(
    ([key, member]) => `${shortText(key)}:${shortValue(member)}`,
  )
  return isShort ? `{${said.join(',')}}` : `{${said.join(',')},…} (${entries.length} properties)`
}

/** Quotes characters other than letters and digits, because a blank, for example, would be invisible. */
const plainly = (text: string): string =>
  /^[\p{L}\p{N}]+$/u.test(text) ? text : JSON.stringify(text)

/** Long enough for a hash of 32 bytes. */
const LONGEST_TEXT = 80

const FIRST = 40

const LEAST_RUN = 20

const MOST_ITEMS = 12
