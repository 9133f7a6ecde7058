import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  acceptanceLine,
  applyBaseline,
  readBaseline,
} from '../../../src/conform/report/baseline.js'
import type { ConformFinding } from '../../../src/conform/report/findings.js'
import { DocumentError } from '../../../src/model/finding.js'
import { readDocument } from '../../../src/read/document.js'
import { temporaryFolder } from '../../temporary-folder.js'

const folder = temporaryFolder('baseline')

const read = (text: string) => {
  const file = join(folder, 'baseline.yaml')
  writeFileSync(file, text)
  return readBaseline(readDocument(file))
}

const found = (identity: string): ConformFinding => ({
  ...{
    rule: 'id-is-not-echoed',
    level: 'error',
    message: 'eth_call: wrong',
    identity,
  },
  location: { file: 'rpc.yaml', line: 3, column: 5, pointer: '' },
  ...{
    cause: 'id-is-not-echoed',
    clause: '',
    exchange: { request: '', response: '', expected: '', curl: '', count: 1 },
  },
})

const applied = (text: string, identities: readonly string[], isPartial = false) => {
  const { findings, remarks } = applyBaseline(identities.map(found), read(text), {
    today: '2026-11-22',
    isPartial,
  })
  return [...findings, ...remarks].map(
    ({ level, location, message }) => `${location.line} ${level} ${message}`,
  )
}

const LIST = `accepted:
  - rule: id-is-not-echoed
    where: eth_call
    reason: the gateway is replaced in May
    until: 2026-11-22
`

describe('a baseline', () => {
  it('makes a note of an accepted finding until its last day, and leaves others as they are', () => {
    expect(applied(LIST, ['id-is-not-echoed eth_call', 'id-is-not-echoed eth_logs'])).toEqual([
      '3 note eth_call: wrong (accepted until 2026-11-22: the gateway is replaced in May)',
      '3 error eth_call: wrong',
    ])
  })

  it('counts a finding again when its day is over, and says so at the line of the entry', () => {
    const old = LIST.replace('2026-11-22', '2026-11-21')
    expect(applied(old, ['id-is-not-echoed eth_call'])).toEqual([
      '3 error eth_call: wrong (no longer accepted: the acceptance ended on 2026-11-21)',
      '2 note id-is-not-echoed eth_call was accepted until 2026-11-21, and still occurs',
    ])
  })

  it('tells what was not found any more, and what was meant, but not where only a part was tried', () => {
    expect(applied(LIST, ['id-is-not-echoed eth_calls'])).toEqual([
      '3 error eth_call: wrong',
      '2 note id-is-not-echoed eth_call is accepted, but was not found; id-is-not-echoed eth_calls was: remove the entry if it is fixed',
    ])
    expect(applied(LIST, [], true)).toEqual([])
  })

  it('takes the entry that is printed for a finding, for a year, once it has a reason', () => {
    const identity = 'id-is-not-echoed GET /orders/{id} "a": b'
    const line = acceptanceLine(identity, '2026-01-31').replace('reason: ""', 'reason: because')
    expect(read(`accepted:\n  ${line}\n`)).toMatchObject([
      {
        rule: 'id-is-not-echoed',
        where: 'GET /orders/{id} "a": b',
        reason: 'because',
        until: '2027-01-31',
      },
    ])
  })

  it.each([
    ['{}', '1: the file needs a list "accepted", with an entry for each accepted finding'],
    ['accepted: [1]', '1: an accepted finding needs rule, where, reason and until'],
    [
      LIST.replace('id-is', 'id-was'),
      '2: there is no rule id-was-not-echoed: did you mean id-is-not-echoed?',
    ],
    [
      LIST.replace('2026-11-22', '2026-06-31'),
      '5: until must be a date such as 2030-01-31, not 2026-06-31',
    ],
    [
      LIST.replace(/ {4}reason.*\n/, ''),
      '2: an accepted finding needs reason: why the response is accepted',
    ],
  ])('is refused with the line that cannot be meant: %j', (text, want) => {
    try {
      read(text)
      expect.unreachable()
    } catch (error) {
      const { location, message } = (error as DocumentError).finding
      expect(error).toBeInstanceOf(DocumentError)
      expect(`${location.line}: ${message}`).toBe(want)
    }
  })
})
