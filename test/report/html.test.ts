import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { htmlReport } from '../../src/report/html.js'
import type { CheckReport } from '../../src/report/report.js'
import { textReport } from '../../src/report/text.js'

const EVIL = `"'></pre><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000&amp;`

const report = (text: string): CheckReport => ({
  ...{ command: 'conform', subject: text, failOn: 'error', verdict: text, summary: text },
  findings: [
    {
      ...{ rule: 'id-is-not-echoed', level: 'error', message: text, operations: [text] },
      location: { file: text, line: 1, column: 1, pointer: text },
      ...{ identity: text, cause: text, clause: text, acceptance: text, advice: text },
      exchange: { request: text, response: text, expected: text, curl: text, count: 2 },
      witness: { value: text },
    },
    {
      ...{ rule: 'acceptance-expired', level: 'note', message: text },
      location: { file: text, line: 1, column: 1, pointer: '' },
    },
  ],
  facts: { [text]: text },
  sections: [
    {
      ...{ name: 'coverage', title: text, isOverview: true, kind: 'coverage' },
      rows: [{ name: text, declared: [text, 'other'], met: ['other'] }],
    },
    {
      ...{ name: 'choices', title: text, kind: 'table', columns: [text, text] },
      rows: [{ name: text, cells: [{ text, level: 'error' }, { text }] }],
    },
    { name: 'untested', title: text, kind: 'reasons', groups: [{ what: [text], why: text }] },
    { name: 'not-offered', title: text, kind: 'list', items: [text] },
  ],
})

const pageOf = (one: CheckReport) => htmlReport(one, { version: '1' })

const tags = (page: string) => [...page.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag)

describe('a report as a page', () => {
  const page = pageOf(report(EVIL))

  it('has the tags and attributes that it would have for harmless words', () => {
    const plain = pageOf(report('plain'))
    const names = (text: string) => tags(text).map((tag) => tag.replace(/="[^"]*"/g, '=""'))
    expect(names(page)).toEqual(names(plain))
    expect(page).not.toContain('<img')
    expect(page.match(/<script/g)).toHaveLength(1)
    expect([...page].filter((sign) => sign === '\u202e' || sign === '\u0000')).toEqual([])
  })

  it('asks nobody for anything: its policy lets through its own style and script alone', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    const digest = (name: string) => {
      const [, text = ''] = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(page) ?? []
      return `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`
    }
    expect(policy).toContain('default-src &#39;none&#39;')
    expect(policy).toContain(`style-src ${digest('style')};`)
    expect(policy).toContain(`script-src ${digest('script')};`)
    expect(tags(page).filter((tag) => /\s(src|href|style|on\w+)="/.test(tag))).toEqual([
      '<a class="skip" href="#findings">',
    ])
  })

  it('shows the verdict, what to do with each finding, and an empty list in words', () => {
    const one = pageOf(report('plain'))
    expect(one).toContain('<h1>plain</h1>')
    expect(one).toContain('<dt>accept</dt><dd class="copied"><pre tabindex="0">plain</pre>')
    expect(pageOf({ ...report('plain'), findings: [] })).toContain('Nothing was found')
  })

  it('shows a request as a whole, which other formats cut', () => {
    const [finding] = report('plain').findings
    const request = 'x'.repeat(1_500)
    const exchange = finding?.exchange && { ...finding.exchange, request }
    const long = {
      ...report('plain'),
      findings: finding && exchange ? [{ ...finding, exchange }] : [],
    }
    expect(pageOf(long)).toContain(request)
    expect(textReport(long, { verbose: true })).not.toContain(request)
  })
})
