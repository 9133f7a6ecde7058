import MiniSearch from 'minisearch'
import { type SearchResult, type Shelf, words } from './search-shelves.js'

declare global {
  /** Defined by `search-index.js`. */
  var twinspecShelves: readonly Shelf[]
}

const index = new MiniSearch<SearchResult & { readonly id: number; readonly more: string }>({
  fields: ['name', 'summary', 'more'],
  storeFields: ['name', 'kind', 'summary', 'href'],
  tokenize: words,
  processTerm: (term) => term,
  searchOptions: {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
    boost: { name: 6, summary: 2 },
    combineWith: 'AND',
  },
})

const pages = globalThis.twinspecShelves.flatMap(({ kind, pages: [before, after], rows }) =>
  rows.map(([name, summary, more, page]) => ({
    ...{ kind, name, summary, more },
    href: before + (page || name) + after,
  })),
)
index.addAll(pages.map((page, id) => ({ ...page, id })))

globalThis.twinspecFind = (query) =>
  index.search(query).slice(0, MOST) as unknown as readonly SearchResult[]

const MOST = 30
