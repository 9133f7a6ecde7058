import { expect, it } from 'vitest'
import type { Api } from '../../../src/model/api.js'
import { failing, giving, judge, readApi } from './fake-rpc-server.js'

const documents = (methods: string): Promise<Api> =>
  readApi(`
openrpc: 1.3.2
info: { title: Thermostat, version: '1' }
servers: [{ name: main, url: https://thermostat.example }]
methods:${methods}`)

const LIST = `
  - name: thermo_list
    x-idempotent: true
    paramStructure: by-name
    params: []
    result: { name: rooms, schema: { type: array } }
    examples: [{ name: all, params: [], result: { name: rooms, value: [] } }]`
const READ = `
  - name: thermo_read
    x-idempotent: true
    paramStructure: by-name
    params: [{ name: room, required: true, schema: { type: string } }]
    result: { name: degrees, schema: { type: number } }
    examples:
      - name: attic
        params: [{ name: room, value: attic }]
        x-error: { code: 3, message: No room }
      - { name: kitchen, params: [{ name: room, value: kitchen }], result: { name: degrees, value: 20 } }`

/** Reads a request with less care than it should: every id comes back as a text. */
const thermostat =
  (calls: unknown[]) =>
  ({ text }: { readonly text: string }) => {
    try {
      const { id, method, params } = JSON.parse(text) as Record<string, unknown>
      if (method !== 'thermo_list' && method !== 'thermo_read') return { body: failing(-32601) }
      calls.push(params)
      return { body: giving(JSON.stringify(String(id)), method === 'thermo_list' ? '[]' : '20') }
    } catch {
      return { body: failing(-32700) }
    }
  }

const tried = ({ name }: { readonly name: string }) => /the id 0$|without params/.test(name)

it('the protocol is tried with a method that takes its params by name', async () => {
  const calls: unknown[] = []
  const { rules, why } = await judge(thermostat(calls), { api: await documents(LIST), tried })
  expect(rules).toContain('id-is-not-echoed')
  expect(why('JSON-RPC, a call without params')).toBeUndefined()
  expect(calls).toContainEqual({})
  expect(calls).toContain(undefined)
})

it('or with the params of its example, and then nothing is asked about params left out', async () => {
  const calls: unknown[] = []
  const { rules, why } = await judge(thermostat(calls), { api: await documents(READ), tried })
  expect(rules).toContain('id-is-not-echoed')
  expect(new Set(calls.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"room":"kitchen"}']))
  expect(why('JSON-RPC, a call without params')).toBe(
    'no method without required params returns a result here',
  )
})

it('C10: where no method is marked as one that only reads, the line to add is printed', async () => {
  const unsaid = await documents(LIST.replace(/ *x-idempotent: true\n/, ''))
  const { why } = await judge(thermostat([]), { api: unsaid, tried })
  expect(why('JSON-RPC, the id 0')).toMatch(/add this line to it at \S+:\d+: x-idempotent: true$/)
})
