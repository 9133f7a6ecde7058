import type { ServerReply } from '../runtime/server/request.js'

/** Whether a path is of the site: `/docs` and all below it. */
export const isOfSite = (path: string): boolean => path === SITE || path.startsWith(`${SITE}/`)

const SITE = '/docs'

/** Serves a static site, each of its files by its full name. `read` is called at the first request. */
export const createSiteHandler = (
  read: () => readonly SiteFile[],
): ((method: string, path: string) => ServerReply) => {
  let files: ReadonlyMap<string, string> | undefined
  return (method, path) => {
    if (method !== 'GET' && method !== 'HEAD')
      return errorReply(405, 'The reference accepts GET only', { allow: 'GET, HEAD' })
    if (path === SITE) return { status: 307, headers: { location: 'docs/' } }
    files ??= new Map(read().map(({ name, text }) => [name, text]))
    const name = decoded(path.slice(SITE.length + 1)) || 'index.html'
    const text = files.get(name)
    if (text === undefined) return errorReply(404, `There is no such page; the first is ${SITE}/`)
    const headers = {
      'content-type': `${TYPES[/[^.]*$/.exec(name)?.[0] ?? ''] ?? 'text/plain'}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    return { status: 200, headers, body: text }
  }
}

/** Its path below the site, and its whole text. */
export type SiteFile = { readonly name: string; readonly text: string }

const errorReply = (
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): ServerReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error }),
})

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
}

/** A name with broken percent-encoding (RFC 3986, 2.1) names no file. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
