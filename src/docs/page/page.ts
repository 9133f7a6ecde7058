import { decodePercent } from '../../runtime/shared/template.js'
import { copyButtons } from './copy.js'
import { searchBox } from './search-box.js'
import {
  applyTheme,
  readSetting,
  storedTheme,
  storeSetting,
  storeTheme,
  THEMES,
} from './settings.js'
import { openTryForm } from './try-form.js'

/** On a narrow screen the sidebar is a drawer: the button opens it, and Escape, a link or a click outside closes it. */
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
    // Content under the drawer must not be reachable by Tab.
    content.inert = open
    const [first] = sidebar.getElementsByTagName('a')
    if (open) (sidebar.querySelector<HTMLElement>('a[aria-current]') ?? first)?.focus()
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

/** From this width, the sidebar is next to the content, as in the style sheet. */
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
showCurrent()

/** Scrolls the sidebar to the link of this page. `scrollIntoView` would scroll the page, too. */
function showCurrent(): void {
  const sidebar = document.getElementById('sidebar')
  const current = sidebar?.querySelector('[aria-current]')
  if (!sidebar || !current) return
  const [box, link] = [sidebar.getBoundingClientRect(), current.getBoundingClientRect()]
  sidebar.scrollTop += link.top - box.top - (box.height - link.height) / 2
}

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

/** Expands the collapsed parts that contain the target of the address. */
function unfoldTarget(): void {
  const target = document.getElementById(decodePercent(location.hash.slice(1)) ?? '')
  if (!target) return
  for (let at: Element | null = target; at; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true
  const inner = target.querySelector(':scope > details')
  if (inner instanceof HTMLDetailsElement) inner.open = true
  target.scrollIntoView()
}

/** Shows each sample in one language, and buttons that select the language for all samples of all pages. */
function languageButtons(): void {
  const samples = [...document.querySelectorAll('.code-samples')]
  const figures = document.querySelectorAll<HTMLElement>('[data-language]')
  const languages = [...new Set([...figures].map(({ dataset }) => dataset.language ?? ''))]
  const [first] = languages
  if (first === undefined) return
  const buttons = languages.map((language) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = language
    button.addEventListener('click', () => {
      storeSetting('twinspec-language', language)
      show(language)
    })
    return button
  })
  const show = (language: string) => {
    for (const [at, button] of buttons.entries())
      button.setAttribute('aria-pressed', String(languages[at] === language))
    for (const sample of samples) {
      const all = [...sample.querySelectorAll<HTMLElement>(':scope > figure')]
      // A sample that does not exist in this language is shown in the first one.
      const shown = all.find(({ dataset }) => dataset.language === language) ?? all[0]
      for (const figure of all) figure.hidden = figure !== shown
    }
  }
  const group = document.createElement('div')
  group.className = 'languages'
  group.setAttribute('role', 'group')
  group.ariaLabel = 'Language of the samples'
  group.append(...buttons)
  samples[0]?.closest('section')?.querySelector('h2')?.after(group)
  const stored = readSetting('twinspec-language')
  show(languages.find((one) => one === stored) ?? first)
}

/** Adds a link to every heading, parameter and property with an anchor. */
function placeLinks(): void {
  for (const place of document.querySelectorAll('article :is(h2, h3)[id], .tree li[id]')) {
    const line = place.matches('li') ? place.querySelector(':scope > .row') : place
    const link = document.createElement('a')
    link.className = 'place-link'
    link.href = `#${place.id}`
    link.textContent = '#'
    link.ariaLabel = `Link to ${line?.querySelector('.key')?.textContent ?? place.textContent}`
    // A summary is a button already, so it gets no link.
    if (!place.closest('summary')) line?.append(link)
  }
}

/** Adds a button to each section with collapsed parts that expands or collapses all of them. */
function expandButtons(): void {
  for (const section of document.querySelectorAll('article section:has(.tree details)')) {
    const heading = section.querySelector(':scope > h2')
    if (!heading) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'expand'
    let isOpen = false
    const show = () => {
      button.textContent = isOpen ? 'Collapse all' : 'Expand all'
    }
    button.addEventListener('click', () => {
      isOpen = !isOpen
      for (const one of section.querySelectorAll<HTMLDetailsElement>('.tree details'))
        one.open = isOpen
      show()
    })
    show()
    heading.after(button)
  }
}
