import { htmlText } from '../model/escape.js'

/** The tagged template that pages are written with: whatever is put in is escaped, unless it is HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  return trusted(strings.reduce((text, next, at) => text + printed(values[at - 1]) + next))
}

/** Text that is HTML and was made so by us. */
export const trusted = (text: string): Html => ({ [made]: true, text })

/** Nothing where there is nothing to put between. */
export const separated = (
  parts: readonly Printable[],
  separator: Printable,
): readonly Printable[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))

export type Html = { readonly text: string; readonly [made]: true }

export type Printable = string | number | Html | undefined | false | readonly Printable[]

/** Tells HTML of ours from data that happens to have the same keys. */
const made = Symbol('html')

const printed = (value: Printable): string => {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return made in value ? value.text : value.map(printed).join('')
  return htmlText(String(value))
}
