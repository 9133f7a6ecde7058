import type { Operation } from '../model/api.js'
import { limitWords } from '../model/extensions.js'
import { nameOf } from '../model/operation-name.js'
import { jsonText } from '../text/escape.js'
import { errorAnchor, errorsOf } from './errors-page.js'
import { type SearchResult, type Shelf, WORD, words } from './page/search-shelves.js'
import { plainText } from './prose.js'
import { SITE_MARK, type Site, statusName } from './site.js'

/**
 * The search data as a script, because a page from a disk cannot load data. The browser builds the index, which is larger than
 * this data.
 */
export const searchIndex = (site: Site): string =>
  `// ${SITE_MARK}: what the search looks in. Do not edit.\nself.twinspecShelves = ${jsonText(shelvesOf(site))}\n`

type Row = Omit<SearchResult, 'kind'> & { readonly text: string }

function shelvesOf({ api, operationFiles, schemaFiles }: Site): readonly Shelf[] {
  const { codes, statuses } = errorsOf(api.operations)
  const pageOf = (kind: Operation['kind']): readonly Row[] =>
    api.operations
      .filter((one) => one.kind === kind)
      .map((operation) => ({
        name: nameOf(operation),
        summary: plainText(operation.summary ?? ''),
        href: operationFiles.get(operation.id) ?? '',
        text: textOf(operation),
      }))
  return [
    shelfOf('operation', PAGES.operations, pageOf('http')),
    shelfOf('method', PAGES.operations, pageOf('rpc')),
    shelfOf(
      'schema',
      PAGES.schemas,
      [...api.schemas.values()].map(({ name, schema }) => {
        const { description = '', properties = {} } = typeof schema === 'object' ? schema : {}
        const summary = plainText(description)
        return {
          name,
          summary: summary.slice(0, SHOWN),
          href: schemaFiles.get(name) ?? '',
          text: `${Object.keys(properties).join(' ')} ${summary}`,
        }
      }),
    ),
    shelfOf(
      'error',
      PAGES.errors,
      [
        ...codes.map((row) => ({ ...row, title: row.code })),
        ...statuses.map((row) => ({ ...row, title: statusName(row.code) })),
      ].map(({ code, names, title }) => ({
        name: title,
        summary: plainText(names.join('; ')).slice(0, SHOWN),
        href: `errors.html#${errorAnchor(code)}`,
        text: plainText(names.join('; ')),
      })),
    ),
  ]
}

/** The beginning and end of the addresses of each shelf. */
const PAGES = {
  operations: ['operations/', '.html'],
  schemas: ['schemas/', '.html'],
  errors: ['errors.html#', ''],
} as const

/** The length of a description in a result, and of a searched text, in characters. */
const SHOWN = 120
const MOST = 2000

const shelfOf = (kind: string, [before, after]: Shelf['pages'], rows: readonly Row[]): Shelf => ({
  kind,
  pages: [before, after],
  rows: rows.map(({ name, summary, href, text }) => {
    const page = encodeURI(href).slice(before.length, after === '' ? undefined : -after.length)
    return [
      name,
      summary,
      moreWords(text.slice(0, MOST), `${name} ${summary}`),
      page === name ? '' : page,
    ]
  }),
})

/** The words of a text that are not in the known text, each once. */
function moreWords(text: string, known: string): string {
  const listed = new Set(words(known))
  const isNew = (word: string) => {
    const fresh = words(word).filter((one) => !listed.has(one))
    for (const one of fresh) listed.add(one)
    return fresh.length > 0
  }
  return (text.match(WORD) ?? []).filter(isNew).join(' ')
}

function textOf(operation: Operation): string {
  const names =
    operation.kind === 'http'
      ? [
          ...operation.parameters.map(({ name }) => name),
          ...operation.variants.map(({ name }) => name),
        ]
      : [
          ...operation.params.map(({ name }) => name),
          ...operation.errors.map(({ code, message }) => `${code} ${message}`),
        ]
  const { id, description = '', tags, limits } = operation
  return [id, ...tags, ...names, limitWords(limits), plainText(description)].join(' ')
}
