import { applyTheme, storedTheme } from './kept.js'

// Before anything is painted, or dark mode would begin with a white flash.
document.documentElement.classList.add('script')
applyTheme(storedTheme())
