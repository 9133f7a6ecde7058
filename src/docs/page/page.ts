import { copyButtons } from './copy.js'
import { drawer } from './drawer.js'
import { searchBox } from './search-box.js'
import { applyTheme, storedTheme, storeTheme, THEMES } from './theme-choice.js'
import { openTryForm } from './try-form.js'

themeButton()
drawer()
copyButtons()
searchBox()
openTryForm()
addEventListener('hashchange', unfoldTarget)
unfoldTarget()
document.querySelector('#sidebar [aria-current]')?.scrollIntoView({ block: 'center' })

function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme')
  if (!button) return
  let theme = storedTheme()
  const show = () => {
    button.textContent = `Theme: ${theme}`
  }
  show()
  button.hidden = false
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    applyTheme(theme)
    storeTheme(theme)
    show()
  })
}

/** What an address names may stand in something folded. */
function unfoldTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  for (let at: Element | null = target; at; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true
  const inner = target.querySelector(':scope > details')
  if (inner instanceof HTMLDetailsElement) inner.open = true
  target.scrollIntoView()
}
