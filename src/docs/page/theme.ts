import { applyTheme, storedTheme } from './theme-choice.js'

// Before anything is painted, or a dark room would see a white flash.
document.documentElement.classList.add('script')
applyTheme(storedTheme())
