import { element } from './element.js'

/** What a reader can do with a request, in a row. */
export function sendButtons(): SendButtons {
  const send = button('send', 'Send', 'submit')
  const anyway = button('anyway', 'Send it anyway')
  const stop = button('stop', 'Stop')
  const curl = button('curl', 'Copy as curl')
  const link = button('link', 'Copy link')
  anyway.hidden = true
  stop.hidden = true
  return {
    part: element('p', { class: 'buttons' }, send, anyway, stop, curl, link),
    anyway,
    stop,
    curl,
    link,
    setRunning: (is) => {
      const wasFocused = [send, anyway, stop].some((one) => one === document.activeElement)
      send.disabled = is
      stop.hidden = !is
      // What is hidden or disabled would leave the keyboard nowhere.
      if (wasFocused) (is ? stop : send).focus()
    },
  }
}

export type SendButtons = {
  readonly part: HTMLElement
  /** Hidden until something was held back that could go out all the same. */
  readonly anyway: HTMLButtonElement
  readonly stop: HTMLButtonElement
  readonly curl: HTMLButtonElement
  readonly link: HTMLButtonElement
  readonly setRunning: (is: boolean) => void
}

const button = (name: string, words: string, type = 'button') =>
  element('button', { type, class: name }, words)
