import { percent, plural } from '../conform-gaps.js'
import type { Judged } from '../judged.js'
import { html, type Markup } from './markup.js'

/** A bar for each kind of thing that the documents declare, which opens into what was not met. */
export const coverage = ({
  coverage: kinds,
}: Judged): Markup => html`<section aria-labelledby="coverage-title">
<h2 id="coverage-title">Met, of all that is declared</h2>
<div class="bars">${kinds.map(bar)}</div>
</section>`

const bar = ({ kind, declared, met }: Judged['coverage'][number]): Markup => {
  const part = met.length / declared.length
  const missed = declared.filter((name) => !met.includes(name))
  const line = html`<span class="kind">${plural(kind)}</span><span class="count"><b>${met.length}</b> of ${declared.length}</span>
<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${percent(part).trim()}"><rect class="track" width="100" height="8"/><rect class="fill" width="${(part * 100).toFixed(2)}" height="8"/></svg>`
  if (missed.length === 0) return html`<div class="card"><p class="line">${line}</p></div>`
  return html`<details class="card"><summary class="line">${line}<span class="more">${missed.length} not met</span></summary>
<ul class="names">${missed.map((name) => html`<li>${name}</li>`)}</ul></details>`
}
