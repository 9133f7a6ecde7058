/**
 * What was made of the same thing before, for callers that make it again and again, as `generate --watch` does. Of each
 * `what` the last is kept; `of` is all that the making depends on, to the letter. What was made is shared, and nobody
 * may write into it.
 */
export type Memory = <T>(what: string, of: () => string, make: () => T) => T

/** Makes everything again and keeps nothing. */
export const noCache: Memory = (_what, _of, make) => make()

export const createCache = (): Memory => {
  const kept = new Map<string, { readonly of: string; readonly made: unknown }>()
  return <T>(what: string, of: () => string, make: () => T): T => {
    const text = of()
    const known = kept.get(what)
    if (known?.of === text) return known.made as T
    kept.delete(what)
    const made = make()
    kept.set(what, { of: text, made })
    // Its callers get the failure; here it is only not to be given again.
    if (made instanceof Promise) made.catch(() => kept.delete(what))
    return made
  }
}
