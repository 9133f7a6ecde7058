import { escaped, type Html, html, trusted } from './html.js'

/** Code with a button that copies it, which the page's script shows. */
export function codeBlock(label: string, language: 'json' | 'ts' | 'sh', text: string): Html {
  const words = language === 'sh' ? html`${text}` : coloured(text)
  return html`<figure class="code"><figcaption>${label}<button type="button" class="copy" hidden aria-label="Copy ${label}">Copy</button></figcaption><pre tabindex="0" role="group" aria-label="${label}"><code class="${language}">${words}</code></pre></figure>`
}

export const json = (label: string, value: unknown): Html =>
  codeBlock(label, 'json', JSON.stringify(value, null, 2) ?? 'undefined')

/** Texts, keys, numbers and words of JSON, and of TypeScript that is little more than it. */
const coloured = (text: string): Html => {
  let done = 0
  let out = ''
  for (const match of text.matchAll(TOKENS)) {
    const [token] = match
    const kind = KINDS.find((name) => match.groups?.[name] !== undefined)
    out += escaped(text.slice(done, match.index))
    out += `<span class="t-${kind}">${escaped(token)}</span>`
    done = match.index + token.length
  }
  return trusted(out + escaped(text.slice(done)))
}

const KINDS = ['key', 'text', 'comment', 'word', 'number'] as const

const TOKENS =
  /(?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<comment>\/\/.*$)|(?<word>\b(?:true|false|null|import|from|const|await|for|of)\b)|(?<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)/gm
