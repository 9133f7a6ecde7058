import { loadScript } from './load-script.js'
import type { SearchResult } from './search-shelves.js'

declare global {
  /** Defined by `search.js`. */
  var twinspecFind: ((query: string) => readonly SearchResult[]) | undefined
}

/** The search: `/` focuses it, arrows select, Enter opens, Escape leaves. Its index is loaded when it first gets the focus. */
export function searchBox(): void {
  const box = document.querySelector<HTMLElement>('.search')
  const input = box?.querySelector('input')
  const list = box?.querySelector<HTMLElement>('[role=listbox]')
  const status = box?.querySelector('[role=status]')
  if (!box || !input || !list || !status) return
  box.hidden = false
  const up = document.documentElement.dataset.up ?? ''
  let loading: Promise<unknown> | undefined
  let chosen = -1

  const load = () => {
    loading ??= loadScript(`${up}search-index.js`).then(() => loadScript(`${up}search.js`))
    return loading
  }
  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')]
  const choose = (at: number) => {
    const all = options()
    chosen = all.length === 0 ? -1 : (at + all.length) % all.length
    for (const [index, option] of all.entries())
      option.setAttribute('aria-selected', String(index === chosen))
    const current = all[chosen]
    if (current) input.setAttribute('aria-activedescendant', current.id)
    else input.removeAttribute('aria-activedescendant')
    current?.scrollIntoView({ block: 'nearest' })
  }
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    choose(-1)
  }
  const show = async () => {
    const query = input.value.trim()
    if (query === '') {
      status.textContent = ''
      list.replaceChildren()
      return close()
    }
    try {
      await load()
    } catch {
      loading = undefined
      status.textContent = 'The search could not be loaded.'
      return
    }
    if (input.value.trim() !== query) return
    const found = globalThis.twinspecFind?.(query) ?? []
    list.replaceChildren(...found.map((one, at) => option(one, at, up)))
    status.textContent = found.length === 0 ? `Nothing was found for “${query}”.` : summary(found)
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    choose(found.length > 0 ? 0 : -1)
  }

  input.addEventListener('focus', () => void load().catch(() => undefined))
  input.addEventListener('input', () => void show())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') options()[chosen]?.click()
    else if (event.key === 'Escape') {
      if (list.hidden) input.blur()
      input.value = ''
      void show()
    } else return
    event.preventDefault()
  })
  list.addEventListener('click', ({ target }) => {
    const href = target instanceof Element ? target.closest<HTMLElement>('[data-href]') : null
    if (!href?.dataset.href) return
    close()
    input.blur()
    location.href = href.dataset.href
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

const summary = (found: readonly SearchResult[]): string =>
  found.length === 1 ? 'One result.' : `${found.length} results.`

function option({ name, kind, summary, href }: SearchResult, at: number, up: string): HTMLElement {
  const element = document.createElement('div')
  element.id = `result-${at}`
  element.setAttribute('role', 'option')
  element.setAttribute('aria-selected', 'false')
  element.dataset.href = up + href
  for (const [tag, text, name_] of [
    ['span', kind, 'kind'],
    ['strong', name, 'name'],
    ['span', summary, 'summary'],
  ] as const) {
    const part = document.createElement(tag)
    part.className = name_
    part.textContent = text
    element.append(part, ' ')
  }
  return element
}
