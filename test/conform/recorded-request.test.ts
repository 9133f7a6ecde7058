import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { api } from './cases/store.js'

const folder = mkdtempSync(join(tmpdir(), 'requests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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

const FORM = 'application/x-www-form-urlencoded'
const colours = { type: 'string', enum: ['red', 'blue'] }
const fields = { type: 'object', properties: { c: colours, n: { type: 'integer' } } }
const paint = await apiOf({
  openapi: openapiOf({
    paths: {
      '/paint/{v}': {
        get: {
          operationId: 'paint',
          parameters: [
            { name: 'v', in: 'path', required: true, style: 'label', schema: colours },
            { name: 'n', in: 'query', required: true, schema: { type: 'integer' } },
            {
              name: 'list',
              in: 'query',
              explode: false,
              schema: { type: 'array', items: colours },
            },
            { name: 'f', in: 'query', style: 'deepObject', explode: true, schema: fields },
            { name: 'j', in: 'query', content: { 'application/json': { schema: fields } } },
          ],
          responses: { 204: { description: 'Painted.' }, 400: { description: 'Refused.' } },
        },
      },
      '/form': {
        post: {
          operationId: 'form',
          requestBody: {
            required: true,
            content: {
              [FORM]: { schema: fields },
              'multipart/form-data': { schema: fields },
              'text/plain': { schema: { type: 'string' } },
            },
          },
          responses: { 204: { description: 'Painted.' }, 400: { description: 'Refused.' } },
        },
      },
    },
  }),
})

const part = (name: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`

it.each<
  [url: string, type: string | undefined, body: string | undefined, rules: string[], not: string[]]
>([
  ['/paint/.red?n=1', undefined, undefined, [], []],
  ['/paint/.red?n=1&list=red,blue&f[c]=red&j=%7B%22n%22%3A1%7D', undefined, undefined, [], []],
  ['/paint/.green?n=1', undefined, undefined, ['path/v'], []],
  ['/paint/.red?n=x', undefined, undefined, ['query/n'], []],
  ['/paint/.red', undefined, undefined, ['query/n'], []],
  ['/paint/.red?n=1&list=red,green', undefined, undefined, ['query/list/1'], []],
  ['/paint/.red?n=1&f%5Bc%5D=green', undefined, undefined, ['query/f/c'], []],
  ['/paint/.red?n=1&j=%7B%22c%22%3A5%7D', undefined, undefined, ['query/j/c'], []],
  ['/paint/red?n=1', undefined, undefined, [], ['the path parameter v cannot be read']],
  ['/paint/.red?n=%zz', undefined, undefined, [], ['the query parameter n cannot be read']],
  ['/form', FORM, 'c=red&n=1', [], []],
  ['/form', FORM, 'c=green', ['body/c'], []],
  ['/form', FORM, 'n=x', ['body/n'], []],
  ['/form', FORM, 'c=%zz', [], ['the body of its request was not recorded, or cannot be read']],
  ['/form', FORM, undefined, [], ['the body of its request was not recorded, or cannot be read']],
  ['/form', 'multipart/form-data; boundary=b', `${part('c', 'blue')}--b--\r\n`, [], []],
  ['/form', 'multipart/form-data; boundary=b', `${part('c', 'green')}--b--\r\n`, ['body/c'], []],
  ['/form', 'text/plain', 'anything', [], []],
])('of %s as %s: %j', async (url, type, body, places, not) => {
  const file = join(folder, 'a.ndjson')
  const request = {
    method: url.startsWith('/form') ? 'POST' : 'GET',
    url: `https://any.example${url}`,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body !== undefined && { body }),
  }
  const judged = async (status: number) => {
    writeFileSync(file, JSON.stringify({ request, response: { status, headers: {} } }))
    return checkTraffic(paint, file)
  }
  const taken = await judged(204)
  expect(
    taken.findings.map(({ rule, message }) => [
      rule,
      / ((?:path|query|body)\/\S+) /.exec(message)?.[1],
    ]),
  ).toEqual(places.map((place) => ['invalid-request-accepted', place]))
  expect(taken.notTested.map(({ why }) => why)).toEqual(not)
  expect((await judged(400)).findings).toEqual([])
})

it.each<readonly [what: string, response: object, rules: readonly string[]]>([
  ['all headers', { headers: { 'x-id': '7' } }, ['header-missing']],
  ['some headers', { headers: { 'x-id': '7' }, omitted: ['headers'] }, []],
  ['no headers', {}, []],
])(
  'a required header of a response is missing only where %s were recorded',
  async (_, parts, rules) => {
    const headers = { Colour: { required: true, schema: { type: 'string' } } }
    const responses = { 204: { description: 'Painted.', headers } }
    const paths = { '/paint': { get: { operationId: 'paint', responses } } }
    const painting = await apiOf({ openapi: openapiOf({ paths }) })
    const request = { method: 'GET', url: 'https://any.example/paint' }
    const file = join(folder, 'headers.ndjson')
    writeFileSync(file, JSON.stringify({ request, response: { status: 204, ...parts } }))
    const { findings } = await checkTraffic(painting, file)
    expect(findings.map(({ rule }) => rule)).toEqual(rules)
  },
)
