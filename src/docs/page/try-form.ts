import { decodePercent } from '../../runtime/shared/template.js'
import { loadScript } from './load-script.js'
import type { TryData } from './try/data.js'

declare global {
  /** Defined by the data script of the page's operation. */
  var twinspecTryData: TryData | undefined
  /** Defined by `try-it.js`. */
  var twinspecOpenTry: OpenTry | undefined
}

export type OpenTry = (place: HTMLElement, data: TryData) => OpenForm

/** The open form. It is filled from an example by its index, or from the data in a link. */
export type OpenForm = {
  readonly fill: (at: number) => void
  readonly fillFrom: (text: string) => void
}

/** Opens the try-it when the button is pressed or an address requests it; only then are its scripts loaded. */
export function openTryForm(): void {
  const section = document.querySelector<HTMLElement>('section.try')
  const button = section?.querySelector<HTMLButtonElement>('button.open-try')
  const place = section?.querySelector<HTMLElement>('#try-form')
  if (!section?.dataset.try || !button || !place) return
  const src = section.dataset.try
  const up = document.documentElement.dataset.up ?? ''
  let opened: Promise<OpenForm> | undefined

  const load = async (): Promise<OpenForm> => {
    await Promise.all([loadScript(src), loadScript(`${up}try-it.js`)])
    const { twinspecOpenTry: open, twinspecTryData: data } = globalThis
    if (!open || !data) throw new Error('the scripts of the try-it leave nothing behind')
    place.replaceChildren()
    return open(place, data)
  }
  const open = async (): Promise<OpenForm | undefined> => {
    opened ??= load()
    try {
      const form = await opened
      button.hidden = true
      button.setAttribute('aria-expanded', 'true')
      return form
    } catch {
      opened = undefined
      place.textContent = 'The form could not be loaded: its script is not where the page is.'
      return undefined
    }
  }
  const obey = async () => {
    const [, kind, text = ''] = /^#try(--|=|$)(.*)/s.exec(location.hash) ?? []
    if (kind === undefined) return
    const form = await open()
    if (kind === '=') form?.fillFrom(text)
    const link = document.getElementById(decodePercent(location.hash.slice(1)) ?? '')
    if (kind === '--' && link?.dataset.at) form?.fill(Number(link.dataset.at))
    section.scrollIntoView()
    if (kind !== '') place.querySelector<HTMLElement>('button.send')?.focus({ preventScroll: true })
  }

  button.addEventListener('click', async () => {
    if (await open()) place.querySelector<HTMLElement>('select, input, textarea')?.focus()
  })
  // A link to the current address triggers no `hashchange` event.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.try-link a') : null
    if (link && link.hash === location.hash) void obey()
  })
  addEventListener('hashchange', () => void obey())
  void obey()
}
