import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CannedServer, startCanned } from './canned-server.js'
import { type Browser, hasChromium, openChromium, type Tab, until } from './chromium.js'
import { SHOP } from './fixture-shop.js'
import { siteOf, siteOfSpec } from './site-of.js'

let browser: Browser
let axe: string
/** Of one method, which many answers are sent to. */
let form: Tab
let folder: string
let base: string
let server: CannedServer
const problems: string[] = []

beforeAll(async () => {
  if (!hasChromium) return
  folder = mkdtempSync(join(tmpdir(), 'site of try-it-'))
  base = `${pathToFileURL(folder).href}/`
  for (const { name, text } of (await siteOfSpec()).files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  server = await startCanned()
  ;({ browser, axe } = await openChromium())
  form = await openForm('ethGetBalance')
})

beforeEach(() => server?.reset())

afterAll(async () => {
  await browser?.close()
  await server?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const open = async (
  path: string,
  options: Parameters<Browser['newPage']>[0] = { viewport: { width: 1280, height: 900 } },
): Promise<Tab> => {
  const tab = await browser.newPage(options)
  tab.on('pageerror', (error) => problems.push(error.message))
  await tab.goto(base + path)
  return tab
}

/** Opens the form of a page and names the canned server in it. */
const openForm = async (
  id: string,
  options?: Parameters<Browser['newPage']>[0],
  address = server.address,
): Promise<Tab> => {
  const tab = await open(`operations/${id}.html`, options)
  await tab.click('.open-try')
  await tab.waitForSelector('.send')
  await tab.selectOption('#try-server', 'address')
  await tab.fill('#try-address', address)
  return tab
}

/** Sends what stands in the form, and what is said of the answer. */
const sent = async (tab: Tab, button = '.send'): Promise<string> => {
  // What was said of the answer before is no answer to this.
  await tab.evaluate(FORGET)
  await tab.click(button)
  await tab.waitForSelector('.verdict[data-tone]')
  return (await tab.textContent('.verdict')) ?? ''
}

const FORGET = "document.querySelector('.verdict').removeAttribute('data-tone')"

const toneOf = (tab: Tab) => tab.getAttribute('.verdict', 'data-tone')

describe.skipIf(!hasChromium)('the try-it of a method', () => {
  it('sends the documented request as one POST, and says that the answer fits', async () => {
    server.answer({ json: { jsonrpc: '2.0', id: 1, result: '0x133ef04' } })
    const tab = await openForm('ethGetBalance')
    expect(await sent(tab)).toMatch(/^✓ Fits the schema of the result /)
    expect(await toneOf(tab)).toBe('fits')
    expect(server.heard).toEqual([
      {
        method: 'POST',
        url: '/zgt/try-it-out',
        type: 'application/json',
        headers: {},
        text: expect.any(String),
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_getBalance',
          params: ['0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', 'latest'],
        },
      },
    ])
    expect(await tab.textContent('.answered pre')).toBe(
      '{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": "0x133ef04"\n}',
    )
    expect(await tab.textContent('.facts')).toMatch(/^Status200Time[\d.]+ msSize45 bytes$/)
    await tab.close()
  })

  it.each([
    [
      'a result that breaks its schema',
      { json: { jsonrpc: '2.0', id: 1, result: '7' } },
      'wrong',
      /^✗ Breaks the schema of the result .* in 1 place\.the result must match/,
    ],
    [
      'an error that the method declares',
      { json: { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'header not found' } } },
      'error',
      /^! The server returned the error -32000, “header not found”\. The document declares this as HeaderNotFound: header not found\.-32000 among the errors of eth_getBalance$/,
    ],
    [
      'an error that only others declare',
      { json: { jsonrpc: '2.0', id: 1, error: { code: 3, message: 'reverted' } } },
      'wrong',
      /^✗ .*The document declares no 3 for eth_getBalance\.3 among all errors: execution reverted/,
    ],
    [
      'an error of JSON-RPC itself, of a request that it could not read',
      { json: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } } },
      'error',
      /declares no -32700 for eth_getBalance\. JSON-RPC 2\.0 itself says of -32700: the body is not JSON\.It has no id/,
    ],
    [
      'an error that nobody knows',
      { status: 500, json: { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'oops' } } },
      'wrong',
      /^✗ The server returned the error -1, “oops”\. The document declares no -1 for eth_getBalance\.The HTTP status is 500\.$/,
    ],
    [
      "another call's answer",
      { json: { jsonrpc: '2.0', id: 2, result: '0x1' } },
      'wrong',
      /^✗ This is not a response to the request: no response has id 1 \(seen: 2\)\.$/,
    ],
    [
      'an id of another type',
      { json: { jsonrpc: '2.0', id: '1', result: '0x1' } },
      'wrong',
      /seen: "1"/,
    ],
    [
      'neither result nor error',
      { json: { jsonrpc: '2.0', id: 1 } },
      'wrong',
      /has neither a result nor an error/,
    ],
    [
      'a page of a proxy',
      { status: 502, text: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } },
      'wrong',
      /^✗ The body is not JSON \(HTTP 502\): /,
    ],
    ['nothing', { text: '' }, 'wrong', /^✗ The response is empty \(HTTP 200\)\.$/],
  ] as const)('tells of %s', async (_, canned, tone, words) => {
    server.answer(canned)
    await form.selectOption('#try-example', '0')
    expect(await sent(form)).toMatch(words)
    expect(await toneOf(form)).toBe(tone)
  })

  it('does not send what breaks the document, says where and why, and sends it anyway when it is asked to', async () => {
    server.answer({ json: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } } })
    await form.fill('#try-body', '["0x12", 7]')
    await form.click('.send')
    await form.waitForSelector('#try-complaints li')
    expect(await form.textContent('#try-complaints')).toMatch(
      /^Not sent\. This does not fit the document:address, at \/0 must match .*is "0x12"block, at \/1 must /,
    )
    expect(await form.getAttribute('#try-body', 'aria-invalid')).toBe('true')
    expect(server.heard).toEqual([])
    expect(await sent(form, '.anyway')).toContain('-32602')
    expect(server.heard.map(({ body }) => body)).toMatchObject([{ params: ['0x12', 7] }])
    expect(await form.textContent('#try-complaints')).toBe('')
    expect(await form.getAttribute('#try-body', 'aria-invalid')).toBe(null)

    server.reset()
    server.answer({ json: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } } })
    await form.fill('#try-body', '["0x12",')
    await form.click('.send')
    await form.waitForSelector('#try-complaints li')
    expect(await form.textContent('#try-complaints')).toContain('the params are not JSON: ')
    await sent(form, '.anyway')
    expect(server.heard.map(({ body }) => body)).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x12",}',
    ])
  })

  it('sends numbers letter by letter, however large', async () => {
    server.answer({ text: '{"jsonrpc":"2.0","id":1,"result":12345678901234567890}' })
    await form.fill('#try-body', '[12345678901234567890]')
    await form.click('.send')
    await form.waitForSelector('.anyway')
    await sent(form, '.anyway')
    expect(server.heard[0]?.text).toContain('"params":[12345678901234567890]')
    expect(await form.textContent('.answered pre')).toContain('"result": 12345678901234567890')
  })

  it.each([
    [
      'a server that never answers, and Stop',
      { silent: true },
      /^You stopped the request: the server may have processed it\.$/,
    ],
    [
      'a server that lets no page read it',
      { cors: false, json: {} },
      /^No response from 127\.0\.0\.1:\d+: no server is running there, or it does not let pages opened from a disk read its responses \(CORS\)\. Try the curl command\.$/,
    ],
    [
      'an answer that ends before its body does',
      { broken: true, text: '{"json', headers: { 'content-length': '1000' } },
      /^The response of 127\.0\.0\.1:\d+ \(HTTP 200\) ended before its body was complete\.$/,
    ],
  ] as const)('tells of %s', async (_, canned, words) => {
    server.answer(canned)
    await form.selectOption('#try-example', '0')
    await form.evaluate(FORGET)
    await form.click('.send')
    if ('silent' in canned) await form.click('.stop')
    await form.waitForSelector('.verdict[data-tone]')
    expect(await form.textContent('.verdict')).toMatch(words)
    expect(await toneOf(form)).toBe('silence')
  })

  it('gives up after the time that it was given', async () => {
    server.answer({ silent: true })
    await form.fill('#try-seconds', '1')
    expect(await sent(form)).toMatch(/^127\.0\.0\.1:\d+ sent no complete response within 1 s: /)
    await form.fill('#try-seconds', '30')
  })

  it('tells of a server that is dead, of one that nobody named, and of an address that is none', async () => {
    const gone = await startCanned()
    await gone.close()
    const tab = await openForm('ethChainId', undefined, gone.address)
    expect(await sent(tab)).toMatch(
      /^No response from 127\.0\.0\.1:\d+: no server is running there, /,
    )
    for (const [address, words] of [
      ['', 'Choose a server, or enter its URL.'],
      ['127.0.0.1:80', 'The URL must begin with http://, https://, ws:// or wss://.'],
      ['http://127.0.0.1/{who}/', 'The URL needs a value for who.'],
    ] as const) {
      await tab.fill('#try-address', address)
      await tab.click('.send')
      await until(
        tab,
        `document.querySelector('#try-complaints').textContent.includes(${JSON.stringify(words)})`,
      )
      expect(await tab.isVisible('.anyway')).toBe(false)
      expect(await tab.getAttribute('#try-address', 'aria-invalid')).toBe('true')
    }
    await tab.close()
  })
})

describe.skipIf(!hasChromium)('the try-it of an HTTP operation', () => {
  it('sends the documented request, and names the schema that its form is answered by', async () => {
    server.answer({ json: ANSWERED })
    const tab = await openForm('tryZkt')
    expect(await sent(tab)).toBe(
      '✓ Fits the schema of 200 OK: ZktWriteAnswer, the response to the variant message.The documented response 200',
    )
    expect(server.heard).toMatchObject([
      {
        method: 'POST',
        url: '/zkt/try-it-out',
        type: 'application/json',
        body: { arguments: 'The ferry leaves at noon.' },
      },
    ])
    for (const [canned, tone, words] of [
      [
        { status: 200, json: { success: false, error: 'no', errorCode: 'REVERTED' } },
        'error',
        /^! An error that the document names under 200 OK: ZktError\./,
      ],
      [
        { status: 200, json: { success: true, contractAddress: '0x' } },
        'wrong',
        /^✗ Breaks what the document declares for the variant message \(ZktWriteAnswer or ZktWarningAnswer\) in \d+ place/,
      ],
      [
        { status: 400, json: { success: false, error: 'no', errorCode: 'INVALID_BODY' } },
        'error',
        /^! Fits the schema of 400 Bad Request \(ZktError\)\.The body is not JSON, matches no variant/,
      ],
      [
        { status: 400, json: { wrong: 1 } },
        'wrong',
        /^✗ Breaks the schema of 400 Bad Request \(ZktError\) in \d places?\.the body must have the property /,
      ],
      [
        { status: 418, json: {} },
        'wrong',
        /^✗ The document declares no status 418 here; it declares 200, 400, 405, 413, 415, 429, 503\.$/,
      ],
      [
        { status: 200, text: 'hello', headers: { 'content-type': 'text/plain' } },
        'wrong',
        /^✗ 200 OK is text\/plain, and the document declares application\/json for it\./,
      ],
      [
        { status: 200, text: '{', headers: { 'content-type': 'application/json' } },
        'wrong',
        /^✗ The body of 200 OK is not JSON: /,
      ],
    ] as const) {
      server.answer(canned)
      expect(await sent(tab)).toMatch(words)
      expect(await toneOf(tab)).toBe(tone)
    }
    await tab.close()
  })

  it('is filled from any example of the page, by its list and by a link, and keeps the link', async () => {
    const tab = await open('operations/tryZkt.html#try--deploy')
    await tab.waitForSelector('.send')
    await until(tab, "document.querySelector('#try-body').value.includes('contract')")
    await tab.selectOption('#try-example', '0')
    expect(JSON.parse(await tab.inputValue('#try-body'))).toEqual({
      arguments: 'The ferry leaves at noon.',
    })
    const link = `#try=${encodeURIComponent(JSON.stringify({ type: 'application/json', body: '{"arguments":"by a link"}' }))}`
    const other = await open(`operations/tryZkt.html${link}`)
    await until(other, "document.querySelector('#try-body')?.value.includes('by a link')")
    expect(server.heard).toEqual([])
    await other.close()
    await tab.close()
  })

  it('checks path and body before anything is sent, and remembers server and key for the whole site', async () => {
    server.answer({ json: ANSWERED })
    const tab = await openForm('submitZkt')
    await tab.fill('#try-body', '{"arguments":"x","id":1,"more":2}')
    await tab.click('.send')
    await tab.waitForSelector('#try-complaints li')
    expect(await tab.textContent('#try-complaints')).toMatch(/apiKey is required.*the body.*more/)
    // Nothing can stand in for a part of the path.
    expect(await tab.isVisible('.anyway')).toBe(false)
    expect(await tab.getAttribute('#try-secret-apiKey', 'aria-invalid')).toBe('true')
    await tab.fill('#try-secret-apiKey', 'a key/1')
    await tab.selectOption('#try-example', '0')
    expect(await sent(tab)).toMatch(/^✓/)
    expect(server.heard.map(({ url }) => url)).toEqual(['/zkt/a%20key%2F1'])
    const curl = await tab.textContent('.request code')
    expect(curl).toContain('/zkt/•••')
    expect(curl).not.toContain('key%2F1')

    server.answer({ json: { jsonrpc: '2.0', id: 1, result: '0x133ef04' } })
    await tab.goto(`${base}operations/ethChainId.html#try`)
    await tab.waitForSelector('.send')
    expect(await sent(tab)).toMatch(/^✓/)
    expect(server.heard.map(({ url }) => url)).toEqual(['/zkt/a%20key%2F1', '/zgt/a%20key%2F1'])
    await tab.close()
  })

  it('is worked by keyboard alone: Enter in a field and Ctrl+Enter in the editor send', async () => {
    server.answer({ status: 404, json: { error: 'Transaction not found' } })
    const tab = await openForm('getZktTransaction')
    await tab.keyboard.press('Enter')
    await tab.waitForSelector('.verdict[data-tone]')
    expect(await tab.textContent('.verdict')).toMatch(/^! Fits the schema of 404 Not Found/)
    expect(server.heard).toHaveLength(1)
    await tab.close()
    server.answer({ json: { jsonrpc: '2.0', id: 1, result: '0x1' } })
    const other = await openForm('ethGetBalance')
    await other.click('#try-body')
    await other.keyboard.press('Control+Enter')
    await other.waitForSelector('.verdict[data-tone="fits"]')
    await other.close()
  })

  it('what is copied as curl sends the very same request', async () => {
    server.answer({ json: ANSWERED })
    const tab = await openForm('tryZkt')
    await tab.fill('#try-body', `{"arguments": "it's \\"$HOME\\" \`x\` {a,b}"}`)
    await sent(tab)
    // The page may write to no clipboard here, so it shows and selects what it would have copied.
    await tab.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }')
    await tab.click('.curl')
    await until(tab, 'window.copied')
    await run('sh', ['-c', await tab.evaluate<string>('window.copied')])
    const [first, second] = server.heard
    expect(second).toEqual(first)
    expect(server.heard).toHaveLength(2)
    await tab.close()
  })

  it('a button that copies says so for a while, however often it is pressed', async () => {
    const tab = await openForm('tryZkt')
    await tab.evaluate('navigator.clipboard.writeText = async () => undefined')
    const words = () => tab.textContent('.link')
    await tab.click('.link')
    await until(tab, "document.querySelector('.link').textContent === 'Copied'")
    await tab.click('.link')
    expect(await words()).toBe('Copied')
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 2500))')
    expect(await words()).toBe('Copy link')
    await tab.close()
  })

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'axe finds nothing in it, in %s and %i wide, and it is no wider than the screen',
    async (colorScheme, width) => {
      server.answer({ status: 200, json: { success: true, contractAddress: '0x' } })
      const tab = await openForm('tryZkt', {
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
      })
      await tab.fill('#try-body', '{}')
      await tab.click('.send')
      await tab.waitForSelector('#try-complaints li')
      expect(await violations(tab)).toEqual([])
      await sent(tab, '.anyway')
      await tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      expect(await violations(tab)).toEqual([])
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await tab.close()
    },
  )

  it('of a site that its service serves goes there, with the credentials that were asked for once', async () => {
    const { files } = await siteOf({ openapi: SHOP }, { server: 'origin' })
    const service = await startCanned(files)
    service.answer({ json: { receipt: 'r1' }, headers: { 'x-left': '3' } })
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    tab.on('pageerror', (error) => problems.push(error.message))
    await tab.goto(`${service.address}/docs/operations/putThing.html#try`)
    await tab.waitForSelector('.send')
    expect(await tab.inputValue('#try-server')).toBe('origin')
    await tab.fill('#try-path-id', '7')
    await tab.selectOption('#try-query-strict', 'true')
    await tab.fill('#try-body', '{"name":"x"}')
    await tab.click('.send')
    await tab.waitForSelector('#try-complaints li')
    expect(await tab.textContent('#try-complaints')).toContain(
      'the request needs the credentials token, or headerKey and queryKey',
    )
    await tab.fill('#try-secret-headerKey', 'h')
    await tab.fill('#try-secret-queryKey', 'q')
    expect(await sent(tab)).toMatch(/^✓ Fits the schema of 200 OK \(Receipt\)\./)
    await tab.goto(`${service.address}/docs/index.html`)
    await tab.goto(`${service.address}/docs/operations/putThing.html#try`)
    await tab.waitForSelector('.send')
    expect(await tab.inputValue('#try-secret-headerKey')).toBe('h')
    await tab.fill('#try-secret-token', 't')
    await tab.fill('#try-path-id', '8')
    await tab.selectOption('#try-query-strict', 'true')
    await tab.selectOption('#try-type', 'application/x-www-form-urlencoded')
    await tab.fill('#try-body', '{"name":"a b"}')
    service.answer({ json: { receipt: 'r1' } })
    expect(await sent(tab)).toContain('X-Left is a header that must be sent')
    expect(service.heard.map(({ url, headers, text }) => ({ url, headers, text }))).toEqual([
      {
        url: '/v1/things/7?strict=true&key=q',
        headers: { 'x-key': 'h' },
        text: '{"name":"x"}',
      },
      {
        url: '/v1/things/8?strict=true',
        headers: { authorization: 'Bearer t' },
        text: 'name=a+b',
      },
    ])
    // Another tab knows nothing of it.
    const other = await browser.newPage()
    await other.goto(`${service.address}/docs/operations/putThing.html#try`)
    await other.waitForSelector('.send')
    expect(await other.inputValue('#try-secret-headerKey')).toBe('')
    await other.close()
    await tab.close()
    await service.close()
  })

  it('complained of nothing all the while', () => {
    expect(problems).toEqual([])
  })
})

const ANSWERED = {
  success: true,
  hash: `0x${'a'.repeat(64)}`,
  transactionHash: `0x${'a'.repeat(64)}`,
  queueId: '7e92b1c4-60d5-4a3f-b718-95fe2c0d8a46',
}

const violations = async (tab: Tab) => {
  await tab.addScriptTag({ path: axe })
  return tab.evaluate<readonly string[]>(
    "axe.run('section.try', { preload: false }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))",
  )
}

const run = promisify(execFile)

describe.skipIf(!hasChromium)('the try-it of a stream', () => {
  const STREAMS = {
    openapi: '3.2.0',
    info: { title: 'S', version: '1' },
    paths: {
      '/events': {
        get: {
          operationId: 'watch',
          responses: {
            200: {
              description: 'd',
              content: {
                'text/event-stream': {
                  itemSchema: {
                    type: 'object',
                    required: ['n'],
                    properties: { n: { type: 'integer' } },
                  },
                },
              },
            },
          },
        },
      },
    },
  }

  it('shows items as they come, and stops where the reader asks', async () => {
    const { files } = await siteOf({ openapi: STREAMS }, { server: 'origin' })
    let response: ServerResponse | undefined
    const service = createServer((request, given) => {
      const page = files.find(({ name }) => request.url === `/docs/${name}`)
      if (page) {
        const type = /\.(\w+)$/.exec(page.name)?.[1] ?? ''
        given.writeHead(200, { 'content-type': TYPES[type] ?? 'text/plain' }).end(page.text)
        return
      }
      response = given
      given.writeHead(200, { 'content-type': 'text/event-stream' })
      given.write('data: {"n":1}\n\ndata: {"n":"x"}\n\n')
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const { port } = service.address() as AddressInfo
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    tab.on('pageerror', (error) => problems.push(error.message))
    await tab.goto(`http://127.0.0.1:${port}/docs/operations/watch.html#try`)
    await tab.waitForSelector('.send')
    await tab.click('.send')
    await until(tab, "document.querySelectorAll('.items li').length === 2")
    expect(await tab.textContent('.items')).toBe('{"n":1}✗ {"n":"x"}')
    response?.write('data: {"n":3}\n\n')
    await until(tab, "document.querySelectorAll('.items li').length === 3")
    await tab.click('.stop')
    await tab.waitForSelector('.verdict[data-tone]')
    const said = (await tab.textContent('.verdict')) ?? ''
    expect(said).toMatch(/^✗ 200 OK: a stream of 3 items, not all of which fit their schema\./)
    expect(said).toContain('item 2, at /n')
    expect(said).toContain('You stopped the stream.')
    await tab.close()
    service.closeAllConnections()
    service.close()
  })
})

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
}
