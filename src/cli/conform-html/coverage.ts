import { type Html, html } from '../../docs/html.js'
import { percent, plural } from '../conform-gaps.js'
import type { ConformResult } from '../conform-result.js'

/** A bar for each kind of thing that the documents declare, which opens into what was never covered, and both lists by name. */
export const coverage = ({
  coverage: kinds,
  notOffered,
  inferred,
}: ConformResult): Html => html`<section aria-labelledby="coverage-title">
<h2 id="coverage-title">Covered, of all that is declared</h2>
<div class="bars">${kinds.map(bar)}</div>
${list('Operations that the server does not offer', notOffered)}
${list(
  'Values taken from responses',
  inferred.map(({ operation, parameter, from }) => `${operation}: ${parameter} from ${from}`),
)}
</section>`

const list = (title: string, names: readonly string[]): Html | undefined =>
  names.length === 0
    ? undefined
    : html`<details class="gap" open><summary><b>${names.length}</b> ${title}</summary>
<ul class="names">${names.map((name) => html`<li>${name}</li>`)}</ul></details>`

const bar = ({ kind, declared, met }: ConformResult['coverage'][number]): Html => {
  const part = met.length / declared.length
  const missed = declared.filter((name) => !met.includes(name))
  const line = html`<span class="kind">${plural(kind)}</span><span class="count"><b>${met.length}</b> of ${declared.length}</span>
<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${percent(part).trim()}"><rect class="track" width="100" height="8"/><rect class="fill" width="${(part * 100).toFixed(2)}" height="8"/></svg>`
  if (missed.length === 0) return html`<div class="card"><p class="line">${line}</p></div>`
  return html`<details class="card"${kind === 'operation' ? html` open` : undefined}><summary class="line">${line}<span class="more">${missed.length} never covered</span></summary>
<ul class="names">${missed.map((name) => html`<li>${name}</li>`)}</ul></details>`
}
