import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { folderOf, startTwinspec } from '../cli/command-line.js'
import { type Browser, hasChromium, openChromium, type Tab } from './chromium.js'

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/recordings', import.meta.url))

let browser: Browser
let site = ''
const ending = new AbortController()
const mock = hasChromium
  ? startTwinspec(['mock', join(EXAMPLE, 'openapi.yaml'), '--docs', '--port', '0'], ending.signal)
  : undefined

beforeAll(async () => {
  if (mock === undefined) return
  ;({ browser } = await openChromium())
  await vi.waitFor(() => expect(mock.said.stdout).toContain('Ctrl-C'), 60_000)
  site = /Docs +(\S+)/.exec(mock.said.stdout)?.[1] ?? ''
})

afterAll(async () => {
  await browser?.close()
  ending.abort()
  await mock?.code
})

const openForm = async (id: string): Promise<Tab> => {
  const tab = await browser.newPage()
  await tab.goto(`${site}operations/${id}.html`)
  await tab.click('.open-try')
  await tab.waitForSelector('.send')
  if (id !== 'logIn') await tab.fill('#try-secret-token', 'token-of-ada')
  return tab
}

const verdictOf = async (tab: Tab): Promise<string | null> => {
  await tab.click('.send')
  await tab.waitForSelector('.verdict[data-tone]')
  return tab.textContent('.verdict')
}

describe.skipIf(!hasChromium)('the try-it of the example, beside its mock', () => {
  it('logs in', async () => {
    expect(await verdictOf(await openForm('logIn'))).toMatch(/^✓ Fits the schema of 200 OK/)
  })

  it('uploads a file with a body that is filled in', async () => {
    const tab = await openForm('uploadRecording')
    expect(JSON.parse(await tab.inputValue('#try-body'))).toEqual({ about: { title: 'text' } })
    const folder = await folderOf({})
    writeFileSync(join(folder, 'salve.wav'), 'RIFF')
    await tab.setInputFiles('#try-file-sound', join(folder, 'salve.wav'))
    expect(await verdictOf(tab)).toMatch(/^✓ Fits the schema of 201 Created/)
  })

  it('downloads a part of a file, which can be saved under its name', async () => {
    const tab = await openForm('downloadRecording')
    expect(await verdictOf(tab)).toMatch(/^✓ 206 Partial Content, audio\/wav as declared/)
    const started = tab.waitForEvent('download')
    await tab.click('.answered a.save')
    const download = await started
    expect(download.suggestedFilename()).toBe('Ubi caritas.wav')
    expect(readFileSync(await download.path(), 'utf8')).toBe('byte')
  })

  it('shows the items of a stream', async () => {
    const tab = await openForm('transcribeRecording')
    expect(await verdictOf(tab)).toMatch(/^✓ 200 OK: a stream of 2 items, as declared/)
  })
})
