import { expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { apiOf, openrpcOf } from '../../read/api-of.js'
import '../../fixed-seed.js'

const CLOSED = {
  type: 'object',
  additionalProperties: false,
  properties: { to: { type: 'string', maxLength: 9 } },
}

/** The level and rule about an undeclared property that a server ignores; `code` is its error for valid calls. */
const rulesOf = async (
  schema: object,
  code: number | undefined,
  more: { readonly examples?: readonly object[]; readonly errors?: readonly object[] } = {},
): Promise<readonly string[]> => {
  const params = [{ name: 'order', required: true, schema }]
  const pay = {
    ...{ name: 'pay', paramStructure: 'by-position', params, ...more },
    result: { name: 'ok', schema: { type: 'boolean' } },
  }
  const api = await apiOf({ openrpc: openrpcOf({ methods: [pay] }) })
  const isRight = (value: unknown): boolean => {
    const { to } = Object(value)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && (to === undefined || (typeof to === 'string' && [...to].length <= 9))
  }
  const wire: Wire = async (sent) => {
    const { id, params = [] } = JSON.parse(String(sent.body ?? '{}'))
    const [order, ...others] = Array.isArray(params) ? params : []
    const isValid = Array.isArray(params) && others.length === 0 && isRight(order)
    const error = isValid ? code : -32602
    const outcome =
      error === undefined ? { result: true } : { error: { code: error, message: 'no' } }
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
    const headers = [['content-type', 'application/json']] as const
    return { sent, answer: { status: 200, headers, body, milliseconds: 1 }, failure: undefined }
  }
  const named = { url: 'http://127.0.0.1:9', wire, only: ['pay'], rate: null, maxExamples: 4 }
  const { findings } = await conform(api, named)
  const found = findings.filter(({ identity }) => identity.includes('additionalProperties'))
  return found.map(({ level, rule }) => `${level} ${rule}`)
}

const IGNORED = ['warning undeclared-property-accepted']
const POOR = { errors: [{ code: -32003, message: 'Insufficient funds' }] }

it.each<readonly [string, object, number | undefined, Parameters<typeof rulesOf>[2]]>([
  ['for a valid call that gets a result', CLOSED, undefined, {}],
  ['for a valid call that gets a declared error', CLOSED, -32003, POOR],
  ['for an object with a required property', { ...CLOSED, required: ['to'] }, -32003, POOR],
  ['for a valid call that gets an undeclared error', CLOSED, -32003, {}],
  [
    'beside an example with the error',
    CLOSED,
    -32003,
    {
      ...POOR,
      examples: [
        {
          name: 'poor',
          params: [{ name: 'order', value: { to: 'bob' } }],
          'x-error': { code: -32003, message: 'Insufficient funds' },
        },
      ],
    },
  ],
])('an ignored property has one rule and one level: %s', async (_, schema, code, more) => {
  expect(await rulesOf(schema, code, more)).toEqual(IGNORED)
})
