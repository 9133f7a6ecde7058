/** Shows the buttons that copy a block of code. */
export function copyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const text = button.closest('figure')?.querySelector('code')?.textContent ?? ''
      button.textContent = (await copied(text)) ? 'Copied' : 'Press Ctrl+C'
      if (button.textContent !== 'Copied') select(button)
      setTimeout(() => {
        button.textContent = 'Copy'
      }, SHOWN)
    })
  }
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

const select = (button: HTMLButtonElement): void => {
  const code = button.closest('figure')?.querySelector('code')
  if (code) getSelection()?.selectAllChildren(code)
}
