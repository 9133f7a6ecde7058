import { type Html, html } from '../../docs/html.js'
import type { ConformResult } from '../conform-result.js'

/** What was not tried, by why: it is never told as passed. */
export const notTested = ({ notTested: all }: ConformResult): Html => {
  if (all.length === 0) return html``
  const groups = all
    .toSorted(
      (a, b) =>
        Number(b.isPart ?? false) - Number(a.isPart ?? false) || b.what.length - a.what.length,
    )
    .map(
      ({ what, why }) => html`<details class="gap"><summary><b>${what.length}</b> ${why}</summary>
<ul class="names">${what.map((name) => html`<li>${name}</li>`)}</ul></details>
`,
    )
  return html`<section aria-labelledby="gaps-title">
<h2 id="gaps-title">Not tested</h2>
${groups}
</section>`
}

/** Which way the server goes wherever a clause leaves it the choice. */
export const choices = ({ choices: all }: ConformResult): Html => {
  const told = Object.entries(all)
  if (told.length === 0) return html``
  return html`<section aria-labelledby="choices-title">
<h2 id="choices-title">Its choices, where a clause leaves one</h2>
<details class="gap"><summary><b>${told.length}</b> choices were seen</summary>
<table><thead><tr><th scope="col">choice</th><th scope="col">way</th></tr></thead>
<tbody>${told.map(([choice, way]) => html`<tr><td>${choice}</td><td><code>${way}</code></td></tr>`)}</tbody></table></details>
</section>`
}
