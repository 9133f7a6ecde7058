import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { startMock } from '../../src/mock/mock.js'
import { call, DESK, error, notify, result } from '../traffic/desk.js'
import { type Browser, hasChromium, openChromium, type Tab, until } from './chromium.js'
import { siteOf, type WrittenSite } from './site-of.js'

let browser: Browser
let axe: string
let site: WrittenSite
let folder: string
let sockets: WebSocketServer
/** Of the method that subscribes, and of a call. */
let form: Tab
let calls: Tab
const problems: string[] = []

/** What the server does with a text. */
let respond: (text: string, socket: WebSocket) => void
const received: unknown[] = []
const closed: number[] = []

beforeAll(async () => {
  if (!hasChromium) return
  site = await siteOf({ openrpc: DESK })
  folder = mkdtempSync(join(tmpdir(), 'site of sockets-'))
  for (const { name, text } of site.files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      received.push(JSON.parse(String(data)))
      respond(String(data), socket)
    })
    socket.on('close', (code) => {
      closed.push(code)
      sockets.emit('noticed')
    })
  })
  await once(sockets, 'listening')
  ;({ browser, axe } = await openChromium())
  calls = await openForm('add', '[1, 2]')
  form = await openForm('watch', '["heads"]')
})

beforeEach(() => {
  respond = () => undefined
  received.length = 0
  closed.length = 0
})

afterAll(async () => {
  await browser?.close()
  for (const socket of sockets?.clients ?? []) socket.terminate()
  sockets?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const addressOfSockets = () => `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/ws`

const openForm = async (id: string, params: string, address = addressOfSockets()): Promise<Tab> => {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: false })
  tab.on('pageerror', (fault) => problems.push(fault.message))
  await tab.goto(`${pathToFileURL(folder).href}/operations/${id}.html`)
  await tab.click('.open-try')
  await tab.waitForSelector('.send')
  await tab.selectOption('#try-server', 'address')
  await tab.fill('#try-address', address)
  await tab.fill('#try-body', params)
  return tab
}

const FORGET = "document.querySelector('.verdict').removeAttribute('data-tone')"

/** Sends the form, and returns what the page shows of the response. */
const sent = async (tab: Tab): Promise<string> => {
  await tab.evaluate(FORGET)
  await tab.click('.send')
  await tab.waitForSelector('.verdict[data-tone]')
  return (await tab.textContent('.verdict')) ?? ''
}

const toneOf = (tab: Tab) => tab.getAttribute('.verdict', 'data-tone')

const send = (socket: WebSocket, ...messages: readonly unknown[]) => {
  for (const one of messages) socket.send(typeof one === 'string' ? one : JSON.stringify(one))
}

const shownItems = (tab: Tab, count: number) =>
  until(tab, `document.querySelectorAll('.items li').length === ${count}`)

describe.skipIf(!hasChromium)('the try-it over a WebSocket', () => {
  it('sends the call as one text, shows the response, and closes the connection', async () => {
    respond = (_, socket) => send(socket, result(1, 3))
    expect(await sent(calls)).toBe('✓ Fits the schema of the result sum.')
    expect(received).toEqual([call(1, 'add', [1, 2])])
    expect(await calls.textContent('.answered pre')).toBe(
      '{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": 3\n}',
    )
    expect(await calls.textContent('.facts')).toMatch(/^Time[\d.]+ msSize35 bytes$/)
    expect(await calls.isVisible('.stop')).toBe(false)
    while (closed.length === 0) await once(sockets, 'noticed')
    expect(closed).toEqual([1005])
  })

  it.each<readonly [string, (socket: WebSocket) => void, string, RegExp]>([
    [
      'a result that breaks its schema',
      (socket) => send(socket, result(1, 'x')),
      'wrong',
      /^✗ Breaks the schema of the result sum in 1 place/,
    ],
    [
      'a declared error',
      (socket) => send(socket, error(1, 7)),
      'error',
      /^! The server returned the error 7, “Failed”\. The document declares this: Too large\./,
    ],
    [
      'another error',
      (socket) => send(socket, error(1, 8)),
      'wrong',
      /^✗ The server returned the error 8/,
    ],
    [
      'an error without an id',
      (socket) => send(socket, error(null, -32700)),
      'error',
      /It has no id/,
    ],
    [
      'another id',
      (socket) => send(socket, result(2, 3)),
      'wrong',
      /^✗ This is not a response to the request: no response has id 1 \(seen: 2\)\.$/,
    ],
    [
      'notifications before the response',
      (socket) => send(socket, notify('progress', [1]), 'x', result(1, 3)),
      'fits',
      /The server also sent 2 other messages\.$/,
    ],
    [
      'a close with a reason',
      (socket) => socket.close(1008, 'no <b>key</b>'),
      'silence',
      /^127\.0\.0\.1:\d+ closed the connection with the code 1008, “no <b>key<\/b>”, before it sent a response\.$/,
    ],
    [
      'a lost connection',
      (socket) => socket.terminate(),
      'silence',
      /^127\.0\.0\.1:\d+ ended the connection without a code \(1006\), before it sent a response\.$/,
    ],
  ])('tells of %s', async (_, act, tone, words) => {
    respond = (_, socket) => act(socket)
    expect(await sent(calls)).toMatch(words)
    expect(await toneOf(calls)).toBe(tone)
  })

  it('stops where the reader asks, and after the time that it was given', async () => {
    await calls.evaluate(FORGET)
    await calls.click('.send')
    await calls.click('.stop')
    await calls.waitForSelector('.verdict[data-tone="silence"]')
    expect(await calls.textContent('.verdict')).toMatch(/^You stopped the request: /)
    await calls.fill('#try-seconds', '1')
    expect(await sent(calls)).toMatch(/^127\.0\.0\.1:\d+ sent no response within 1 s: /)
    await calls.fill('#try-seconds', '30')
  })

  it('tells of an address where nobody listens, and of one that is none', async () => {
    const gone = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const tab = await openForm('add', '[1, 2]', `ws://127.0.0.1:${port}/ws`)
    expect(await sent(tab)).toMatch(
      /^No connection to 127\.0\.0\.1:\d+: no server of WebSockets is running there, or it does not accept pages opened from a disk\. Try the command\.$/,
    )
    await tab.fill('#try-address', 'unix:/ws')
    await tab.click('.send')
    await until(
      tab,
      "document.querySelector('#try-complaints').textContent.includes('must begin with http://, https://, ws:// or wss://')",
    )
    await tab.close()
  })

  it('shows the call as a command of wscat', async () => {
    expect(await calls.textContent('.request summary')).toBe('The request, as wscat')
    expect(await calls.textContent('.curl')).toBe('Copy as wscat')
    expect(await calls.textContent('.request code')).toMatch(
      /^npx wscat -c 'ws:\/\/127\.0\.0\.1:\d+\/ws' \\\n {2}-w 3 \\\n {2}-x '\{"jsonrpc":"2\.0",/,
    )
    expect(site.read('operations/add.html')).toContain('npx wscat -c "wss://desk.example/ws"')
    expect(site.read('operations/add.html')).not.toContain('requests.post')
  })
})

describe.skipIf(!hasChromium)('the try-it of a subscription', () => {
  const item = (subscription: string, value: unknown) => notify('item', { subscription, value })

  /** Subscribes, and returns the connection of the server. */
  const subscribed = async (...before: readonly unknown[]): Promise<WebSocket> => {
    const opened = new Promise<WebSocket>((resolve) => {
      respond = (_, socket) => {
        send(socket, ...before, result(1, 's1'))
        resolve(socket)
      }
    })
    await form.evaluate(FORGET)
    await form.click('.send')
    await form.waitForSelector('.unsubscribe')
    return opened
  }

  const ended = async (): Promise<string> => {
    await until(form, "!document.querySelector('.unsubscribe')")
    return (await form.textContent('.verdict')) ?? ''
  }

  it('shows items as they come, until the reader unsubscribes', async () => {
    const socket = await subscribed(item('s1', 0), item('other', 0))
    expect(await form.textContent('.verdict')).toBe(
      '✓ Fits the schema of the result id.Subscribed: items are shown as they arrive.',
    )
    send(socket, item('s1', 1), item('s2', 5), notify('progress', [1]))
    await shownItems(form, 2)
    expect(await form.textContent('.items')).toContain('"value":0')
    send(socket, item('s1', 2))
    await shownItems(form, 3)
    respond = (_, own) => send(own, item('s1', 3), result(2, true))
    await form.click('.unsubscribe')
    expect(await ended()).toBe(
      '✓ A subscription with 4 items, as declared.Unsubscribed: unwatch returned true.The server also sent 3 other messages.',
    )
    expect(received.at(-1)).toEqual(call(2, 'unwatch', ['s1']))
    await shownItems(form, 4)
    expect(await form.isVisible('.stop')).toBe(false)
  })

  it.each<readonly [string, unknown, RegExp]>([
    ['an item of another variant', item('s1', 'a text'), /item 1 must be an integer/],
    [
      'params that the notification does not have',
      notify('item', { subscription: 's1' }),
      /item 1 must have the property/,
    ],
    ['an item of no type of the document', item('s1', null), /item 1, at \/value must/],
  ])('says which item breaks the document: %s', async (_, message, words) => {
    const socket = await subscribed()
    send(socket, message, item('s1', 1))
    await shownItems(form, 2)
    expect(await form.textContent('.items')).toMatch(/^✗ \{/)
    respond = (_, own) => send(own, result(2, true))
    await form.click('.unsubscribe')
    const words2 = await ended()
    expect(words2).toMatch(/^✗ A subscription with 2 items, not all of which fit their schema\./)
    expect(words2).toMatch(words)
  })

  it.each<readonly [string, (socket: WebSocket) => void | Promise<void>, string, RegExp]>([
    [
      'the server closes the connection',
      (socket) => socket.close(1001, 'restart'),
      'error',
      /^! A subscription with 0 items, as declared\.The server closed the connection with the code 1001, “restart”\.$/,
    ],
    [
      'the connection is lost',
      (socket) => socket.terminate(),
      'error',
      /The server ended the connection without a code \(1006\)\.$/,
    ],
    [
      'the reader stops',
      () => form.click('.stop'),
      'fits',
      /You closed the connection, which ends the subscription\.$/,
    ],
    [
      'the id is rejected',
      () => {
        respond = (_, own) => send(own, error(2, -32602))
        return form.click('.unsubscribe')
      },
      'wrong',
      /unwatch returned the error -32602, “Failed”\.$/,
    ],
    [
      'the response is none',
      () => {
        respond = (_, own) => send(own, result(9, true))
        return form.click('.unsubscribe')
      },
      'wrong',
      /unwatch got an unusable response: no response has id 2/,
    ],
  ])('ends when %s', async (_, act, tone, words) => {
    const socket = await subscribed()
    await act(socket)
    expect(await ended()).toMatch(words)
    expect(await toneOf(form)).toBe(tone)
  })

  it('that was rejected has no button', async () => {
    respond = (_, socket) => send(socket, error(1, -32603))
    expect(await sent(form)).toMatch(/^! The server returned the error -32603/)
    expect(await form.isVisible('.unsubscribe')).toBe(false)
  })

  it('axe finds nothing in it', async () => {
    const tab = await browser.newPage({ viewport: { width: 390, height: 800 }, bypassCSP: true })
    await tab.goto(`${pathToFileURL(folder).href}/operations/watch.html#try`)
    await tab.waitForSelector('.send')
    await tab.selectOption('#try-server', 'address')
    await tab.fill('#try-address', addressOfSockets())
    await tab.fill('#try-body', '["prices"]')
    respond = (_, socket) => send(socket, result(1, 's1'), item('s1', 'x'), item('s1', 1))
    await tab.click('.send')
    await shownItems(tab, 2)
    await tab.addScriptTag({ path: axe })
    const found = await tab.evaluate(
      "axe.run('section.try', { preload: false }).then(({ violations }) => violations.map(({ id }) => id))",
    )
    expect(found).toEqual([])
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await tab.close()
  })

  it('is served by the mock, at the origin of its page', async () => {
    const { api, files } = await siteOf({ openrpc: DESK }, { server: 'origin' })
    const mock = await startMock(api, { site: () => files, pushInterval: 20 })
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    tab.on('pageerror', (fault) => problems.push(fault.message))
    await tab.goto(`${mock.url}/docs/operations/watch.html#try`)
    await tab.waitForSelector('.send')
    expect(await tab.inputValue('#try-server')).toBe('origin')
    await tab.fill('#try-body', '["prices"]')
    await tab.click('.send')
    await until(tab, "document.querySelectorAll('.items li').length >= 3")
    await tab.click('.unsubscribe')
    await until(tab, "!document.querySelector('.unsubscribe')")
    expect(await tab.textContent('.verdict')).toMatch(
      /^✓ A subscription with \d+ items, as declared\.Unsubscribed: unwatch returned true\.$/,
    )
    await tab.close()
    await mock.stop()
  })

  it('complained of nothing all the while', () => {
    expect(problems).toEqual([])
  })
})
