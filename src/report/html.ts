import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Html, html, trusted } from '../text/html.js'
import { details } from './details.js'
import { type FindingKind, foldFindings } from './fold.js'
import { isFailing, LEVELS } from './levels.js'
import type {
  CheckReport,
  CoverageSection,
  ReportFormat,
  ReportSection,
  ReportSetting,
  TableSection,
} from './report.js'
import { percent, plural } from './sections.js'

/**
 * One page without outside requests. Its style and script are in it, and its policy allows only these two, by their digests.
 */
export const htmlReport: ReportFormat = (report, setting) => {
  const { command, subject, sections } = report
  const [style, script] = [beside('page.css'), beside('page.js')]
  const policy = `default-src 'none'; style-src '${digest(style)}'; script-src '${digest(script)}'; base-uri 'none'; form-action 'none'`
  const { version = '' } = setting
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="twinspec ${version}">
<title>twinspec ${command}: ${subject}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
${head(report)}
<main>
${sections.filter(({ isOverview }) => isOverview).map(sectionPart)}
${findingsPart(report, setting)}
${sections.filter(({ isOverview }) => !isOverview).map(sectionPart)}
</main>
<footer>twinspec ${version}, ${command}. Keys are not in this page: set <code>KEY</code> before you run a line of curl.</footer>
<script>${trusted(script)}</script>
</body>
</html>
`
  return text
}

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const digest = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`

/** What was checked, and the result. */
const head = ({
  subject,
  findings,
  verdict,
  summary,
  facts,
  failOn,
  inconclusive,
}: CheckReport): Html => {
  const kinds = foldFindings(findings)
  const count = (level: string) => kinds.filter(({ first }) => first.level === level).length
  const isBad = inconclusive !== undefined || findings.some((one) => isFailing(one, failOn))
  const state = isBad || count('error') > 0 ? 'error' : count('warning') > 0 ? 'warning' : 'good'
  const counts = LEVELS.map((level) => {
    const own = count(level)
    return html`<li class="${level}"><b>${own}</b> ${level}${own === 1 ? '' : 's'}</li>
`
  })
  return html`<header class="${state}">
<h1>${verdict}</h1>
<p>${inconclusive ?? summary}</p>
<p class="subject">${subject}</p>
<ul class="counts">
${counts}</ul>
<dl class="facts">${Object.entries(facts).map(([name, value]) => html`<div><dt>${name}</dt><dd>${typeof value === 'number' ? value.toLocaleString('en') : value}</dd></div>`)}</dl>
</header>`
}

const sectionPart = (section: ReportSection): Html | undefined => {
  const id = `${section.name}-title`
  const content = contentOf(section)
  if (content === undefined) return undefined
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${section.title[0]?.toUpperCase()}${section.title.slice(1)}</h2>
${content}
</section>
`
}

const contentOf = (section: ReportSection): Html | undefined => {
  switch (section.kind) {
    case 'list':
      return section.items.length === 0 ? undefined : group(section.title, section.items)
    case 'reasons':
      return section.groups.length === 0
        ? undefined
        : html`${section.groups.map(({ what, why }) => group(why, what))}`
    case 'coverage':
      return html`<div class="bars">${section.rows.map(bar)}</div>`
    case 'table':
      return section.rows.length === 0 ? undefined : table(section)
  }
}

const group = (title: string, items: readonly string[]): Html =>
  html`<details class="gap"><summary><b>${items.length}</b> ${title}</summary>
<ul class="names">${items.map((name) => html`<li>${name}</li>`)}</ul></details>
`

/** A bar for each kind of declared item, which expands to those that were never covered. */
const bar = ({ name, declared, met }: CoverageSection['rows'][number]): Html => {
  const missed = declared.filter((one) => !met.includes(one))
  const part = ((met.length / declared.length) * 100).toFixed(2)
  const line = html`<span class="kind">${plural(name)}</span><span class="count"><b>${met.length}</b> of ${declared.length}</span>
<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${percent(met.length, declared.length)}"><rect class="track" width="100" height="8"/><rect class="fill" width="${part}" height="8"/></svg>`
  if (missed.length === 0) return html`<div class="card"><p class="line">${line}</p></div>`
  return html`<details class="card"><summary class="line">${line}<span class="more">${missed.length} never covered</span></summary>
<ul class="names">${missed.map((one) => html`<li>${one}</li>`)}</ul></details>`
}

const table = ({ columns, rows, title }: ReportSection & TableSection): Html =>
  html`<details class="gap" open><summary><b>${rows.length}</b> ${title}</summary>
<table><thead><tr>${columns.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ name, cells }) =>
      html`<tr><td>${name}</td>${cells.map(({ text, level }) => html`<td>${level === undefined ? html`<code>${text}</code>` : html`<span class="level ${level}">${text}</span>`}</td>`)}</tr>
`,
  )}</tbody></table></details>`

/** All findings by cause, the most severe first, with filters; each expands to its details and its places. */
const findingsPart = ({ findings, command }: CheckReport, { rules = [] }: ReportSetting): Html => {
  const sorted = foldFindings(findings).toSorted(
    (a, b) => LEVELS.indexOf(a.first.level) - LEVELS.indexOf(b.first.level),
  )
  const purposes = new Map(rules.map(({ id, purpose }) => [id, purpose]))
  const list =
    findings.length === 0
      ? html`<p class="empty">${command === 'diff' ? 'Nothing changed.' : 'Nothing was found.'}</p>`
      : html`${filters(sorted)}
<div class="table">
<div class="columns" aria-hidden="true"><span>level</span><span>what is wrong</span><span>rule</span><span>operation</span></div>
${sorted.map((kind) => row(kind, purposes.get(kind.first.rule)))}
</div>
<p class="empty" id="none" hidden>No finding matches these filters.</p>`
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
${list}
</section>`
}

const filters = (all: readonly FindingKind[]): Html => {
  const levels = LEVELS.map((level) => ({
    level,
    count: all.filter(({ first }) => first.level === level).length,
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

/** The operations of all findings of a kind, or the files of those that belong to none. */
const subjectsOf = ({ findings }: FindingKind): readonly string[] => [
  ...new Set(findings.flatMap(({ operations, location }) => operations ?? [location.file])),
]

const row = (kind: FindingKind, purpose: string | undefined): Html => {
  const { first, findings } = kind
  const { level, rule, message, location, acceptance } = first
  const subjects = subjectsOf(kind)
  const [subject = ''] = subjects
  const others = findings.slice(1)
  const place = `${location.file}:${location.line}:${location.column}`
  const more = subjects.length - 1
  return html`<details class="row" data-level="${level}" data-rule="${rule}" data-operation="${JSON.stringify(subjects)}">
<summary><span class="level ${level}">${level}</span><span class="said">${message}</span><span class="rule">${rule}</span><span class="operation">${subject}${more > 0 ? html` <small>and ${more} more</small>` : undefined}</span></summary>
<div class="proof">
<p class="clause">${purpose} <code>${place}</code></p>
<dl>
${details(first, Number.POSITIVE_INFINITY).map(({ label, words }) => detail(label.replace(/:$/, ''), words))}${acceptance === undefined ? undefined : detail('accept', acceptance)}${others.length === 0 ? undefined : html`<dt>also in</dt><dd><ul class="names">${others.map((one) => html`<li>${one.message} <code>${one.identity ?? `${one.location.file}:${one.location.line}`}</code></li>`)}</ul></dd>`}
</dl>
</div>
</details>
`
}

/** Texts that a reader pastes into a shell or a file have a button. */
const detail = (name: string, words: string): Html =>
  COPIED.has(name)
    ? html`<dt>${name}</dt><dd class="copied"><pre tabindex="0">${words}</pre><button type="button" class="copy">Copy</button></dd>
`
    : html`<dt>${name}</dt><dd><pre tabindex="0" class="${name === 'received' ? 'came' : name === 'expected' ? 'due' : 'plain'}">${words}</pre></dd>
`

const COPIED: ReadonlySet<string> = new Set(['reproduce', 'accept'])
