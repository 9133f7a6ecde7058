import { foldFindings } from '../../conform/report/findings.js'
import { type Html, html } from '../../docs/html.js'
import type { ConformResult } from '../conform-result.js'

/** What was judged, and how it came out. */
export const head = (judged: ConformResult): Html => {
  const { api, subject, today, profile, findings, cases, requests, seconds, unjudged, isRecorded } =
    judged
  const kinds = foldFindings(findings)
  const count = (level: string) => kinds.filter((one) => one.level === level).length
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')]
  const state = unjudged !== undefined || errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'good'
  const titles = [api.http?.title, api.rpc?.title].filter((one) => one !== undefined)
  const facts: readonly (readonly [string, string | number])[] = [
    ['judged on', today],
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
<h1>${unjudged === undefined ? VERDICTS[state] : 'The server could not be judged'}</h1>${
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
  error: 'The contract is broken',
  warning: 'The contract is kept, with warnings',
  good: 'The contract is kept, as far as it was tried',
} as const

const lasting = (seconds: number): string =>
  seconds < 120
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
