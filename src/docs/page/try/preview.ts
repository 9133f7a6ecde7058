import { element } from './element.js'
import { exactCurl } from './exact-curl.js'
import type { Wire } from './wire.js'

/** The request as lines of curl, folded: what would go out, for whoever wants to look before. */
export function requestPreview(): Preview {
  const code = element('code', { class: 'sh' })
  const figure = element(
    'figure',
    { class: 'code' },
    element('pre', { tabindex: '0', role: 'group', 'aria-label': TITLE }, code),
  )
  const part = element('details', { class: 'request' }, element('summary', {}, TITLE), figure)
  return {
    part,
    show: (wire, secrets) => {
      code.textContent = wire
        ? masked(exactCurl(wire), secrets)
        : 'What has to stand in the path is missing.'
    },
    select: (text) => {
      part.open = true
      code.textContent = text
      getSelection()?.selectAllChildren(code)
    },
  }
}

export type Preview = {
  readonly part: HTMLElement
  /** Shows a request, or that there is none yet, and none of the secrets. */
  readonly show: (wire: Wire | undefined, secrets: readonly string[]) => void
  /** Shows a text as it is, secrets too, for a reader to copy by hand. */
  readonly select: (text: string) => void
}

const TITLE = 'The request, as curl'

const masked = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((shown, secret) => shown.replaceAll(secret, '•••'), text)
    // A user and a password are written together, and look like neither.
    .replace(/(-H 'authorization: \w+ )[^']*/i, '$1•••')
