import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CONFORM_RULES } from '../../../src/conform/rules.js'

const LIST = fileURLToPath(new URL('../../../../shared/checks/checks.json', import.meta.url))

/** Checks without a rule here, and what checks them instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  H06: 'a workflow: which forms go together is in the bodies of this service alone',
  H09: 'a workflow: what an ABI may hold',
  H10: 'a workflow: overloaded functions of an ABI',
  H11: 'a workflow: arguments against an ABI',
  H12: 'a workflow: numbers of an ABI',
  H13: 'a workflow: bytes of an ABI',
  H16: 'a workflow: what waits, and for what, is no keyword of a document',
  H17: 'a workflow: which function is a view is in the ABI; its twins are compared in every answer',
  H18: 'a workflow: which function is a view is in the ABI',
  H19: 'a workflow: what the compiler refuses',
  H20: 'a workflow for the deployment, and the schema of every answer',
  H29: 'the schema of every answer: one for each state',
  H31: 'a workflow for the order, and the pattern of every answer for zone and form',
  H34: 'the choice http-same-request-twice',
  H41: 'a rule of clients; the form of every answer takes a warning for a success',
  H42: 'the choice http-refusal-status',
}

describe.skipIf(!existsSync(LIST))(
  `the list of HTTP checks${existsSync(LIST) ? '' : ' (skipped: ../shared/checks/checks.json is absent)'}`,
  () => {
    const { http } = existsSync(LIST)
      ? (JSON.parse(readFileSync(LIST, 'utf8')) as { http: readonly { id: string }[] })
      : { http: [] }
    const named = new Set(CONFORM_RULES.flatMap(({ checks }) => checks ?? []))

    it('has a rule or a reason for each number', () => {
      expect(http).toHaveLength(45)
      const left = http.map(({ id }) => id).filter((id) => !named.has(id) && !(id in ELSEWHERE))
      expect(left).toEqual([])
    })

    it('has each number that a rule names', () => {
      const known = new Set(http.map(({ id }) => id))
      expect([...named].filter((id) => id.startsWith('H') && !known.has(id))).toEqual([])
    })
  },
)
