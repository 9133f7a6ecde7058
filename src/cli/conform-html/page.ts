import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { acceptanceLine } from '../../conform/report/baseline.js'
import {
  type ConformFinding,
  type FindingKind,
  foldFindings,
} from '../../conform/report/findings.js'
import { CONFORM_RULES } from '../../conform/rules.js'
import { type Html, html, trusted } from '../../docs/html.js'
import {
  type ConformResult,
  inferredLines,
  largestFirst,
  percent,
  plural,
} from '../conform-text.js'
import { LEVELS } from '../levels.js'

/**
 * A report as one page without outside requests. Its style and script are in it, and its policy allows only these
 * two, by their digests.
 */
export const conformPage = (
  judged: ConformResult,
  { version }: { readonly version: string },
): string => {
  const [style, script] = [beside('style.css'), beside('script.js')]
  const policy = `default-src 'none'; style-src '${digest(style)}'; script-src '${digest(script)}'; base-uri 'none'; form-action 'none'`
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="twinspec ${version}">
<title>Conformance of ${judged.subject}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
${head(judged)}
<main>
${coverage(judged)}
${findings(judged)}
${notTested(judged)}
${choices(judged)}
</main>
<footer>twinspec ${version}, seed ${judged.seed}. The key is not in this page: set <code>KEY</code> before you run a line of curl.</footer>
<script>${trusted(script)}</script>
</body>
</html>
`
  return text
}

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const digest = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`

/** A bar for each kind of declared item, which expands to those that were never covered; and both lists by name. */
const coverage = (judged: ConformResult): Html => html`<section aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage of the documents</h2>
<div class="bars">${judged.coverage.map(bar)}</div>
${list('Operations that the server does not offer', judged.notOffered)}
${list('Values taken from responses', inferredLines(judged))}
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

/** What was not tested, grouped by reason; it is never reported as passed. */
const notTested = ({ notTested: all }: ConformResult): Html => {
  if (all.length === 0) return html``
  const groups = largestFirst(all).map(
    ({ what, why }) => html`<details class="gap"><summary><b>${what.length}</b> ${why}</summary>
<ul class="names">${what.map((name) => html`<li>${name}</li>`)}</ul></details>
`,
  )
  return html`<section aria-labelledby="gaps-title">
<h2 id="gaps-title">Not tested</h2>
${groups}
</section>`
}

/** The behaviour of the server where a clause leaves a choice. */
const choices = ({ choices: all }: ConformResult): Html => {
  const rows = Object.entries(all)
  if (rows.length === 0) return html``
  return html`<section aria-labelledby="choices-title">
<h2 id="choices-title">Choices of the server</h2>
<details class="gap"><summary><b>${rows.length}</b> choices were seen</summary>
<table><thead><tr><th scope="col">choice</th><th scope="col">way</th></tr></thead>
<tbody>${rows.map(([choice, way]) => html`<tr><td>${choice}</td><td><code>${way}</code></td></tr>`)}</tbody></table></details>
</section>`
}

/** What was tested, and the result. */
const head = (judged: ConformResult): Html => {
  const { api, subject, today, profile, findings, cases, requests, seconds, unjudged, isRecorded } =
    judged
  const kinds = foldFindings(findings)
  const count = (level: string) => kinds.filter((one) => one.level === level).length
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')]
  const state = unjudged !== undefined || errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'good'
  const titles = [api.http?.title, api.rpc?.title].filter((one) => one !== undefined)
  const facts: readonly (readonly [string, string | number])[] = [
    ['tested on', today],
    [isRecorded ? 'recorded exchanges' : 'cases', cases.toLocaleString('en')],
    ...(findings.length === kinds.length
      ? []
      : [['places', findings.length.toLocaleString('en')] as const]),
    ...(isRecorded
      ? []
      : [
          ['requests', requests.toLocaleString('en')] as const,
          ['time', lasting(seconds)] as const,
        ]),
    ...(profile === undefined ? [] : [['profile', profile] as const]),
  ]
  return html`<header class="${state}">
<p class="over">${[...new Set(titles)].join(' and ')}</p>
<h1>${unjudged === undefined ? VERDICTS[state] : 'The server could not be tested'}</h1>${
    unjudged === undefined
      ? ''
      : html`
<p>${unjudged}</p>`
  }
<p class="subject">${subject}</p>
<ul class="counts">
<li class="error"><b>${errors}</b> ${errors === 1 ? 'error' : 'errors'}</li>
<li class="warning"><b>${warnings}</b> ${warnings === 1 ? 'warning' : 'warnings'}</li>
<li class="note"><b>${notes}</b> ${notes === 1 ? 'note' : 'notes'}</li>
</ul>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>`
}

const VERDICTS = {
  error: 'The server does not conform',
  warning: 'The server conforms, with warnings',
  good: 'The server conforms, as far as it was tested',
} as const

const lasting = (seconds: number): string => {
  const whole = Math.round(seconds)
  return whole < 120 ? `${seconds.toFixed(1)} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** All findings by cause, the most severe first, with filters; each expands to its exchange and its places. */
const findings = ({ findings: all, remarks, today }: ConformResult): Html => {
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
      ? html`<p class="empty">No violation of the documents was found.</p>`
      : html`${filters(sorted)}
<div class="table">
<div class="columns" aria-hidden="true"><span>level</span><span>what is wrong</span><span>rule</span><span>operation</span></div>
${sorted.map((kind) => row(kind, today))}
</div>
<p class="empty" id="none" hidden>No finding matches these filters.</p>`
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

const row = (kind: FindingKind, today: string): Html => {
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
<dt>accept</dt><dd class="copied"><pre tabindex="0">${acceptanceLine(identity, today)}</pre><button type="button" class="copy">Copy</button></dd>
${others.length === 0 ? undefined : html`<dt>also in</dt><dd><ul class="names">${others.map((one) => html`<li>${one.message} <code>${one.identity}</code></li>`)}</ul></dd>`}
</dl>
</div>
</details>
`
}
