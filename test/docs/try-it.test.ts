import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CannedServer, startCanned } from './canned-server.js'
import { type Browser, hasChromium, openChromium, type Tab } from './chromium.js'
import { siteOfSpec } from './site-of.js'

let browser: Browser
let folder: string
let base: string
let server: CannedServer
const told: string[] = []

beforeAll(async () => {
  if (!hasChromium) return
  folder = mkdtempSync(join(tmpdir(), 'site of try-it-'))
  base = `${pathToFileURL(folder).href}/`
  for (const { name, text } of (await siteOfSpec()).files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  server = await startCanned()
  ;({ browser } = await openChromium())
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
  tab.on('pageerror', (error) => told.push(error.message))
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
  await tab.click(button)
  await tab.waitForSelector('.verdict[data-tone]')
  return (await tab.textContent('.verdict')) ?? ''
}

const toneOf = (tab: Tab) => tab.getAttribute('.verdict', 'data-tone')

describe.skipIf(!hasChromium)('the try-it of a method', () => {
  it('sends the documented request as one POST, and says that the answer fits', async () => {
    server.answer({ json: { jsonrpc: '2.0', id: 1, result: '0x133ef04' } })
    const tab = await openForm('ethGetBalance')
    expect(await sent(tab)).toContain('Fits the schema of the result')
    expect(await toneOf(tab)).toBe('fits')
    expect(server.heard).toEqual([
      {
        method: 'POST',
        url: '/zgt/try-it-out',
        type: 'application/json',
        authorization: undefined,
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
    await tab.close()
  })
})
