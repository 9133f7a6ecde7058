import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CONFORM_RULES } from '../../../src/conform/rules.js'

const FILE = new URL('../../../../shared/checks/checks.json', import.meta.url)

/** What no rule of the checker can name, for only documents know it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  J47: 'a method that is absent on purpose is named by a workflow of its service',
  J88: 'a batch with large answers is tried here, and judged by what is due of every answer',
  J107: 'which chain it must be is named by a workflow, or the x-chain-id of a server',
}

it.skipIf(!existsSync(FILE))('each check of JSON-RPC is named by a rule, or argued here', () => {
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
