/** Shows the buttons that copy a block of code. */
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

/** Has a button copy a text and say that it did, for a while, in place of its own words. */
export function copyOnClick(button: HTMLButtonElement, { text, select }: Copying): void {
  const words = button.textContent
  button.addEventListener('click', async () => {
    const copy = await text()
    if (copy === undefined) return
    const isCopied = await copied(copy)
    if (!isCopied) select(copy)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = words
    }, SHOWN)
  })
}

export type Copying = {
  readonly text: () => string | undefined | Promise<string | undefined>
  /** Marks the text on the page, where the browser lets no page write to the clipboard. */
  readonly select: (text: string) => void
}

/** Milliseconds. */
const SHOWN = 2000

/** False where the browser does not let a page write to the clipboard. */
const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
