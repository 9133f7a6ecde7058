import { applyTheme, storedTheme } from './kept.js'

// Runs before the first paint, or dark mode would begin with a white flash.
document.documentElement.classList.add('script')
applyTheme(storedTheme())
