import { describe, expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

type Item = { readonly color: string }

const RED: Item = { color: 'red' }
const BLUE: Item = { color: 'blue' }

const ITEM = { type: 'object', required: ['color'], properties: { color: { type: 'string' } } }
const LIST = { type: 'array', items: ITEM }
const parameter = (name: string, schema: object, example?: unknown) => ({
  ...{ name, in: 'query', schema },
  ...(example !== undefined && { example }),
})
const limit = (example?: unknown) => parameter('limit', { type: 'integer' }, example)
const color = (example?: unknown) => parameter('color', { type: 'string' }, example)

type Row = {
  readonly parameters: readonly object[]
  readonly schema?: object
  /** The example of the list. */
  readonly example?: unknown
  /** The list of a server that knows no parameter. */
  readonly items?: readonly Item[]
  readonly links?: object
  /** The declared key of the status, and the status of the server. */
  readonly status?: readonly [key: string, sent: number]
  /** Other declared responses. */
  readonly others?: object
}

const judge = async (row: Row) => {
  const { parameters, schema = LIST, example, items = [RED, BLUE], links, others } = row
  const [key, status] = row.status ?? ['200', 200]
  const media = { schema, ...(example !== undefined && { example }) }
  const get = {
    operationId: 'list',
    parameters,
    responses: {
      [key]: { description: 'ok', content: { 'application/json': media }, ...(links && { links }) },
      400: { description: 'no' },
      ...others,
    },
  }
  const api = await apiOf({
    openapi: openapiOf({ version: '3.1.0', paths: { '/items': { get } } }),
  })
  const body = Buffer.from(
    JSON.stringify('type' in schema && schema.type === 'array' ? items : { items }),
  )
  const wire: Wire = async (sent) => ({
    sent,
    answer: { status, headers: [['content-type', 'application/json']], body, milliseconds: 1 },
    failure: undefined,
  })
  const { findings, notTested } = await conform(api, {
    ...{
      url: 'http://127.0.0.1:9',
      wire,
      rate: null,
      maxExamples: 0,
      only: ['list'],
    },
    sleep: async () => undefined,
  })
  const what = notTested.flatMap(({ what, why }) => what.map((one) => `${one}: ${why}`))
  return {
    rules: findings.map(({ rule }) => rule).filter((rule) => rule.endsWith('-ignored')),
    left: what.flatMap(
      (one) =>
        /^list, whether query\.(\w+) changes the list: (no example|.*)/
          .exec(one)
          ?.slice(1)
          .join(': ') ?? [],
    ),
  }
}

describe('the parameters of a list', () => {
  it.each<readonly [string, Row, readonly string[], readonly string[]]>([
    ['a limit without an example', { parameters: [limit()] }, [], ['limit: no example']],
    ['a filter without an example', { parameters: [color()] }, [], ['color: no example']],
    [
      'a limit and a filter whose effect no list shows',
      { parameters: [limit(1), color('red')] },
      [],
      ['limit: no example', 'color: no example'],
    ],
    [
      'examples that show no effect',
      { parameters: [limit(1), color('red')], example: [RED, BLUE] },
      [],
      ['limit: no example', 'color: no example'],
    ],
    [
      'a list within an object',
      { parameters: [limit()], schema: { type: 'object', properties: { items: LIST } } },
      [],
      ['limit: no example'],
    ],
    [
      'examples that show the effect of both',
      { parameters: [limit(1), color('red')], example: [RED] },
      ['limit-ignored', 'filter-ignored'],
      [],
    ],
    [
      'examples that show the effect of one',
      {
        parameters: [limit(2), color('red'), parameter('sort', { type: 'string' })],
        example: [RED, RED],
        items: [RED, BLUE, RED],
      },
      ['limit-ignored', 'filter-ignored'],
      ['sort: no example'],
    ],
    [
      'a list that is shorter than its limit',
      { parameters: [limit(3)], example: [RED, BLUE, RED] },
      [],
      ['limit: the list of the server has only 2'],
    ],
    [
      'a list without items',
      { parameters: [color('red')], example: [RED], items: [] },
      [],
      ['color: the list of the server has no items'],
    ],
    [
      'a response that is no list',
      {
        parameters: [color()],
        schema: { type: 'object', properties: { color: { type: 'string' } } },
      },
      [],
      [],
    ],
    [
      'a parameter that selects a page',
      {
        parameters: [parameter('cursor', { type: 'string' })],
        schema: { type: 'object', properties: { items: LIST, next: { type: 'string' } } },
        links: { next: { operationId: 'list', parameters: { cursor: '$response.body#/next' } } },
      },
      [],
      [],
    ],
  ])('%s', async (_, row, rules, left) => {
    const found = await judge(row)
    expect(found.rules).toEqual(rules)
    expect(found.left).toEqual(left)
  })
})

describe('a list that ignores its parameters', () => {
  const shown = { parameters: [limit(1)], example: [RED] }
  it.each<readonly [key: string, sent: number, others: object, rules: readonly string[]]>([
    ['203', 203, {}, ['limit-ignored']],
    ['2XX', 200, {}, ['limit-ignored']],
    ['2XX', 203, {}, ['limit-ignored']],
    ['default', 200, {}, ['limit-ignored']],
    ['201', 201, {}, ['limit-ignored']],
    // Beside a success, `default` describes errors.
    ['default', 202, { 200: { description: 'ok' } }, []],
    ['200', 404, {}, []],
  ])('declares %s and sends %d', async (key, sent, others, rules) => {
    expect((await judge({ ...shown, status: [key, sent], others })).rules).toEqual(rules)
  })
})
