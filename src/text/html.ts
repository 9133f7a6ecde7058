import { htmlText } from './escape.js'

/** The tagged template for pages: values are escaped, unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlContent[]): Html {
  return trusted(strings.reduce((text, next, at) => text + printed(values[at - 1]) + next))
}

/** Marks text that was built as HTML here. */
export const trusted = (text: string): Html => ({ [made]: true, text })

/** Inserts a separator between the parts. */
export const separated = (
  parts: readonly HtmlContent[],
  separator: HtmlContent,
): readonly HtmlContent[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))

export type Html = { readonly text: string; readonly [made]: true }

export type HtmlContent = string | number | Html | undefined | false | readonly HtmlContent[]

/** Distinguishes this HTML from data with the same keys. */
const made = Symbol('html')

const printed = (value: HtmlContent): string => {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return made in value ? value.text : value.map(printed).join('')
  return htmlText(String(value))
}

/** A name or an address with line breaks allowed only between its words. */
export const breakable = (name: string): HtmlContent =>
  separated(name.split(/(?<=[/._-])(?=.)|(?<=[a-z\d])(?=[A-Z])/), trusted('<wbr>'))
