import { applyTheme, storedTheme } from './settings.js'

// Runs before the first paint, or dark mode would begin with a white flash.
document.documentElement.classList.add('script')
applyTheme(storedTheme())
