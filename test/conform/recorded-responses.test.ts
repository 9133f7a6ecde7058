import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { createTarget } from '../../src/conform/target.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'

const apiOf = (servers: string) =>
  loadApi({
    openapi: parseDocument(
      `
openapi: 3.1.0
info: { title: Things, version: '1' }
servers: ${servers}
paths:
  /things:
    get:
      operationId: look
      responses:
        '200':
          description: Found.
          headers: { Content-Length: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: object } } }
        '304': { description: Unchanged. }
`,
      'things.yaml',
    ),
  })

/** The rules that a recording violates, and how many of its exchanges were checked. */
const check = async (
  name: string,
  text: string,
  servers = '[{ url: https://things.example/v1 }]',
) => {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  const { findings, cases } = await checkTraffic(await apiOf(servers), join(folder, name))
  return { rules: findings.map(({ rule }) => rule), cases }
}

const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Encoding': 'gzip',
  'Content-Length': '27',
}
const URL = 'https://things.example/v1/things'

const har = (response: object, headers: object[] = []) =>
  JSON.stringify({
    log: { entries: [{ request: { method: 'GET', url: URL, headers }, response }] },
  })

const PAIRS = Object.entries(HEADERS).map(([name, value]) => ({ name, value }))
const content = { size: 7, mimeType: 'application/json', text: '{"a":1}' }

it.each([
  [
    'a.ndjson',
    JSON.stringify({
      request: { method: 'GET', url: URL },
      response: { status: 200, headers: HEADERS, body: { a: 1 } },
    }),
  ],
  ['a.har', har({ status: 200, headers: PAIRS, content })],
])('the body in %s is decoded, and the headers are those of the wire', async (name, text) => {
  expect(await check(name, text)).toEqual({ rules: [], cases: 1 })
})

it('the content that a browser adds to a 304 response from its cache was not sent', async () => {
  const text = har({ status: 304, headers: [], bodySize: 0, content })
  expect(await check('a.har', text)).toEqual({ rules: [], cases: 1 })
})

it.each([
  [
    "{ url: '{scheme}://{host}/v1', variables: { scheme: { default: https }, host: { default: a.example } } }",
  ],
  ["{ url: '{base}/v1', variables: { base: { default: 'https://a.example' } } }"],
  ["{ url: '{base}', variables: { base: { default: 'https://a.example/v1/' } } }"],
  ["{ url: '{host}/v1', variables: { host: { default: a.example } } }"],
])('requests to the server %s are known by their path, live and recorded', async (server) => {
  const { http } = createTarget(await apiOf(`[${server}]`), { url: 'http://127.0.0.1:9' })
  expect(http).toBe('http://127.0.0.1:9/v1')
  const text = har({ status: 200, headers: PAIRS, content })
  expect(await check('a.har', text, `[${server}]`)).toEqual({ rules: [], cases: 1 })
})

it('the content that a HAR file keeps elsewhere, with an unknown size, is not a missing body', async () => {
  const left = { size: -1, mimeType: 'application/json' }
  const text = har({ status: 200, headers: PAIRS, content: left })
  expect(await check('a.har', text)).toEqual({ rules: [], cases: 0 })
})

it.each<readonly [what: string, response: object, rules: readonly string[]]>([
  ['headers and body', {}, []],
  ['headers', { body: { a: 1 } }, []],
  ['body', { headers: HEADERS }, []],
  ['headers and body of an undeclared status', { status: 418 }, ['status-is-undeclared']],
  ['nothing', { headers: HEADERS, body: '' }, ['body-is-missing']],
  ['nothing, and has no body', { headers: { 'content-length': '0' } }, ['body-is-missing']],
  [
    'nothing, and has few headers',
    { headers: { 'content-type': 'application/json' }, body: {} },
    ['header-missing'],
  ],
])('a recording that lacks %s is checked by what it has', async (_, response, rules) => {
  const text = JSON.stringify({
    request: { method: 'GET', url: URL },
    response: { status: 200, ...response },
  })
  expect(await check('a.ndjson', text)).toEqual({ rules, cases: 1 })
})
