/** Pages of one kind, as `search-index.js` tells them. */
export type Shelf = {
  readonly kind: string
  /** What their addresses begin and end with, from the top of the site. */
  readonly pages: readonly [before: string, after: string]
  /** The middle of the address is left empty where it is the name; `more` is what else is looked in. */
  readonly rows: readonly (readonly [name: string, said: string, more: string, page: string])[]
}

/** What a result shows. */
export type Found = {
  readonly name: string
  readonly kind: string
  readonly said: string
  /** From the top of the site. */
  readonly href: string
}

/** `eth_getBalance` is found by itself, by `eth`, by `balance` and by `getbalance`. */
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
