import { acceptanceLine } from '../../conform/report/baseline.js'
import {
  type ConformFinding,
  type FindingKind,
  foldFindings,
} from '../../conform/report/findings.js'
import { CONFORM_RULES } from '../../conform/rules.js'
import { type Html, html } from '../../docs/html.js'
import type { ConformResult } from '../conform-result.js'
import { inAYear } from '../in-a-year.js'
import { LEVELS } from '../levels.js'

/** All findings by their cause, the worst first, with what filters them; each opens into its proof and its places. */
export const findings = ({ findings: all, remarks, today }: ConformResult): Html => {
  const order = CONFORM_RULES.map(({ id }) => id)
  const sorted = foldFindings(all).toSorted(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      order.indexOf(a.first.rule) - order.indexOf(b.first.rule),
  )
  const items = remarks.map(
    ({ message, location }) =>
      html`<li>${message} <code>${location.file}:${location.line}</code></li>`,
  )
  const list =
    all.length === 0
      ? html`<p class="empty">Nothing was found that breaks the documents.</p>`
      : html`${filters(sorted)}
<div class="table">
<div class="columns" aria-hidden="true"><span>level</span><span>what is wrong</span><span>rule</span><span>operation</span></div>
${sorted.map((kind) => row(kind, inAYear(today)))}
</div>
<p class="empty" id="none" hidden>No finding is left by these filters.</p>`
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
${items.length === 0 ? undefined : html`<ul class="remarks">${items}</ul>`}
${list}
</section>`
}

const filters = (all: readonly FindingKind[]): Html => {
  const levels = LEVELS.map((level) => ({
    level,
    count: all.filter((one) => one.level === level).length,
  }))
  return html`<form class="filters" id="filters" hidden>
<label class="words">Words <input type="search" name="words" autocomplete="off" placeholder="id, gasUsed, 404 …"></label>
<label>Rule <select name="rule"><option value="">all rules</option>${options(all.map(({ first }) => first.rule))}</select></label>
<label>Operation <select name="operation"><option value="">all operations</option>${options(all.flatMap(subjectsOf))}</select></label>
<fieldset><legend>Levels</legend>${levels
    .filter(({ count }) => count > 0)
    .map(
      ({ level, count }) =>
        html`<label class="chip ${level}"><input type="checkbox" name="level" value="${level}" checked> ${level} <b>${count}</b></label>`,
    )}</fieldset>
<p class="shown"><output id="shown" aria-live="polite"></output> <button type="button" id="all">Open all</button></p>
</form>`
}

const options = (names: readonly string[]): readonly Html[] =>
  [...new Set(names)].sort().map((name) => {
    const count = names.filter((one) => one === name).length
    return html`<option value="${name}">${name} (${count})</option>`
  })

const subjectOf = ({ operations: [name = 'the protocol'] = [] }: ConformFinding): string => name

const subjectsOf = ({ findings }: FindingKind): readonly string[] => [
  ...new Set(findings.map(subjectOf)),
]

const row = (kind: FindingKind, until: string): Html => {
  const { first: finding, findings: all } = kind
  const subjects = subjectsOf(kind)
  const others = all.filter((one) => one !== finding)
  const { level, rule, problem, count, location, clause, identity, due, shown } = finding
  const subject = subjectOf(finding)
  const purpose = CONFORM_RULES.find(({ id }) => id === rule)?.purpose
  return html`<details class="row" data-level="${level}" data-rule="${rule}" data-operation="${JSON.stringify(subjects)}">
<summary><span class="level ${level}">${level}</span><span class="said">${problem}${count > 1 ? html` <small>${count} times</small>` : undefined}</span><span class="rule">${rule}</span><span class="operation">${subject}${others.length > 0 ? html` <small>and ${others.length} more ${others.length === 1 ? 'place' : 'places'}</small>` : undefined}</span></summary>
<div class="proof">
<p class="clause">${purpose} <cite>${clause}</cite> <code>${location.file}:${location.line}:${location.column}</code></p>
<dl>
<dt>request</dt><dd><pre tabindex="0">${shown.request}</pre></dd>
<dt>received</dt><dd><pre tabindex="0" class="came">${shown.answer}</pre></dd>
<dt>expected</dt><dd><pre tabindex="0" class="due">${due}</pre></dd>
<dt>reproduce</dt><dd class="copied"><pre tabindex="0">${shown.curl}</pre><button type="button" class="copy">Copy</button></dd>
<dt>accept</dt><dd class="copied"><pre tabindex="0">${acceptanceLine(identity, until)}</pre><button type="button" class="copy">Copy</button></dd>
${others.length === 0 ? undefined : html`<dt>also in</dt><dd><ul class="names">${others.map((one) => html`<li>${one.message} <code>${one.identity}</code></li>`)}</ul></dd>`}
</dl>
</div>
</details>
`
}
