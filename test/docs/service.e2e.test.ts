import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import openapi from '../../generated/http.openapi.json' with { type: 'json' }
import openrpc from '../../generated/rpc.openrpc.json' with { type: 'json' }
import { service as program } from '../../src/service/run-service.js'
import { command } from '../service/command.js'
import { type Browser, hasChromium, openChromium, type Tab } from './chromium.js'

const CHAIN_ID = '0x133edcb'
const DESK = { width: 1280, height: 900 }

const ending = new AbortController()
let service: ReturnType<typeof command>
/** Where the site is that the service shows, and the key that it has made. */
let docs = ''
let key = ''
/** All that its pages lead to: name -> text. */
let files: ReadonlyMap<string, string>
/** The same, on a disk. */
let folder = ''
let browser: Browser | undefined
let axe = ''
const problems: string[] = []

beforeAll(async () => {
  service = command(program, ['--port', '0', '--log-level', 'warn'], { signal: ending.signal })
  const { printed } = service
  const isReady = () => expect(printed.stdout + printed.stderr).toContain('Ctrl-C ends it.')
  await vi.waitFor(isReady, { timeout: 120_000, interval: 100 })
  docs = /^Docs +(http:\S+\/docs\/)$/m.exec(printed.stdout)?.[1] ?? ''
  key = /^API key +(\S+)/m.exec(printed.stdout)?.[1] ?? ''
  files = await filesBehind(docs)
  if (!hasChromium) return
  folder = mkdtempSync(join(tmpdir(), 'site beside a service-'))
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  ;({ browser, axe } = await openChromium())
})

afterAll(async () => {
  await browser?.close()
  ending.abort()
  await service?.code
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const open = async (
  path: string,
  options: Parameters<Browser['newPage']>[0] = { viewport: DESK },
): Promise<Tab> => {
  if (!browser) throw new Error('there is no browser')
  const tab = await browser.newPage(options)
  tab.on('console', (message) => problems.push(message.text()))
  tab.on('pageerror', (error) => problems.push(error.message))
  await tab.goto(path.startsWith('file:') ? path : docs + path)
  return tab
}

const openForm = async (path: string, options?: Parameters<Browser['newPage']>[0]) => {
  const tab = await open(path, options)
  await tab.click('.open-try')
  await tab.waitForSelector('.send')
  return tab
}

/** Sends what stands in the form: what is said of the answer, and the answer itself. */
const send = async (tab: Tab, button = '.send') => {
  await tab.click(button)
  await tab.waitForSelector('.verdict[data-tone]')
  const tone = await tab.getAttribute('.verdict', 'data-tone')
  const words = (await tab.textContent('.verdict')) ?? ''
  const hasBody = await tab.isVisible('.answered pre')
  const body = hasBody ? JSON.parse((await tab.textContent('.answered pre')) ?? '') : undefined
  return { tone, words, body }
}

/** Follows every link from the first page on. Rejects for one that leads nowhere. */
const filesBehind = async (first: string): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  // What pages load by scripts stands in no attribute.
  const due = ['', 'search.js', 'search-index.js', 'try-it.js']
  for (let path = due.pop(); path !== undefined; path = due.pop()) {
    const name = decodeURI(path) || 'index.html'
    if (found.has(name)) continue
    const { href } = new URL(path, first)
    const answer = await fetch(href)
    if (answer.status !== 200) throw new Error(`${answer.status} of ${href}`)
    const text = await answer.text()
    found.set(name, text)
    if (!name.endsWith('.html')) continue
    for (const [, link = ''] of text.matchAll(/ (?:href|src|data-try)="([^"#]+)/g)) {
      const target = new URL(link, href).href
      if (target.startsWith(first)) due.push(target.slice(first.length))
    }
  }
  return found
}

describe('the reference that a running service shows', () => {
  it('is whole: every link leads somewhere, to each method and schema of its documents', () => {
    // Each page has a Markdown page beside it.
    const pages = (under: string) =>
      [...files.keys()].filter((name) => name.startsWith(under) && !name.endsWith('.md'))
    const schemas = { ...openapi.components.schemas, ...openrpc.components.schemas }
    expect(pages('operations/')).toHaveLength(3 + openrpc.methods.length)
    expect(pages('try/')).toHaveLength(3 + openrpc.methods.length)
    expect(pages('schemas/')).toHaveLength(Object.keys(schemas).length)
    expect(files.get('search-index.js')).toContain('eth_chainId')
  })
})

describe.skipIf(!hasChromium)('in a browser', () => {
  it('a method is searched for, opened and tried: the service that shows the page answers', async () => {
    const tab = await open('')
    await tab.keyboard.press('/')
    await tab.keyboard.type('eth_chainId')
    await tab.waitForSelector('#results [role=option]')
    await tab.keyboard.press('Enter')
    await tab.waitForURL(/\/docs\/operations\/ethChainId\.html$/)
    await tab.click('.open-try')
    await tab.waitForSelector('.send')
    expect(await tab.inputValue('#try-server')).toBe('origin')
    expect(await send(tab)).toEqual({
      tone: 'fits',
      words: expect.stringContaining('Fits the schema of the result'),
      body: { jsonrpc: '2.0', id: 1, result: CHAIN_ID },
    })
    await tab.close()
  })

  it('a submission with a key is signed and mined, and its status is looked up', async () => {
    const tab = await openForm('operations/submitZkt.html')
    await tab.fill('#try-secret-apiKey', key)
    await tab.fill('#try-body', '{"arguments":"hello"}')
    const submitted = await send(tab)
    expect(submitted).toMatchObject({ tone: 'fits', body: { success: true } })
    expect(await tab.textContent('.request code')).toContain('/zkt/•••')
    const queueId = String(submitted.body.queueId)

    await tab.goto(`${docs}operations/getZktTransaction.html`)
    await tab.click('.open-try')
    await tab.waitForSelector('.send')
    await tab.fill('#try-path-queueId', queueId)
    await expect
      .poll(async () => (await send(tab)).body?.status, { timeout: 120_000, interval: 300 })
      .toBe('completed')
    expect(await send(tab)).toMatchObject({ tone: 'fits', body: { queueId } })
    await tab.close()
  })

  it('what the document does not allow is not sent; sent anyway, the service refuses it as declared', async () => {
    const tab = await openForm('operations/ethGetBalance.html')
    await tab.fill('#try-body', '["0x12", "latest"]')
    await tab.click('.send')
    await tab.waitForSelector('#try-complaints li')
    expect(await tab.textContent('#try-complaints')).toMatch(/^Not sent\..*address/)
    expect(await tab.getAttribute('#try-body', 'aria-invalid')).toBe('true')
    expect(await tab.isVisible('.answered pre')).toBe(false)
    expect(await send(tab, '.anyway')).toMatchObject({
      tone: 'error',
      words: expect.stringContaining('-32602'),
      body: { id: 1, error: { code: -32602 } },
    })
    await tab.close()
  })

  it('the site from a disk tries the service too, which lets every origin read', async () => {
    const tab = await openForm(`${pathToFileURL(folder).href}/operations/ethChainId.html`)
    await tab.selectOption('#try-server', 'address')
    await tab.fill('#try-address', new URL(docs).origin)
    expect(await send(tab)).toMatchObject({ tone: 'fits', body: { result: CHAIN_ID } })
    await tab.goto(`${pathToFileURL(folder).href}/operations/tryZkt.html`)
    await tab.click('.open-try')
    await tab.waitForSelector('.send')
    await tab.fill('#try-body', '{"arguments":"from a disk"}')
    expect(await send(tab)).toMatchObject({ tone: 'fits', body: { success: true } })
    await tab.close()
  })

  it('axe finds nothing on what was tried', async () => {
    // The policy of the page lets no script in but its own, axe neither.
    const tab = await openForm('operations/ethGetBlockByNumber.html', {
      viewport: DESK,
      bypassCSP: true,
    })
    expect((await send(tab)).tone).toBe('fits')
    await tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await tab.addScriptTag({ path: axe })
    const found = await tab.evaluate<readonly string[]>(
      `axe.run({ preload: false }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
    )
    expect(found).toEqual([])
    await tab.close()
  })

  it('a page that there is not is a 404', async () => {
    const tab = await open('operations/ethNothing.html')
    expect(await tab.textContent('body')).toContain('there is no such page in this reference')
    expect(problems.splice(0)).toEqual([expect.stringContaining('404 (Not Found)')])
    await tab.close()
  })

  it('nothing was complained of, by the pages or by the service', () => {
    expect({ problems, stderr: service.printed.stderr }).toEqual({ problems: [], stderr: '' })
  })

  it('of a service that has ended it is said that nothing listens there', async () => {
    const tab = await openForm('operations/ethChainId.html')
    expect((await send(tab)).tone).toBe('fits')
    ending.abort()
    expect(await service.code).toBe(0)
    const { tone, words, body } = await send(tab)
    expect({ tone, body }).toEqual({ tone: 'silence', body: undefined })
    expect(words).toMatch(
      /^No response from 127\.0\.0\.1:\d+: no server is running there, or it does not let /,
    )
    await tab.close()
  })
})
