import { htmlText, jsonText } from '../model/escape.js'
import { tokens } from './tokens.js'

/** The tagged template for pages: values are escaped, unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  return trusted(strings.reduce((text, next, at) => text + printed(values[at - 1]) + next))
}

/** Marks text that was built as HTML here. */
export const trusted = (text: string): Html => ({ [made]: true, text })

/** Inserts a separator between the parts. */
export const separated = (
  parts: readonly Printable[],
  separator: Printable,
): readonly Printable[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))

export type Html = { readonly text: string; readonly [made]: true }

export type Printable = string | number | Html | undefined | false | readonly Printable[]

/** Distinguishes this HTML from data with the same keys. */
const made = Symbol('html')

const printed = (value: Printable): string => {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return made in value ? value.text : value.map(printed).join('')
  return htmlText(String(value))
}

/** A name or an address with line breaks allowed only between its words. */
export const breakable = (name: string): Printable =>
  separated(name.split(/(?<=[/._-])(?=.)|(?<=[a-z\d])(?=[A-Z])/), trusted('<wbr>'))

/** Code with a copy button, which the page's script shows; `tab` is the language under which readers select it. */
export function codeBlock(
  label: string,
  language: 'json' | 'ts' | 'sh' | 'text',
  text: string,
  tab?: string,
): Html {
  const words = language === 'json' || language === 'ts' ? coloured(text) : html`${text}`
  return html`<figure class="code"${tab !== undefined && html` data-language="${tab}"`}><figcaption>${label}<button type="button" class="copy" hidden aria-label="Copy ${label}">Copy</button></figcaption><pre tabindex="0" role="group" aria-label="${label}"><code class="${language}">${words}</code></pre></figure>`
}

export const json = (label: string, value: unknown): Html =>
  codeBlock(label, 'json', jsonText(value, 2))

/** Highlights strings, keys, numbers and words. */
const coloured = (text: string): Html =>
  trusted(
    [...tokens(text)]
      .map(({ text: token, kind }) =>
        kind === undefined ? htmlText(token) : `<span class="t-${kind}">${htmlText(token)}</span>`,
      )
      .join(''),
  )
