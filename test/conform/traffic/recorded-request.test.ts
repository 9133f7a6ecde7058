import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { checkTraffic } from '../../../src/conform/traffic/check-traffic.js'
import { api } from '../cases/store.js'

const folder = mkdtempSync(join(tmpdir(), 'requests-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const judge = async (request: object, response: object | null) => {
  const file = join(folder, 'a.ndjson')
  writeFileSync(file, JSON.stringify({ request, response }))
  const { findings } = await checkTraffic(api, file)
  return findings.map(({ rule }) => rule)
}
const call = (params: unknown) => ({ jsonrpc: '2.0', method: 'store_put', params, id: 1 })
const note = (body: unknown) => ({
  method: 'PUT',
  url: 'https://any.example/notes/3',
  headers: { 'content-type': 'application/json' },
  body,
})
const RESULT = { jsonrpc: '2.0', id: 1, result: 4 }
const REFUSAL = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } }

it('a recorded request that breaks its schema and was taken is reported', async () => {
  const shared = [['0xab', 2], { data: '0xab' }, [5], { data: 5 }, ['0xab', 2, 3], [], ['0xab…']]
  const bodies = [{ text: 'a' }, { text: 5 }, { text: 'a', more: 1 }]
  const found: (readonly string[])[] = []
  // All of them are written to the same file.
  for (const one of shared) {
    const [taken, refused] = [await judge(call(one), RESULT), await judge(call(one), REFUSAL)]
    found.push([...taken, '|', ...refused])
  }
  for (const one of bodies) {
    const taken = await judge(note(one), { status: 204 })
    found.push([...taken, '|', ...(await judge(note(one), { status: 400 }))])
  }
  expect(found).toEqual([
    ['|'],
    ['|'],
    ['invalid-params-accepted', '|'],
    ['invalid-params-accepted', '|'],
    ['extra-params-accepted', '|'],
    ['invalid-params-accepted', '|'],
    ['|'],
    ['|'],
    ['invalid-request-accepted', '|'],
    ['undeclared-property-accepted', '|'],
  ])
})
