import { acceptanceLine } from '../../conform/report/baseline.js'
import type { ConformFinding } from '../../conform/report/findings.js'
import { CONFORM_RULES } from '../../conform/rules.js'
import { inAYear } from '../in-a-year.js'
import type { Judged } from '../judged.js'
import { LEVELS } from '../levels.js'
import { html, type Markup } from './markup.js'

/** All findings, the worst first, with what filters them; each opens into its proof. */
export const findings = ({ findings: all, remarks, today }: Judged): Markup => {
  const order = CONFORM_RULES.map(({ id }) => id)
  const sorted = all.toSorted(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      order.indexOf(a.rule) - order.indexOf(b.rule),
  )
  const told = remarks.map(
    ({ message, location }) =>
      html`<li>${message} <code>${location.file}:${location.line}</code></li>`,
  )
  const list =
    all.length === 0
      ? html`<p class="empty">Nothing was found that breaks the documents.</p>`
      : html`${filters(sorted)}
<div class="table">
<div class="columns" aria-hidden="true"><span>level</span><span>what is wrong</span><span>rule</span><span>operation</span></div>
${sorted.map((finding) => row(finding, inAYear(today)))}
</div>
<p class="empty" id="none" hidden>No finding is left by these filters.</p>`
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
${told.length === 0 ? undefined : html`<ul class="remarks">${told}</ul>`}
${list}
</section>`
}

const filters = (all: readonly ConformFinding[]): Markup => {
  const levels = LEVELS.map((level) => ({
    level,
    count: all.filter((one) => one.level === level).length,
  }))
  return html`<form class="filters" id="filters" hidden>
<label class="words">Words <input type="search" name="words" autocomplete="off" placeholder="id, gasUsed, 404 …"></label>
<label>Rule <select name="rule"><option value="">all rules</option>${options(all.map(({ rule }) => rule))}</select></label>
<label>Operation <select name="operation"><option value="">all operations</option>${options(all.map(subjectOf))}</select></label>
<fieldset><legend>Levels</legend>${levels
    .filter(({ count }) => count > 0)
    .map(
      ({ level, count }) =>
        html`<label class="chip ${level}"><input type="checkbox" name="level" value="${level}" checked> ${level} <b>${count}</b></label>`,
    )}</fieldset>
<p class="shown"><output id="shown" aria-live="polite"></output> <button type="button" id="all">Open all</button></p>
</form>`
}

const options = (names: readonly string[]): readonly Markup[] =>
  [...new Set(names)].sort().map((name) => {
    const count = names.filter((one) => one === name).length
    return html`<option value="${name}">${name} (${count})</option>`
  })

const subjectOf = ({ operations: [name = 'the protocol'] = [] }: ConformFinding): string => name

const row = (finding: ConformFinding, until: string): Markup => {
  const { level, rule, message, count, location, clause, identity, due, shown } = finding
  const subject = subjectOf(finding)
  const purpose = CONFORM_RULES.find(({ id }) => id === rule)?.purpose
  const said = message.startsWith(`${subject}: `) ? message.slice(subject.length + 2) : message
  return html`<details class="row" data-level="${level}" data-rule="${rule}" data-operation="${subject}">
<summary><span class="level ${level}">${level}</span><span class="said">${said}${count > 1 ? html` <small>${count} times</small>` : undefined}</span><span class="rule">${rule}</span><span class="operation">${subject}</span></summary>
<div class="proof">
<p class="clause">${purpose} <cite>${clause}</cite> <code>${location.file}:${location.line}:${location.column}</code></p>
<dl>
<dt>sent</dt><dd><pre tabindex="0">${shown.request}</pre></dd>
<dt>came</dt><dd><pre tabindex="0" class="came">${shown.answer}</pre></dd>
<dt>was due</dt><dd><pre tabindex="0" class="due">${due}</pre></dd>
<dt>again</dt><dd class="copied"><pre tabindex="0">${shown.curl}</pre><button type="button" class="copy">Copy</button></dd>
<dt>accept</dt><dd class="copied"><pre tabindex="0">${acceptanceLine(identity, until)}</pre><button type="button" class="copy">Copy</button></dd>
</dl>
</div>
</details>
`
}
