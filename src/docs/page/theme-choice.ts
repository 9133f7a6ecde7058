/** `auto` is what the reader's system says. */
export const THEMES = ['auto', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

export const applyTheme = (theme: Theme): void => {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** What was chosen last; a browser that keeps nothing for a page of a disk, or for nobody, says `auto`. */
export const storedTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === stored) ?? 'auto'
  } catch {
    return 'auto'
  }
}

export const storeTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // It holds for this page then.
  }
}

const KEY = 'twinspec-theme'
