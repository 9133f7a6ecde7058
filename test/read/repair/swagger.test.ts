import { expect, it } from 'vitest'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'

const apiOf = (parts: object) =>
  loadApi({
    openapi: parseDocument(
      JSON.stringify({ swagger: '2.0', info: { title: 'Test', version: '1' }, ...parts }),
      'test.json',
    ),
  })

const warningsOf = ({ findings }: Awaited<ReturnType<typeof loadApi>>) =>
  findings
    .filter(({ level }) => level !== 'note')
    .map(({ level, rule, location }) => `${level} ${rule} ${location.pointer}`)

const HOST = 'warning field-has-wrong-type /host'
const BASE = 'warning field-has-wrong-type /basePath'
const SCHEMES = 'warning field-has-wrong-type /schemes'

it.each([
  [{ host: 'https://a.test', basePath: '/v1' }, ['https://a.test/v1'], [HOST]],
  [{ host: 'https://a.test', schemes: ['http'] }, ['http://a.test'], [HOST]],
  [{ host: '//a.test:8080' }, ['http://a.test:8080'], [HOST]],
  [{ host: 'a.test/', basePath: '/v1' }, ['http://a.test/v1'], [HOST]],
  [{ host: 'a.test/api/', basePath: '/v1' }, ['http://a.test/api/v1'], [HOST]],
  [{ host: 'a.test', basePath: 'v1' }, ['http://a.test/v1'], [BASE]],
  [{ host: 'a.test', basePath: '//v1' }, ['http://a.test/v1'], [BASE]],
  [{ host: 'a.test', basePath: 'https://b.test/v1' }, ['https://a.test/v1'], [BASE]],
  [{ basePath: 'https://a.test/v1' }, ['https://a.test/v1'], [BASE]],
  [{ host: 'a.test', schemes: 'https' }, ['https://a.test'], [SCHEMES]],
  [{ host: 'a.test', schemes: 'HTTPS, http' }, ['https://a.test', 'http://a.test'], [SCHEMES]],
  [{ host: 'a.test', schemes: ['https://'] }, ['https://a.test'], [SCHEMES]],
  [{ host: 'a.test:80', basePath: '/', schemes: ['https'] }, ['https://a.test:80/'], []],
  [{ host: '', schemes: [] }, [], []],
  [{ basePath: '', schemes: ['https'] }, [], []],
  [{ host: null, basePath: '/v1' }, ['/v1'], [HOST]],
  [{ host: { name: 'a.test' } }, [], ['error field-has-wrong-type /host']],
])('the server is repaired: %j', async (parts, urls, warnings) => {
  const paths = { '/a': { get: { responses: { 200: { description: 'Read.' } } } } }
  const api = await apiOf({ ...parts, paths })
  expect(api.http?.servers.map(({ url }) => url)).toEqual(urls)
  expect(warningsOf(api)).toEqual(warnings)
})

it('the message says how the server is read and what to write', async () => {
  const paths = { '/a': { get: { responses: { 200: { description: 'Read.' } } } } }
  const { findings } = await apiOf({ host: 'https://a.test/api', basePath: 'v1', paths })
  expect(findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'basePath must be a path that begins with one slash, not v1: it is read as /v1; write basePath: /v1',
      'host must be a host without a scheme and a path, not https://a.test/api: it is read as a.test; write host: a.test, schemes: [https], basePath: /api/v1',
    ]),
  )
})

const bodyOf = (name: string, type = 'string') => ({ in: 'body', name, schema: { type } })
const formOf = (name: string) => ({ in: 'formData', name, type: 'string' })
const JSON_TEXT = ['application/json', { type: 'string' }]
const FORM = ['multipart/form-data', { type: 'object', properties: { f: { type: 'string' } } }]
const ORDER = ['application/json', { $ref: '#/components/schemas/Order' }]
const POST = '/paths/~1a/post/parameters'
const reference = { in: 'body', name: 'b', $ref: '#/definitions/Order' }
const shared = (name: string) => ({ $ref: `#/parameters/${name}` })

it.each<[string, object[], object[], unknown[], string[]]>([
  ['two bodies', [bodyOf('a'), bodyOf('b', 'integer')], [], JSON_TEXT, [`${POST}/1`]],
  ['two shared ones', [shared('one'), shared('two')], [], JSON_TEXT, [`${POST}/1`]],
  ['a body beside a form', [bodyOf('a'), formOf('f')], [], FORM, [`${POST}/0`]],
  [
    'a form, and a body of its path',
    [formOf('f')],
    [bodyOf('a')],
    FORM,
    ['/paths/~1a/parameters/0'],
  ],
  ['a body in place of that of its path', [bodyOf('a')], [bodyOf('b', 'integer')], JSON_TEXT, []],
  ['a reference beside in', [reference], [], ORDER, [`${POST}/0/$ref`]],
  ['a shared reference beside in', [shared('order')], [], ORDER, []],
  ['in: form', [{ ...formOf('f'), in: 'form' }], [], FORM, [`${POST}/0/in`]],
  ['in: Body', [{ ...bodyOf('a'), in: 'Body' }], [], JSON_TEXT, [`${POST}/0/in`]],
])('a body is not lost silently: %s', async (_what, own, common, content, warned) => {
  const responses = { 200: { description: 'Read.' } }
  const api = await apiOf({
    parameters: { one: bodyOf('one'), two: bodyOf('two', 'integer'), order: reference },
    definitions: { Order: { type: 'object' } },
    paths: { '/a': { parameters: common, post: { parameters: own, responses } } },
  })
  const [post] = api.operations
  const [media] = (post?.kind === 'http' && post.body?.content) || []
  expect([media?.type, media?.schema]).toMatchObject(content)
  // The shared reference has a warning in every row.
  const places = warningsOf(api).filter((one) => !one.endsWith('/parameters/order/$ref'))
  expect(places.map((one) => one.split(' ')[2])).toEqual(warned)
})

it('a schema in the place of a response is read as its schema', async () => {
  const $ref = '#/definitions/Order'
  const api = await apiOf({
    definitions: { Order: { type: 'object' } },
    responses: { Missing: { $ref } },
    paths: {
      '/a': { get: { responses: { 200: { $ref }, 404: { $ref: '#/responses/Missing' } } } },
    },
  })
  const [get] = api.operations
  const responses = get?.kind === 'http' ? get.responses : []
  expect(responses.map(({ content }) => [content[0]?.type, content[0]?.schema])).toEqual([
    ORDER,
    ORDER,
  ])
  expect(warningsOf(api)).toEqual([
    'warning schema-keyword-is-outside-schema /responses/Missing/$ref',
    'warning schema-keyword-is-outside-schema /paths/~1a/get/responses/200/$ref',
  ])
})
