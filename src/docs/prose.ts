import { Marked, type RendererObject } from 'marked'
import { htmlText } from '../text/escape.js'
import { type Html, trusted } from '../text/html.js'
import { balanced, type OpenLink, safeHtml, withEntities, withoutHtml } from './safe-html.js'

/**
 * Renders a description (CommonMark) as HTML. Its first heading gets the given `level`, and no level is skipped; without a
 * level, headings are bold lines. Of its HTML, `safeHtml` renders a safe part. Images become links, and links may only lead to
 * the web, to mail or within the site. A description that is nested too deeply, or has too many marks, is shown as plain text.
 */
export function prose(text: string | undefined, level?: number): Html | undefined {
  if (!text?.trim()) return undefined
  if (level === undefined) return block(UNHEADED, text)
  let last = level - 1
  const ranks: number[] = []
  const heading: RendererObject['heading'] = function ({ tokens, depth }) {
    while (ranks.length > 0 && (ranks.at(-1) ?? 0) >= depth) ranks.pop()
    ranks.push(depth)
    last = Math.min(6, last + 1, level + ranks.length - 1)
    return `<h${last}>${this.parser.parseInline(tokens)}</h${last}>\n`
  }
  const marked = new Marked({ renderer: { ...RENDERER, heading } })
  return block(marked, text)
}

const block = (marked: Marked, text: string): Html =>
  trusted(
    `<div class="prose">${unlessTooMuch(text, () => marked.parse(text.trim(), { async: false }))}</div>`,
  )

/** The rendered text, or the text as it is if rendering would take long or needs too much stack. */
function unlessTooMuch(text: string, render: () => unknown): string {
  const marks = text.match(/[_*~<[!]/g)?.length ?? 0
  if (marks > MOST_MARKS || text.length > LONGEST || NESTED.test(text)) return htmlText(text.trim())
  try {
    return balanced(String(render()))
  } catch (error) {
    if (error instanceof RangeError) return htmlText(text.trim())
    throw error
  }
}

/** More than a long guide has. The time of some marks grows with the square of their number. */
const MOST_MARKS = 10_000

const LONGEST = 500_000

/** A hundred quotes or lists that begin on one line. */
const NESTED = /^[ \t]*(?:(?:>|[-*+] |\d{1,9}[.)] )[ \t]*){100}/m

/** Renders a description on one line: no paragraphs, lists or headings. */
export function proseLine(text: string | undefined): Html | undefined {
  if (!text?.trim()) return undefined
  return trusted(unlessTooMuch(text, () => LINE.parseInline(text.trim(), { async: false })))
}

/** The plain text of a description, on one line without markup. */
export const plainText = (text: string): string =>
  withoutHtml(text)
    .replace(/[`*]|^#+\s|^[^\S\n\r\u2028\u2029]*[-+]\s/gm, '')
    .replace(LINK, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** A link with at most one pair of parentheses in its address. */
const LINK = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g

const openLink: OpenLink = (written, title) => {
  const href = written.replaceAll('&amp;', '&')
  if (!isSafe(href)) return undefined
  const attribute = title ? ` title="${withEntities(title)}"` : ''
  const outside = /^https?:/i.test(href) ? ' rel="noopener noreferrer"' : ''
  return `<a href="${htmlText(href)}"${attribute}${outside}>`
}

const link = (href: string, title: string | null | undefined, words: string): string => {
  const open = openLink(href, title ?? undefined)
  return open === undefined ? words : `${open}${words}</a>`
}

/** Whether a link is safe: browsers drop control characters and blanks before they read the scheme. */
const isSafe = (href: string): boolean => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers drop
  const bare = href.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '')
  if (bare.startsWith('//') || bare.includes('\\')) return false
  return !/^[^/?#]*:/.test(bare) || /^(https?|mailto):/i.test(bare)
}

const RENDERER: RendererObject = {
  html: ({ text }) => safeHtml(text, openLink, 'block'),
  text(token) {
    return 'tokens' in token && token.tokens
      ? this.parser.parseInline(token.tokens)
      : withEntities(token.text)
  },
  code: ({ text }) => `<pre tabindex="0"><code>${htmlText(text)}</code></pre>\n`,
  codespan: ({ text }) => `<code>${htmlText(text)}</code>`,
  link({ href, title, tokens }) {
    return link(href, title, this.parser.parseInline(tokens))
  },
  image: ({ href, title, text }) => link(href, title, htmlText(text || href)),
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  table(token) {
    const row = (cells: typeof token.header, name: 'td' | 'th scope="col"') =>
      `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name.slice(0, 2)}>`).join('')}</tr>`
    const body = token.rows.map((cells) => row(cells, 'td')).join('')
    return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th scope="col"')}</thead><tbody>${body}</tbody></table></div>\n`
  },
}

const LINE = new Marked({
  renderer: { ...RENDERER, html: ({ text }) => safeHtml(text, openLink, 'line') },
})

/** For descriptions within trees, where headings have no level. */
const UNHEADED = new Marked({
  renderer: {
    ...RENDERER,
    heading({ tokens }) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>\n`
    },
  },
})
