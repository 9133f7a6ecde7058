import { describe, expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import type { Sent } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

const CODE = { type: 'string', pattern: '^c[0-9]{1,3}$' }
const no = { description: 'no' }

type Parameter = { readonly name?: string; readonly schema?: object }

const operation = (id: string, { name = 'code', schema = CODE }: Parameter = {}) => ({
  [`/${id}`]: {
    get: {
      operationId: id,
      parameters: [{ name, in: 'query', required: true, schema, example: 'c1' }],
      responses: { 204: { description: 'ok' }, 400: no, 401: no },
    },
  },
})

const nameOf = ({ url }: Sent) => new URL(url).pathname.slice(1)

const isRight = ({ url }: Sent): boolean => {
  const values = [...new URL(url).searchParams.values()]
  return values.length === 1 && /^c[0-9]{1,3}$/.test(values[0] ?? '')
}

/** Runs the cases of values on a server that validates, unless `statusOf` has another status. */
const judge = async (
  paths: object,
  statusOf: (name: string, isRight: boolean) => number | undefined = () => undefined,
) => {
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', paths }) })
  const sent: string[] = []
  let current = ''
  const wire: Wire = async (one) => {
    const status = statusOf(nameOf(one), isRight(one)) ?? (isRight(one) ? 204 : 400)
    if (/(?:bounds|valid values) of/.test(current)) sent.push(`${nameOf(one)} ${one.url}`)
    const answer = { status, headers: [], body: Buffer.alloc(0), milliseconds: 1 }
    return { sent: one, answer, failure: undefined }
  }
  const { findings, coverage } = await conform(api, {
    ...{ url: 'http://127.0.0.1:9', wire, rate: null, maxExamples: 8 },
    onProgress: ({ name }) => {
      current = name
    },
    sleep: async () => undefined,
  })
  const keywords = coverage.find(({ kind }) => kind === 'keyword')
  return {
    sent,
    countOf: (name: string) => sent.filter((one) => one.startsWith(`${name} `)).length,
    accepted: [
      ...new Set(
        findings
          .filter(({ rule }) => rule === 'invalid-request-accepted')
          .flatMap(({ operations = [] }) => operations),
      ),
    ],
    left: keywords?.declared.filter((one) => !keywords.met.includes(one)),
  }
}

const THREE = { ...operation('one'), ...operation('two'), ...operation('three') }

describe('a parameter that operations share', () => {
  it('is tested with all values at one of them, and each keyword at the others', async () => {
    const { countOf, accepted, left } = await judge(THREE)
    expect(accepted).toEqual([])
    expect(left).toEqual([])
    expect(countOf('two')).toBeLessThan(countOf('one') / 2)
    expect(countOf('three')).toBeLessThan(countOf('one') / 2)
  })

  it.each([['one'], ['two'], ['three']])('is not validated by %s only', async (lax) => {
    const { accepted } = await judge(THREE, (name, right) =>
      name === lax && !right ? 204 : undefined,
    )
    expect(accepted).toEqual([`GET /${lax}`])
  })

  it('is tested with all values where another operation accepts what is invalid', async () => {
    const { countOf, accepted } = await judge(THREE, (name, right) =>
      name === 'one' && !right ? 204 : undefined,
    )
    const alone = await judge(operation('two'))
    expect(accepted).toEqual(['GET /one'])
    // Those of the valid side were handled correctly.
    expect(countOf('two')).toBeGreaterThan((await judge(THREE)).countOf('two'))
    expect(countOf('two')).toBeLessThanOrEqual(alone.countOf('two'))
  })

  it('is tested with all values where another operation rejects the caller', async () => {
    const { countOf } = await judge(THREE, (name) => (name === 'one' ? 403 : undefined))
    expect(countOf('two')).toBe((await judge(operation('two'))).countOf('two'))
  })

  it.each<readonly [string, Parameter]>([
    ['schema', { schema: { type: 'string', pattern: '^c[0-9]{1,4}$' } }],
    ['name', { name: 'other' }],
  ])('of another %s is another one', async (_, parameter) => {
    const paths = { ...operation('two', parameter), ...operation('one') }
    const alone = await judge(operation('one'))
    expect((await judge(paths)).countOf('one')).toBe(alone.countOf('one'))
  })
})

it('no invalid request is sent again after it was rejected', async () => {
  const { sent } = await judge(operation('one'))
  const invalid = sent.filter((one) => !isRight({ url: one.replace(/^\w+ /, '') } as Sent))
  expect(invalid.length).toBeGreaterThan(3)
  expect(new Set(invalid).size).toBe(invalid.length)
})
