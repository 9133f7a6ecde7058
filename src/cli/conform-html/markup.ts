import { htmlText } from '../../model/escape.js'

/** Text of HTML that is safe to stand in a page: only `html` makes it. */
export type Markup = { readonly markup: string }

/**
 * A template of HTML: every value is escaped but what another template made, lists are joined, and nothing stands for
 * undefined. What a server answered can so be text and nothing else, in elements and in quoted attributes.
 */
export const html = (texts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: texts
    .map((text, index) => text + (index < values.length ? part(values[index]) : ''))
    .join(''),
})

export type Value = string | number | undefined | Markup | readonly Markup[]

const part = (value: Value): string => {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return htmlText(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}
