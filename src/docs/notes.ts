import type { Operation } from '../model/api.js'
import { securityWords } from '../model/credentials.js'
import { limitWords } from '../model/extensions.js'
import { type Html, html, type Printable } from './html.js'
import { proseLine } from './prose.js'

/** What is left open in this place, and what was assumed there. */
export function unknownNote(notShown: unknown, assumption: unknown): Html | undefined {
  if (typeof notShown !== 'string') return undefined
  const assumed =
    typeof assumption === 'string'
      ? html`<p><strong>Assumed:</strong> ${proseLine(assumption)} No promise rests on it.</p>`
      : undefined
  return html`<div class="note unknown" role="note"><p><strong>Not shown:</strong> ${proseLine(notShown)}</p>${assumed}</div>`
}

/** Says which values of a sample no example of the document shows. */
export function sampleNote(names: readonly string[]): Printable {
  if (names.length === 0) return undefined
  const [last = '', ...others] = [...names].reverse()
  const all = others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last
  return html`<p class="made-up">Made up, as the document shows no example: ${all}.</p>`
}

/** What is promised of an operation beside its shapes: stability, key, repetition, limits. */
export function promises(operation: Operation): Printable {
  const { stability, access, idempotent, limits } = operation
  const marks = [
    stability && html`<li class="mark stability-${stability}">${STABILITY[stability]}</li>`,
    securityWords(operation) && html`<li class="mark">${securityWords(operation)}</li>`,
    access && html`<li class="mark">${access === 'key' ? 'needs a key' : 'public, no key'}</li>`,
    idempotent && html`<li class="mark">may be repeated</li>`,
    limitWords(limits) && html`<li class="mark">${limitWords(limits)}</li>`,
  ].filter(Boolean)
  return marks.length > 0 && html`<ul class="marks" aria-label="Promises">${marks}</ul>`
}

export function deprecation({ deprecated, sunset }: Operation): Printable {
  if (!deprecated) return undefined
  const end = sunset ? html` It ends on <time datetime="${sunset}">${sunset}</time>.` : undefined
  return html`<div class="note deprecated" role="note"><p><strong>Deprecated.</strong> New code should not use it.${end}</p></div>`
}

export const STABILITY = {
  draft: 'draft',
  alpha: 'alpha, experimental',
  beta: 'beta',
  stable: 'stable',
} as const
