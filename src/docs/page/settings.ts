/** A setting for all pages of the origin; undefined if none was stored or the browser stores nothing. */
export const readSetting = (key: Key): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export const storeSetting = (key: Key, value: string): void => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The setting then applies to this page only.
  }
}

type Key = 'twinspec-theme' | 'twinspec-language'

/** `auto` follows the setting of the reader's system. */
export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

export const applyTheme = (theme: Theme): void => {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export const storedTheme = (): Theme => {
  const stored = readSetting('twinspec-theme')
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

export const storeTheme = (theme: Theme): void => storeSetting('twinspec-theme', theme)
