import { htmlText } from '../text/escape.js'

/**
 * Renders the HTML of a description (CommonMark 0.31.2, 4.6 and 6.6). Elements of a fixed list are rendered without attributes,
 * links and images by `openLink`, which returns nothing for an unsafe address. All other tags are shown as text; comments are
 * omitted. In a line, only elements of text are rendered. The result may contain tags that have no counterpart: see `balanced`.
 */
export const safeHtml = (text: string, openLink: OpenLink, within: 'line' | 'block'): string =>
  [...piecesOf(text)]
    .map((piece) =>
      typeof piece === 'string'
        ? withEntities(piece)
        : (rendered(piece, openLink, within) ?? htmlText(piece.text)),
    )
    .join('')

/** The text of a description without the tags that `safeHtml` renders. */
export const withoutHtml = (text: string): string =>
  [...piecesOf(text)]
    .map((piece) => {
      if (typeof piece === 'string') return piece
      const { name, attributes } = piece
      if (name === 'a' || INLINE.has(name)) return ''
      if (name === 'img') return attributes.get('alt') ?? ''
      return isBlock(name) || VOID.has(name) ? ' ' : piece.text
    })
    .join('')

/** Closes what is open, omits end tags without a start and links within links, and ends a paragraph before a block. */
export function balanced(html: string): string {
  const open: string[] = []
  const closeFrom = (depth: number): string =>
    open
      .splice(depth)
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  const result = html.replace(WRITTEN_TAG, (tag, slash: string, name: string) => {
    const isEnd = slash !== ''
    if (VOID.has(name)) return isEnd ? '' : tag
    const at = open.lastIndexOf(name)
    if (isEnd) return at < 0 ? '' : closeFrom(at)
    if ((name === 'a' && at >= 0) || open.length >= DEEPEST) return ''
    const paragraph = isBlock(name) ? open.lastIndexOf('p') : -1
    const closed = paragraph < 0 ? '' : closeFrom(paragraph)
    open.push(name)
    return closed + tag
  })
  return result + closeFrom(0)
}

/** Entities in Markdown are kept as entities in HTML. */
export const withEntities = (text: string): string =>
  htmlText(text).replace(/&amp;(#\d+|#x[\da-f]+|\w+);/gi, '&$1;')

/** The start tag of a link; undefined for an address that is not safe. */
export type OpenLink = (href: string, title: string | undefined) => string | undefined

type Tag = {
  readonly text: string
  readonly isEnd: boolean
  /** In lower case. */
  readonly name: string
  /** As written, with entities. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Texts and tags in order; without comments. A comment that does not end is text. */
function* piecesOf(text: string): Generator<string | Tag> {
  const lastEnd = text.lastIndexOf('-->')
  let from = 0
  for (const { 0: tag, 1: slash, 2: name, 3: attributes = '', index } of text.matchAll(TAG)) {
    if (index < from || (name === undefined && index >= lastEnd)) continue
    yield text.slice(from, index)
    if (name === undefined) from = text.indexOf('-->', index + 2) + 3
    else {
      from = index + tag.length
      yield {
        ...{ text: tag, isEnd: slash === '/', name: name.toLowerCase() },
        attributes: attributesOf(attributes),
      }
    }
  }
  yield text.slice(from)
}

const attributesOf = (written: string): ReadonlyMap<string, string> =>
  new Map(
    [...written.matchAll(ATTRIBUTE)]
      // The first of two attributes with one name counts.
      .reverse()
      .map(([, name = '', double, single, bare]) => [
        name.toLowerCase(),
        double ?? single ?? bare ?? '',
      ]),
  )

/** The beginning of a comment, or a tag (CommonMark 0.31.2, 6.6). */
const TAG =
  /<!--|<(\/?)([a-z][a-z\d]*)((?:\s+[^\s"'<>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/gi

const ATTRIBUTE = /([^\s"'<>=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** A tag that was written here: `<` and `>` occur only in tags. */
const WRITTEN_TAG = /<(\/?)([a-z][a-z\d]*)(?:\s[^<>]*)?>/g

/** Undefined for a tag that is shown as text. */
function rendered(
  { isEnd, name, attributes }: Tag,
  openLink: OpenLink,
  within: 'line' | 'block',
): string | undefined {
  const slash = isEnd ? '/' : ''
  const title = attributes.get('title')
  if (name === 'a') {
    const href = attributes.get('href')
    return isEnd ? '</a>' : href === undefined ? '' : (openLink(href, title) ?? '')
  }
  if (name === 'img') return imageLink(attributes, openLink)
  if (name === 'abbr' && !isEnd && title !== undefined)
    return `<abbr title="${withEntities(title)}">`
  if (INLINE.has(name) || name === 'br' || name === 'wbr') return `<${slash}${name}>`
  if (!isBlock(name) && !VOID.has(name)) return undefined
  if (within === 'line') return ' '
  // The levels of headings belong to the page.
  if (HEADING.test(name)) return isEnd ? '</strong></p>' : '<p><strong>'
  return `<${slash}${name}>`
}

/** Images become links, so that none is loaded. */
function imageLink(attributes: Tag['attributes'], openLink: OpenLink): string | undefined {
  const { src = '', alt = '', title } = Object.fromEntries(attributes)
  const open = src === '' ? undefined : openLink(src, title)
  return open && `${open}${withEntities(alt || src)}</a>`
}

const HEADING = /^h[1-6]$/

const isBlock = (name: string): boolean => BLOCK.has(name) || HEADING.test(name)

const INLINE: ReadonlySet<string> = new Set(
  'abbr b code del em i ins kbd mark q s samp small span strong sub sup u var'.split(' '),
)

const BLOCK: ReadonlySet<string> = new Set(
  'blockquote dd details div dl dt li ol p pre summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'wbr'])

/** Browsers limit the depth of a page to 512. */
const DEEPEST = 300
