import { copyButtons } from './copy.js'
import { languageButtons } from './languages.js'
import { expandButtons, placeLinks } from './reading.js'
import { searchBox } from './search-box.js'
import { applyTheme, storedTheme, storeTheme, THEMES } from './theme-choice.js'
import { openTryForm } from './try-form.js'

/** On a narrow screen the sidebar is a drawer: the button opens it, Escape, a link or a click beside it closes it. */
function drawer(): void {
  const button = document.querySelector<HTMLButtonElement>('button.menu')
  const sidebar = document.getElementById('sidebar')
  const content = document.getElementById('content')
  if (!button || !sidebar || !content) return
  button.hidden = false
  const isOpen = () => button.getAttribute('aria-expanded') === 'true'
  const show = (open: boolean) => {
    button.setAttribute('aria-expanded', String(open))
    document.documentElement.classList.toggle('drawer', open)
    // What lies under the drawer is not to be reached by Tab.
    content.inert = open
    if (open) sidebar.querySelector<HTMLElement>('a')?.focus()
  }
  button.addEventListener('click', () => show(!isOpen()))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    show(false)
    button.focus()
  })
  document.addEventListener('click', ({ target }) => {
    if (!isOpen() || !(target instanceof Element) || target.closest('button.menu')) return
    if (!target.closest('#sidebar') || target.closest('#sidebar a')) show(false)
  })
  matchMedia(WIDE).addEventListener('change', ({ matches }) => {
    if (matches && isOpen()) show(false)
  })
}

/** From here on, the sidebar is beside the content: as the style sheet has it. */
const WIDE = '(min-width: 60rem)'

themeButton()
drawer()
copyButtons()
languageButtons()
placeLinks()
expandButtons()
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
