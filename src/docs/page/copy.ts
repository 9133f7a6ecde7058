/** Shows the copy buttons of code blocks. */
export function copyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const code = button.closest('figure')?.querySelector('code')
    button.hidden = false
    copyOnClick(button, {
      text: () => code?.textContent ?? '',
      select: () => code && getSelection()?.selectAllChildren(code),
    })
  }
}

/** Makes a button copy a text and show a confirmation for a short time. */
export function copyOnClick(button: HTMLButtonElement, { text, select, words }: Copying): void {
  const usual = button.textContent
  button.addEventListener('click', async () => {
    const copy = await text()
    if (copy === undefined) return
    const isCopied = await copied(copy)
    if (!isCopied) select(copy)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = words?.() ?? usual
    }, SHOWN)
  })
}

export type Copying = {
  readonly text: () => string | undefined | Promise<string | undefined>
  /** Selects the text on the page if the browser denies access to the clipboard. */
  readonly select: (text: string) => void
  /** The words of the button, if they change. */
  readonly words?: () => string
}

/** Milliseconds. */
const SHOWN = 2000

/** False if the browser denies access to the clipboard. */
const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
