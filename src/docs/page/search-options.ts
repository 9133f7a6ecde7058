/** How texts are indexed when the site is written, and looked for in a browser: both must do the same. */
export const SEARCH = {
  fields: ['name', 'said', 'text'],
  storeFields: ['name', 'kind', 'said', 'href'],
  tokenize: (text: string): string[] => words(text),
  processTerm: (term: string): string => term,
  searchOptions: {
    prefix: true,
    fuzzy: (term: string): number => (term.length > 4 ? 0.2 : 0),
    boost: { name: 6, said: 2 },
    combineWith: 'AND' as const,
  },
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
  (text.match(/-?[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
      .split(/[_-]+/)
      .filter((part) => part !== '')
    const whole = word.toLowerCase()
    const tail = parts.slice(1).join('')
    const all = [whole, ...parts, ...(parts.length > 2 ? [tail] : [])]
    return [...new Set(all.map((part) => part.toLowerCase()))]
  })
