/** On a narrow screen the sidebar is a drawer: the button opens it, Escape, a link or a click beside it closes it. */
export function drawer(): void {
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

/** From here on, the sidebar stands beside the content: as the style sheet has it. */
const WIDE = '(min-width: 60rem)'
