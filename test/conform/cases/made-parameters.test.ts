import { describe, expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import type { Sent } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

/** What a run sends to an operation with one required parameter, and what it says of a server of one rule. */
const runWith = async (parameter: object, isRight: (sent: Sent) => boolean) => {
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      paths: {
        '/s': {
          get: {
            operationId: 's',
            parameters: [{ required: true, ...parameter }],
            responses: { 200: { description: 'ok' }, 400: { description: 'bad' } },
          },
        },
      },
    }),
  })
  const asked: Sent[] = []
  const wire: Wire = async (sent) => {
    asked.push(sent)
    const { pathname } = new URL(sent.url)
    const isGet = sent.method === 'GET' || sent.method === 'HEAD'
    const status = pathname !== '/s' ? 404 : !isGet ? 405 : isRight(sent) ? 200 : 400
    const headers = [['allow', 'GET, HEAD']] as const
    const answer = { status, headers, body: new Uint8Array(), milliseconds: 1 }
    return { sent, answer, failure: undefined }
  }
  const verdict = await conform(api, { url: 'http://127.0.0.1:9', wire, rate: null })
  const [example] = asked.filter(({ url }) => new URL(url).pathname === '/s')
  return { asked, verdict, example: example as Sent }
}

const queryOf = ({ url }: Sent) => new URL(url).searchParams

const KIND = { type: 'string', enum: ['album', 'track'] }
const KINDS = { type: 'array', items: KIND }
const isKind = (text: string) => KIND.enum.includes(text)

type Row = readonly [string, object, (sent: Sent) => boolean]

describe('a required parameter without an example', () => {
  it.each<Row>([
    [
      'a list that is repeated',
      { name: 'kind', in: 'query', explode: true, schema: KINDS },
      (sent) => queryOf(sent).has('kind') && queryOf(sent).getAll('kind').every(isKind),
    ],
    [
      'a list between commas',
      { name: 'kind', in: 'query', explode: false, schema: KINDS },
      (sent) => (queryOf(sent).get('kind') ?? '').split(',').every(isKind),
    ],
    [
      'a list between blanks',
      { name: 'kind', in: 'query', style: 'spaceDelimited', explode: false, schema: KINDS },
      (sent) => (queryOf(sent).get('kind') ?? '').split(' ').every(isKind),
    ],
    [
      'a list or null',
      { name: 'kind', in: 'query', schema: { ...KINDS, type: ['array', 'null'] } },
      (sent) => queryOf(sent).has('kind') && queryOf(sent).getAll('kind').every(isKind),
    ],
    [
      'a list of numbers in a header',
      { name: 'X-Ids', in: 'header', schema: { type: 'array', items: { type: 'integer' } } },
      ({ headers }) => (headers['X-Ids'] ?? 'none').split(',').every((one) => /^-?\d+$/.test(one)),
    ],
    [
      'a list in a cookie',
      { name: 'kind', in: 'cookie', explode: false, schema: KINDS },
      ({ headers }) => /^kind=(album|track)(%2C|,|$)/.test(headers.cookie ?? ''),
    ],
    [
      'an object whose properties are all optional',
      {
        name: 'at',
        in: 'query',
        style: 'deepObject',
        schema: { type: 'object', properties: { from: { type: 'integer' } } },
      },
      (sent) => /^-?\d+$/.test(queryOf(sent).get('at[from]') ?? ''),
    ],
    [
      'a list as JSON',
      { name: 'kind', in: 'query', content: { 'application/json': { schema: KINDS } } },
      (sent) => Array.isArray(JSON.parse(queryOf(sent).get('kind') ?? 'null')),
    ],
  ])('%s: it is sent, and the operation is covered', async (_, parameter, isRight) => {
    const { example, verdict } = await runWith(parameter, isRight)
    expect(isRight(example)).toBe(true)
    expect(verdict.findings.map(({ message }) => message)).toEqual([])
    const [operations] = verdict.coverage
    expect(operations?.met).toEqual(['s'])
    expect(JSON.stringify(verdict.notTested)).not.toMatch(/restrict the schema|give it an example/)
  })

  it('a list with an item that is not listed is rejected, or reported', async () => {
    const parameter = { name: 'kind', in: 'query', schema: KINDS }
    const { verdict } = await runWith(parameter, (sent) => queryOf(sent).has('kind'))
    expect(verdict.findings.map(({ rule }) => rule)).toContain('invalid-request-accepted')
  })

  it.each<Row>([
    ['numbers as texts', { type: 'string' }, () => true],
    ['one item as a value', { type: ['string', 'array'], items: { type: 'string' } }, () => true],
  ])('what may be read as valid is no error: %s', async (_, items, isRight) => {
    const schema = { type: 'array', items }
    const { verdict } = await runWith({ name: 'kind', in: 'query', schema }, isRight)
    const accepted = verdict.findings.filter(({ rule }) => rule === 'invalid-request-accepted')
    expect(accepted.map(({ message }) => message).filter((text) => !/left out/.test(text))).toEqual(
      [],
    )
  })
})
