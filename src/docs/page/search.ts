import MiniSearch, { type AsPlainObject } from 'minisearch'
import { type Found, SEARCH } from './search-options.js'

declare global {
  /** What `search-index.js` leaves behind. */
  var twinspecIndex: AsPlainObject
}

const index = MiniSearch.loadJS<Found & { readonly id: number }>(globalThis.twinspecIndex, SEARCH)

globalThis.twinspecFind = (query) =>
  index.search(query).slice(0, MOST) as unknown as readonly Found[]

const MOST = 30
