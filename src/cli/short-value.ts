/**
 * A value as JSON that a person takes in at a glance: of long texts, lists and objects the beginning, and in
 * parentheses how much there is, as in `"aaa…" (200 × a)`. No reader of JSON takes it.
 */
export const shortValue = (value: unknown): string => {
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

/** A letter or a digit stands as it is; a space, say, would not be seen. */
const plainly = (text: string): string =>
  /^[\p{L}\p{N}]+$/u.test(text) ? text : JSON.stringify(text)

/** A hash of 32 bytes is shown whole. */
const LONGEST_TEXT = 80

const FIRST = 40

const LEAST_RUN = 20

const MOST_ITEMS = 12
