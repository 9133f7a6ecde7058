import { expect, test } from 'vitest'
import { boundaryCasesOf } from '../../../src/conform/cases/boundaries.js'
import { generatedCasesOf } from '../../../src/conform/cases/generated.js'
import { conform } from '../../../src/conform/conform.js'
import '../../fixed-seed.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { apiOf, openrpcOf } from '../../read/api-of.js'
import { each, type Fault, run } from './store.js'

test.each([
  ['bounds', each(boundaryCasesOf)],
  ['generated values', each(generatedCasesOf)],
] as const)(
  '%s that are sent elsewhere were not taken, and are reported as not tested',
  async (_, make) => {
    const elsewhere: Fault = ({ url }) => (url.includes('/notes/') ? { status: 302 } : undefined)
    const { reported, seen } = await run(make, elsewhere)
    expect(reported).toEqual([])
    expect([...seen.skipped.keys()].join()).toContain('the server redirects')
  },
)

const thermostat = await apiOf({
  openrpc: openrpcOf({
    methods: [
      {
        name: 'thermo_list',
        paramStructure: 'by-name',
        params: [],
        result: { name: 'rooms', schema: { type: 'integer' } },
        errors: [{ code: -32001, message: 'no such room' }],
        examples: [
          { name: 'none', params: [], 'x-error': { code: -32001, message: 'no such room' } },
        ],
      },
    ],
  }),
})

const rulesOf = async (code: number | undefined) => {
  const wire: Wire = async (sent) => {
    const { id, method, params = {} } = JSON.parse(String(sent.body ?? '{}'))
    const outcome =
      method !== 'thermo_list' || Object.keys(params).length > 0
        ? { error: { code: method === 'thermo_list' ? -32602 : -32601, message: 'no' } }
        : code === undefined
          ? { result: 1 }
          : { error: { code, message: 'no such room' } }
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
    const headers = [['content-type', 'application/json']] as const
    return { sent, answer: { status: 200, headers, body, milliseconds: 1 }, failure: undefined }
  }
  const only = ['thermo_list']
  const { findings, cases } = await conform(thermostat, { url: 'http://127.0.0.1:9', wire, only })
  expect(cases).toBeGreaterThan(1)
  return findings.map(({ level, rule }) => `${level} ${rule}`)
}

test('an example of an error comes back with its code', async () => {
  expect(await rulesOf(-32001)).toEqual([])
  expect(await rulesOf(-32000)).toEqual(['error operation-never-answered'])
})

test('an empty list is nothing that a method without params could refuse', async () => {
  expect(await rulesOf(undefined)).toEqual([])
})

test.each([
  ['by-name', -32000, []],
  ['by-position', -32000, []],
  ['either', -32000, []],
  ['by-name', -32001, ['invalid-params-wrong-error']],
] as const)(
  'null for an optional param skips it: %s, a call may then fail with a declared error (%i)',
  async (paramStructure, code, expected) => {
    const pay = await apiOf({
      openrpc: openrpcOf({
        methods: [
          {
            name: 'pay',
            paramStructure,
            params: [
              { name: 'amount', required: true, schema: { type: 'integer', minimum: 1 } },
              { name: 'memo', schema: { type: 'string' } },
            ],
            result: { name: 'ok', schema: { type: 'boolean' } },
            errors: [{ code: -32000, message: 'insufficient funds' }],
          },
        ],
      }),
    })
    const wire: Wire = async (sent) => {
      const { id, params = {} } = JSON.parse(String(sent.body ?? '{}'))
      const isNamed = !Array.isArray(params)
      const { amount, memo, ...rest } = isNamed ? params : { amount: params[0], memo: params[1] }
      const isWrong =
        !(Number.isInteger(amount) && amount >= 1) ||
        (typeof memo !== 'string' && memo !== null && memo !== undefined) ||
        Object.keys(rest).length > 0 ||
        (!isNamed && params.length > 2)
      const error = { code: isWrong ? -32602 : code, message: 'no' }
      const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, error }))
      const headers = [['content-type', 'application/json']] as const
      return { sent, answer: { status: 200, headers, body, milliseconds: 1 }, failure: undefined }
    }
    const { findings } = await conform(pay, { url: 'http://127.0.0.1:9', wire, only: ['pay'] })
    const wrong = findings.filter(({ rule }) => rule.startsWith('invalid-params'))
    expect([...new Set(wrong.map(({ rule }) => rule))]).toEqual(expected)
  },
)
