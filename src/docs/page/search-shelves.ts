/** Pages of one kind, as `search-index.js` lists them. */
export type Shelf = {
  readonly kind: string
  /** The beginning and end of their addresses, relative to the top of the site. */
  readonly pages: readonly [before: string, after: string]
  /** `page` is the middle of the address, empty if it equals the name; `more` is further text to search. */
  readonly rows: readonly (readonly [name: string, summary: string, more: string, page: string])[]
}

/** A search result. */
export type SearchResult = {
  readonly name: string
  readonly kind: string
  readonly summary: string
  /** The address relative to the top of the site. */
  readonly href: string
}

/** `eth_getBalance` matches itself, `eth`, `balance` and `getbalance`. */
export const words = (text: string): string[] =>
  (text.match(WORD) ?? []).flatMap((word) => {
    const parts = word
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
      .split(/[_-]+/)
      .filter((part) => part !== '')
    const whole = word.toLowerCase()
    const tail = parts.slice(1).join('')
    const all = [whole, ...parts, ...(parts.length > 2 ? [tail] : [])]
    return [...new Set(all.map((part) => part.toLowerCase()))]
  })

export const WORD = /-?[\p{L}\p{N}_]+/gu
