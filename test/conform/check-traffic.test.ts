import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { CORPORA, corpus, named, readCorpus } from '../conformance/corpora.js'
import { api as service } from '../conformance/documents.js'
import { answering, apiOf, openapiOf } from '../read/api-of.js'
import { api, KEY } from './responses/fixture-shop.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string | Uint8Array): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const call = '{"jsonrpc":"2.0","method":"count","id":9007199254740993}'
const answer = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":5}`
const good = answer('9007199254740993')
const wrong = answer('9007199254740992')

const har = (...entries: readonly object[]) =>
  JSON.stringify({ log: { version: '1.2', entries } }, null, 1)
const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

describe('recorded traffic', () => {
  it('is read as round trips, several in a file', async () => {
    const file = write(
      'a.io',
      `// fine\n>> ${call}\n<< ${good}\n\n// not\n>> ${call}\n<< ${wrong}\n`,
    )
    const { findings, cases } = await checkTraffic(api, folder)
    expect(findings.map(({ rule, location }) => [rule, location.file])).toEqual([
      ['long-id-is-not-echoed', 'openrpc.yaml'],
    ])
    expect(findings[0]?.exchange.request).toContain(`${file}:6 POST`)
    expect(cases).toBe(2)
  })

  it('is read as an exchange a line, of JSON-RPC alone or of HTTP', async () => {
    const line = (body: string, status = 200) =>
      `{"request":{"method":"post","url":"https://staging.example/orders","body":{"item":"tea"}},"response":{"status":${status},"headers":{"Content-Type":"application/json","X-Left":"3"},"body":${body}}}`
    const file = write(
      'a.ndjson',
      [
        `{"request":${call},"response":${good}}`,
        `{"request":${call},"response":${wrong}}`,
        line('{"bought":"tea"}'),
        line('"{\\"costs\\":5}"'),
        line('{"bought":"tea"}', 201),
        '{"request":{"jsonrpc":"2.0","method":"count"},"response":null}',
      ].join('\n'),
    )
    const { findings, cases, coverage } = await checkTraffic(api, file)
    expect(findings.map(({ rule, exchange }) => [rule, exchange.request.split(' ')[0]])).toEqual([
      ['long-id-is-not-echoed', `${file}:2`],
      ['response-of-other-variant', `${file}:4`],
      ['status-is-undeclared', `${file}:5`],
    ])
    expect(cases).toBe(6)
    expect(coverage.find(({ kind }) => kind === 'variant')?.met).toEqual(['order buy'])
  })

  it('is checked item by item where a request body is JSON Lines', async () => {
    const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
    const content = { 'application/jsonl': { itemSchema: item } }
    const responses = { 204: { description: 'Added.' }, 400: { description: 'Rejected.' } }
    const openapi = parseDocument(
      JSON.stringify({
        openapi: '3.2.0',
        info: { title: 'Items', version: '1' },
        paths: {
          '/items': { post: { operationId: 'add', requestBody: { content }, responses } },
        },
      }),
      'items.json',
    )
    const line = (body: unknown) =>
      JSON.stringify({
        request: {
          ...{ method: 'POST', url: 'https://staging.example/items' },
          ...{ headers: { 'content-type': 'application/jsonl' }, body },
        },
        response: { status: 204, headers: { date: 'today' }, body: '' },
      })
    const file = write(
      'a.ndjson',
      ['{"id":1}\n{"id":2}\n', '{"id":1}\n{"id":"2"}\n', '{"id":1}\n', [{ id: 1 }]]
        .map(line)
        .join('\n'),
    )
    const { findings } = await checkTraffic(await loadApi({ openapi }), file)
    expect(
      findings.map(({ rule, message, exchange }) => [
        rule,
        message,
        exchange.request.split(' ')[0],
      ]),
    ).toEqual([
      [
        'invalid-request-accepted',
        expect.stringContaining('body/1/id must be an integer'),
        `${file}:2`,
      ],
    ])
  })

  it('is read as an HTTP archive, decoded, and shows no key and no cookie', async () => {
    const file = write(
      'a.har',
      har(
        {
          request: {
            method: 'GET',
            url: `https://shop.example/keyed/${encodeURIComponent(KEY)}?page=1`,
            headers: pairs({
              Cookie: 'session=of-the-first-caller',
              Authorization: 'Bearer of-nobody-1',
            }),
          },
          response: {
            status: 200,
            headers: pairs({ 'content-type': 'application/json', 'content-encoding': 'gzip' }),
            content: {
              text: Buffer.from(`{"said":["of-the-first-caller","${KEY}"]}`).toString('base64'),
              encoding: 'base64',
            },
          },
        },
        {
          request: { method: 'GET', url: 'https://shop.example/style.css' },
          response: { status: 200 },
        },
        {
          request: { method: 'POST', url: 'https://shop.example/orders' },
          response: { status: 0 },
        },
      ),
    )
    const verdict = await checkTraffic(api, file)
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(['api-key-leaked', 'body-invalid'])
    expect(verdict.findings[0]?.exchange.request).toContain(
      `${file}#/log/entries/0 GET https://shop.example/keyed/$KEY`,
    )
    expect(verdict.notTested.map(({ why, what }) => [why, what.length])).toEqual([
      ['it does not match a documented operation', 1],
      ['its response was not recorded', 1],
    ])
    const report = JSON.stringify(verdict)
    for (const secret of [KEY, encodeURIComponent(KEY), 'of-the-first-caller', 'of-nobody-1'])
      expect(report).not.toContain(secret)
  })

  it.each([
    ['/größe/{apiKey}', '/gr%C3%B6%C3%9Fe/KEY'],
    ['/größe/{apiKey}', '/gr%c3%b6%c3%9fe/KEY'],
    ['/users/{apiKey}', '/user%73/KEY'],
    ['/a%62/{apiKey}', '/ab/KEY'],
    ['/a b/{apiKey}.json', '/a%20b/KEY.json'],
  ])('shows no key of %s in %s, whichever way its other letters are written', async (path, url) => {
    const written = url.replace('KEY', encodeURIComponent(KEY))
    const place = { name: 'apiKey', in: 'path', required: true, 'x-secret': true }
    const apiKey = { ...place, schema: { type: 'string' } }
    const get = { ...answering({ type: 'integer' }).get, parameters: [apiKey] }
    const keyed = await apiOf({ openapi: openapiOf({ paths: { [path]: { get } } }) })
    const recorded = {
      request: { method: 'GET', url: `https://shop.example${written}` },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: `"${KEY}"`,
      },
    }
    const verdict = await checkTraffic(keyed, write('a.ndjson', JSON.stringify(recorded)))
    expect(verdict.findings.map(({ rule }) => rule)).toContain('api-key-leaked')
    const report = JSON.stringify(verdict)
    for (const secret of [KEY, encodeURIComponent(KEY)]) expect(report).not.toContain(secret)
  })

  it('shows no token of a query that no scheme declares, nor a user, and leaves long words be', async () => {
    const long = 'a-long-value-of-a-query-and-no-key-at-all'
    const file = write(
      'a.ndjson',
      JSON.stringify({
        request: {
          method: 'POST',
          url: `https://ann:pa55word@shop.example/orders?access_token=abc.def&x=${long}&page=1`,
          body: { item: 'tea' },
        },
        response: { status: 201, body: { bought: 'tea abc.def' } },
      }),
    )
    const { findings } = await checkTraffic(api, file)
    expect(findings[0]?.exchange.request).toContain('/orders?access_token=$KEY&x=$KEY&page=1')
    const report = JSON.stringify(findings)
    for (const secret of ['abc.def', 'pa55word', long]) expect(report).not.toContain(secret)
  })

  it('says what it leaves out', async () => {
    write('a.io', `>> ${call}\n>> ${call.replace('count', 'unknown')}\n<< ${good}\n`)
    write('readme.txt', 'hello')
    expect((await checkTraffic(api, folder)).notTested.map(({ why }) => why)).toEqual([
      'its response was not recorded',
      'its method is not documented: only the JSON-RPC envelope of its response was checked',
      'it is not a .io, .har, .ndjson or .jsonl file',
    ])
  })

  it('is read on after a line that cannot be read, which is reported as not tested', async () => {
    const wrongCall = `{"request":${call},"response":${wrong}}`
    const file = write('a.ndjson', `${wrongCall}\n{"request":\n${wrongCall}`)
    const { cases, findings, notTested } = await checkTraffic(api, folder)
    expect(cases).toBe(2)
    expect(findings).toHaveLength(1)
    expect(notTested).toEqual([
      { what: [`${file}:2`], why: expect.stringMatching(/^this is not JSON/) },
    ])
  })

  it.each<readonly [name: string, text: string | Uint8Array, message: RegExp]>([
    ['a.io', `== ${good}`, /a\.io:1: a line must begin with \/\/ \(a comment\)/],
    ['a.io', `// x\n<< ${good}`, /a\.io:2: this response has no request: write the line/],
    ['a.ndjson', '{"request":', /a\.ndjson:1: this is not JSON/],
    [
      'a.ndjson',
      '{"asked":1}',
      /a\.ndjson:1: an exchange must have a request and a response: write/,
    ],
    [
      'a.ndjson',
      '{"request":{"url":"http://a/orders"},"response":{}}',
      /a\.ndjson:1: .* must have a method: add it/,
    ],
    [
      'a.ndjson',
      '{"request":{"method":"GET","url":"http://a/orders"},"response":{}}',
      /a\.ndjson:1: .* must have a status/,
    ],
    ['a.har', '{"log":{}}', /a\.har:1: a HAR file must contain .*: save it again/],
    ['a.har', '{"log":\n{"entries":\n[{"request":1}]}}', /a\.har:3: an entry must have a request/],
    ['a.io', Uint8Array.of(0xff, 0xfe), /a\.io:1: it cannot be read as UTF-8/],
    ['a.txt', 'hello', /:1: there is no recorded traffic here: name a folder/],
  ])('refuses %s in a sentence: %j', async (name, text, message) => {
    write(name, text)
    await expect(checkTraffic(api, folder)).rejects.toThrow(
      expect.objectContaining({ name: 'RecordingError', message: expect.stringMatching(message) }),
    )
  })

  it('refuses a folder that is not there', async () => {
    await expect(checkTraffic(api, join(folder, 'none'))).rejects.toThrow(
      /none:1: it cannot be read/,
    )
  })
})

const recordings = corpus('execution-apis/io')

describe.skipIf(recordings.length === 0)(
  named('what Ethereum nodes really said', recordings),
  () => {
    const io = join(CORPORA, 'execution-apis', 'io')

    it('gives no false alarm by our document', async () => {
      const { findings, cases } = await checkTraffic(service, io)
      expect(cases).toBe(229)
      expect(findings).toEqual([])
    })

    it('breaks its own document in one place, and grows in two', async () => {
      const theirs = await loadApi({ openrpc: join(CORPORA, 'execution-apis', 'openrpc.json') })
      const { findings } = await checkTraffic(theirs, io)
      expect(
        findings.map(({ level, identity, exchange }) => [level, identity, exchange.count]),
      ).toEqual([
        ['note', 'response-property-undeclared eth_simulateV1 /result/*/calls/*/logs', 3],
        ['note', 'response-property-undeclared eth_simulateV1 /result/*/calls/*/error/data', 3],
        // Its schema wants messages that begin with `vm execution error`, and the node says `out of gas`.
        ['error', 'result-invalid eth_simulateV1 /result/*/calls/*', 2],
      ])
    })
  },
)

const published = corpus('zkt-examples')

describe.skipIf(published.length === 0)(named('what the service published', published), () => {
  it('keeps the contract, wherever a request and its answer were both shown', async () => {
    const lines = published.flatMap((name) => {
      const example = JSON.parse(readCorpus('zkt-examples', name))
      const [method, template = ''] = example.endpoint.split(' ')
      if (!example.response || !(example.request || method === 'GET')) return []
      const { queueId = '' } = example.request ?? {}
      const url = template
        .replace(/^\{\w+\}/, 'https://recorded.example')
        .replace('{queueId}', queueId)
        .replace('{api_key}', 'key-of-a-recording')
      const status = example.response.error === 'Transaction not found' ? 404 : 200
      const request = { method, url, ...(method === 'GET' ? {} : { body: example.request }) }
      return [JSON.stringify({ request, response: { status, body: example.response } })]
    })
    const { findings, cases, notTested } = await checkTraffic(
      service,
      write('published.ndjson', lines.join('\n')),
    )
    expect(cases).toBe(lines.length)
    expect(lines.length).toBeGreaterThanOrEqual(15)
    expect(notTested).toEqual([])
    expect(findings.map(({ level, identity }) => [level, identity])).toEqual([])
  })
})
