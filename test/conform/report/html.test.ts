import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { conformPage } from '../../../src/cli/conform-html/page.js'
import type { ConformResult } from '../../../src/cli/conform-text.js'

const EVIL = `"'></pre><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u0000&amp;`

const judged = (text: string): ConformResult => ({
  findings: [
    {
      ...{
        rule: 'id-is-not-echoed',
        level: 'error',
        message: text,
        problem: text,
        operations: [text],
      },
      location: { file: text, line: 1, column: 1, pointer: text },
      ...{ identity: text, kind: text, clause: text, due: text, count: 2 },
      shown: { request: text, answer: text, curl: text },
    },
  ],
  remarks: [
    {
      ...{ rule: 'acceptance-expired', level: 'note', message: text },
      location: { file: text, line: 1, column: 1, pointer: '' },
    },
  ],
  coverage: [{ kind: 'operation', declared: [text, 'other'], met: ['other'] }],
  choices: { [text]: text },
  notTested: [{ what: [text], why: text }],
  notOffered: [text],
  inferred: [{ operation: text, parameter: text, from: text }],
  ...{ cases: 1, requests: 1, seconds: 1, seed: 1 },
  api: { http: { title: text }, rpc: undefined, operations: [] } as unknown as ConformResult['api'],
  ...{ subject: text, today: '2026-11-22', profile: text },
})

const tags = (page: string) => [...page.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag)

describe('the page of a verdict', () => {
  const page = conformPage(judged(EVIL), { version: '1' })

  it('has the tags and attributes that it would have for harmless words', () => {
    const plain = conformPage(judged('plain'), { version: '1' })
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

  it('says in words how it came out, and shows what is to be done with each finding', () => {
    const one = conformPage(judged('plain'), { version: '1' })
    expect(one).toContain('<h1>The server does not conform</h1>')
    expect(one).toContain(
      '- { rule: plain, where: &quot;server&quot;, reason: &quot;&quot;, until: 2027-11-22 }',
    )
    const none = conformPage({ ...judged('plain'), findings: [] }, { version: '1' })
    expect(none).toContain('The server conforms, as far as it was tested')
    expect(none).toContain('No violation of the documents was found')
  })
})
