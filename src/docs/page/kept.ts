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

/** `auto` is what the reader's system says. */
export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

export const applyTheme = (theme: Theme): void => {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export const storedTheme = (): Theme => {
  const stored = kept('twinspec-theme')
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

export const storeTheme = (theme: Theme): void => keep('twinspec-theme', theme)
