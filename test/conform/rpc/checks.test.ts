import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CONFORM_RULES } from '../../../src/conform/rules.js'

const FILE = new URL('../../../../shared/checks/checks.json', import.meta.url)

const absent = existsSync(FILE) ? '' : ' (skipped: ../shared/checks/checks.json is absent)'

/** Checks without a rule, because they depend on the documents of the service. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  J47: 'a method that is absent on purpose is named by a workflow of its service',
  J88: 'a batch with large answers is tried here, and judged by what is due of every answer',
  J107: 'which chain it must be is named by a workflow, or the x-chain-id of a server',
}

it.skipIf(!existsSync(FILE))(`each check of JSON-RPC has a rule, or a reason here${absent}`, () => {
  const { jsonrpc } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    readonly jsonrpc: readonly { readonly id: string; readonly level: string }[]
  }
  const named = new Set(CONFORM_RULES.flatMap(({ checks = [] }) => checks))
  const missing = jsonrpc.filter(({ id }) => !named.has(id) && !Object.hasOwn(ELSEWHERE, id))
  expect(missing.map(({ id }) => id)).toEqual([])
})

it('a rule that names one of them says where it is written', () => {
  const bare = CONFORM_RULES.filter(({ checks = [], clause }) => checks.length > 0 && clause === '')
  expect(bare).toEqual([])
})
