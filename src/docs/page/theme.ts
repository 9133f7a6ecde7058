import { applyTheme, storedTheme } from './theme-choice.js'

// Before anything is painted, or dark mode would begin with a white flash.
document.documentElement.classList.add('script')
applyTheme(storedTheme())
