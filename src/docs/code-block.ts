import { htmlText, jsonText } from '../model/escape.js'
import { type Html, html, trusted } from './html.js'
import { tokens } from './tokens.js'

/** Code with a button that copies it, which the page's script shows. */
export function codeBlock(label: string, language: 'json' | 'ts' | 'sh', text: string): Html {
  const words = language === 'sh' ? html`${text}` : coloured(text)
  return html`<figure class="code"><figcaption>${label}<button type="button" class="copy" hidden aria-label="Copy ${label}">Copy</button></figcaption><pre tabindex="0" role="group" aria-label="${label}"><code class="${language}">${words}</code></pre></figure>`
}

export const json = (label: string, value: unknown): Html =>
  codeBlock(label, 'json', jsonText(value, 2))

/** Texts, keys, numbers and words, each in a colour of its own. */
const coloured = (text: string): Html =>
  trusted(
    [...tokens(text)]
      .map(({ text: token, kind }) =>
        kind === undefined ? htmlText(token) : `<span class="t-${kind}">${htmlText(token)}</span>`,
      )
      .join(''),
  )
