/** What a reader chose for all pages of the origin; undefined where nothing was chosen or the browser keeps nothing. */
export const kept = (key: Key): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export const keep = (key: Key, value: string): void => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // It holds for this page then.
  }
}

type Key = 'twinspec-theme' | 'twinspec-language'
