import { element } from './element.js'
import { faultList } from './fault-list.js'
import type { Complaint } from './wire.js'

/** Why nothing was sent: read aloud, and marked at the fields that it is about. */
export function complaintList(
  controlOf: (field: string) => HTMLElement | undefined,
): ComplaintList {
  const part = element('div', { id: 'try-complaints', role: 'alert' })
  let marked: readonly HTMLElement[] = []
  return {
    part,
    tell: (complaints) => {
      for (const control of marked) {
        control.removeAttribute('aria-invalid')
        control.removeAttribute('aria-errormessage')
      }
      marked = complaints.flatMap(({ field }) => controlOf(field) ?? [])
      for (const control of marked) {
        control.setAttribute('aria-invalid', 'true')
        control.setAttribute('aria-errormessage', part.id)
      }
      if (complaints.length === 0) return part.replaceChildren()
      part.replaceChildren(
        element('p', {}, element('strong', {}, 'Not sent.'), ' This does not fit the document:'),
        faultList(complaints),
      )
    },
  }
}

export type ComplaintList = {
  readonly part: HTMLElement
  /** In place of what was told before; nothing where there are none. */
  readonly tell: (complaints: readonly Complaint[]) => void
}
