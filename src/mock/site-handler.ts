import { type Door, jsonAnswer, pathOf } from './exchange.js'

/** Whether a path is of the site: `/docs` and all below it. */
export const isOfSite = (path: string): boolean => path === SITE || path.startsWith(`${SITE}/`)

/** Where the site stands. */
export const SITE = '/docs'

/** Answers for a static site, each of its files by its whole name. `read` is called for the first reader. */
export const createSiteHandler = (read: () => readonly SiteFile[]): Door => {
  let files: ReadonlyMap<string, string> | undefined
  return async ({ method, target }) => {
    if (method !== 'GET' && method !== 'HEAD')
      return jsonAnswer(405, { error: 'there is nothing here but to GET' }, { allow: 'GET, HEAD' })
    const path = pathOf({ target })
    if (path === SITE) return { status: 307, headers: { location: 'docs/' }, body: Buffer.alloc(0) }
    files ??= new Map(read().map(({ name, text }) => [name, text]))
    const name = decoded(path.slice(SITE.length + 1)) || 'index.html'
    const text = files.get(name)
    if (text === undefined)
      return jsonAnswer(404, { error: `there is no such page: the first one is ${SITE}/` })
    const headers = {
      'content-type': `${TYPES[/[^.]*$/.exec(name)?.[0] ?? ''] ?? 'text/plain'}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    return { status: 200, headers, body: Buffer.from(text) }
  }
}

/** Its path below the site, and its whole text. */
export type SiteFile = { readonly name: string; readonly text: string }

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
}

/** A name that is no text (RFC 3986 §2.1) is none of ours. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
