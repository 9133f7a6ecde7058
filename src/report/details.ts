import type { Finding, FindingExchange } from '../model/finding.js'

/** The details of a finding in addition to its message, each on one line. Requests and responses are cut after `longest` characters. */
export const details = (finding: Proof, longest = LONGEST): readonly Detail[] => {
  const { before, witness, advice, clause, exchange, consequences = [] } = finding
  return [
    ...(clause === undefined ? [] : [{ label: 'clause:', words: clause }]),
    ...(before
      ? [{ label: 'before:', words: `${before.file}:${before.line}:${before.column}` }]
      : []),
    ...(witness ? [{ label: 'shown by:', words: shortened(shortValue(witness.value)) }] : []),
    ...(exchange ? exchangeDetails(exchange, longest) : []),
    ...(advice === undefined ? [] : [{ label: 'instead:', words: advice }]),
    ...(finding.details ?? []),
    ...followed(consequences),
  ]
}

const exchangeDetails = (exchange: FindingExchange, longest: number): readonly Detail[] => {
  const { request, response, expected, curl, count } = exchange
  return [
    { label: 'request:', words: shortened(request, longest) },
    { label: 'received:', words: shortened(response, longest) },
    { label: 'expected:', words: expected },
    { label: 'reproduce:', words: curl },
    ...(count > 1 ? [{ label: 'seen:', words: `${count} times` }] : []),
  ]
}

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

/** The members that details are made from. */
type Proof = {
  readonly [Key in
    | 'clause'
    | 'before'
    | 'witness'
    | 'exchange'
    | 'advice'
    | 'details'
    | 'consequences']?: Finding[Key] | undefined
}

export type Detail = { readonly label: string; readonly words: string }

/** Truncates long text; `json` has the whole text. */
const shortened = (words: string, longest = LONGEST): string =>
  words.length <= longest ? words : `${words.slice(0, longest)}…`

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
  const shown = begins === 0 ? counted : `${plainly(before)} and ${counted}`
  return `${JSON.stringify(`${before}${last.repeat(3)}…`)} (${shown})`
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
  const shown = (isShort ? entries : entries.slice(0, 3)).map(
    ([key, member]) => `${shortText(key)}:${shortValue(member)}`,
  )
  return isShort ? `{${shown.join(',')}}` : `{${shown.join(',')},…} (${entries.length} properties)`
}

/** Quotes characters other than letters and digits, because a blank, for example, would be invisible. */
const plainly = (text: string): string =>
  /^[\p{L}\p{N}]+$/u.test(text) ? text : JSON.stringify(text)

/** Long enough for a hash of 32 bytes. */
const LONGEST_TEXT = 80

const FIRST = 40

const LEAST_RUN = 20

const MOST_ITEMS = 12
