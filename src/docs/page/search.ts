import MiniSearch from 'minisearch'
import { type Found, type Shelf, words } from './search-shelves.js'

declare global {
  /** Defined by `search-index.js`. */
  var twinspecShelves: readonly Shelf[]
}

const index = new MiniSearch<Found & { readonly id: number; readonly more: string }>({
  fields: ['name', 'said', 'more'],
  storeFields: ['name', 'kind', 'said', 'href'],
  tokenize: words,
  processTerm: (term) => term,
  searchOptions: {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
    boost: { name: 6, said: 2 },
    combineWith: 'AND',
  },
})

const pages = globalThis.twinspecShelves.flatMap(({ kind, pages: [before, after], rows }) =>
  rows.map(([name, said, more, page]) => ({
    ...{ kind, name, said, more },
    href: before + (page || name) + after,
  })),
)
index.addAll(pages.map((page, id) => ({ ...page, id })))

globalThis.twinspecFind = (query) =>
  index.search(query).slice(0, MOST) as unknown as readonly Found[]

const MOST = 30
