import { keep, kept } from './kept.js'

/** Shows each sample in one language, and buttons that choose it for all samples of all pages. */
export function languageButtons(): void {
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
      keep('twinspec-language', language)
      show(language)
    })
    return button
  })
  const show = (language: string) => {
    for (const [at, button] of buttons.entries())
      button.setAttribute('aria-pressed', String(languages[at] === language))
    for (const sample of samples) {
      const all = [...sample.querySelectorAll<HTMLElement>(':scope > figure')]
      // A call that cannot be shown in one language is in the next.
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
  const stored = kept('twinspec-language')
  show(languages.find((one) => one === stored) ?? first)
}
