import { keep, kept } from './kept.js'

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
