import { htmlText, jsonText } from '../text/escape.js'
import { type Html, html, trusted } from '../text/html.js'
import { tokens } from './tokens.js'

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
