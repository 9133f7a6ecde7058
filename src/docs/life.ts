import type { Operation } from '../model/api.js'
import { dayOf } from '../model/day.js'
import { successorOf } from '../model/successor.js'
import { type Html, html, type Printable } from './html.js'
import { STABILITY } from './notes.js'
import { operationLink, type Page } from './site.js'

/** The life of an operation that is deprecated or ends: its stability, since when, until when, and what to call instead. */
export function life(page: Page, operation: Operation): Printable {
  const { deprecated, deprecatedAt, sunset, stability } = operation
  if (!deprecated && deprecatedAt === undefined && sunset === undefined) return undefined
  const lead = deprecated
    ? html`<strong>Deprecated.</strong> New code should not use it.`
    : html`<strong>${sunset === undefined ? 'It will be deprecated.' : 'It will end.'}</strong>`
  const steps = [
    stability && html`<li>Stability: ${STABILITY[stability]}</li>`,
    deprecatedAt && html`<li>Deprecated since ${day(deprecatedAt)}</li>`,
    sunset && html`<li>Ends on ${day(sunset)}</li>`,
  ].filter(Boolean)
  const hasDates = deprecatedAt !== undefined || sunset !== undefined
  const timeline =
    hasDates && html`<ol class="timeline" aria-label="Life of the operation">${steps}</ol>`
  return html`<div class="note deprecated" role="note"><p>${lead}${instead(page, operation)}</p>${timeline}</div>`
}

const day = (written: string): Printable =>
  dayOf(written) === undefined ? written : html`<time datetime="${written}">${written}</time>`

function instead(page: Page, operation: Operation): Html | undefined {
  const successor = successorOf(operation, page.site.api)
  if (successor === undefined) return undefined
  const link =
    'url' in successor
      ? html`<a href="${successor.url}">${successor.url}</a>`
      : operationLink(page, successor.operation)
  return html` Use ${link} instead.`
}
