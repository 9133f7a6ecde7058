import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, hasChromium, openChromium, type Tab, until } from './chromium.js'
import { siteOf, siteOfSpec } from './site-of.js'

const PHONE = { width: 390, height: 800 }
const DESK = { width: 1280, height: 900 }

let browser: Browser
let axe: string
let folder: string
let base: string
const problems: string[] = []

beforeAll(async () => {
  if (!hasChromium) return
  folder = mkdtempSync(join(tmpdir(), 'site of docs-'))
  base = `${pathToFileURL(folder).href}/`
  write('', (await siteOfSpec()).files)
  write('old', (await siteOf({ openapi: OLD })).files)
  write('many', (await siteOf({ openapi: MANY })).files)
  ;({ browser, axe } = await openChromium())
})

const write = (
  path: string,
  files: readonly { readonly name: string; readonly text: string }[],
) => {
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, path, name)), { recursive: true })
    writeFileSync(join(folder, path, name), text)
  }
}

/** An operation with all that a document says of its end. */
const OLD = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/old': {
      get: {
        operationId: 'old',
        deprecated: true,
        'x-deprecated-at': '2026-01-31',
        'x-sunset': '2027-01-31',
        'x-stability-level': 'beta',
        'x-replaced-by': 'https://shop.example/moving',
        responses: { 200: { description: 'Done.' } },
      },
    },
  },
}

/** So many operations that the link of the last one is far down in the sidebar. */
const MANY = {
  openapi: '3.1.0',
  info: { title: 'Many', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => {
      const description = Array.from({ length: 40 }, (_, line) => `Line ${line}.`).join('\n\n')
      const responses = { 200: { description } }
      const get = { operationId: `op${index}`, tags: [`Tag ${index % 8}`], responses }
      return [`/things/${index}`, { get }]
    }),
  ),
}

afterAll(async () => {
  await browser?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/** A page of the site from the disk; what it complains of, and what it asks for elsewhere, is collected. */
const open = async (
  path: string,
  options: Parameters<Browser['newPage']>[0] = { viewport: DESK },
): Promise<Tab> => {
  const tab = await browser.newPage(options)
  tab.on('console', (message) => problems.push(message.text()))
  tab.on('pageerror', (error) => problems.push(error.message))
  tab.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) problems.push(`asked for ${request.url()}`)
  })
  await tab.goto(base + path)
  return tab
}

describe.skipIf(!hasChromium)('the site in a browser, from a disk', () => {
  it('is searched by keyboard alone: a slash, words, arrows, Enter', async () => {
    const tab = await open('schemas/Address.html')
    await tab.keyboard.press('/')
    await tab.keyboard.type('getbal')
    await tab.waitForSelector('#results [role=option]')
    expect(await tab.textContent('#results [aria-selected=true] .name')).toBe('eth_getBalance')
    const chosen = "document.querySelector('.search input').getAttribute('aria-activedescendant')"
    expect(await tab.evaluate(chosen)).toBe('result-0')
    await tab.keyboard.press('Enter')
    await tab.waitForURL(/operations\/ethGetBalance\.html$/)
    expect(await tab.title()).toMatch(/^Returns the balance of an account/)

    await tab.keyboard.press('/')
    await tab.keyboard.type('-32601')
    await tab.waitForSelector('#results [role=option]')
    await tab.keyboard.press('ArrowDown')
    await tab.keyboard.press('ArrowUp')
    expect(await tab.textContent('#results [aria-selected=true] .kind')).toBe('error')
    await tab.keyboard.press('Enter')
    await tab.waitForURL(/errors\.html#error---32601$/)
    await tab.close()
  })

  it('finds operations, schemas and words of descriptions, forgives a slip, and says when there is nothing', async () => {
    const tab = await open('index.html')
    for (const [query, name] of [
      ['POST zkt try', 'POST /zkt/try-it-out'],
      ['queueId status', 'GET /gtn/v1/zkt/transaction/{queueId}'],
      ['BlockTag', 'BlockTag'],
      ['recipt', 'eth_getTransactionReceipt'],
      ['checksum', 'Address'],
    ]) {
      await tab.keyboard.press('/')
      await tab.keyboard.type(query ?? '')
      await until(
        tab,
        `[...document.querySelectorAll('#results .name')].some((one) => one.textContent === ${JSON.stringify(name)})`,
      )
      await tab.keyboard.press('Escape')
      expect(await tab.isVisible('#results')).toBe(false)
    }
    await tab.keyboard.press('/')
    await tab.keyboard.type('zzzzzzzz')
    await until(tab, "document.querySelector('.found').textContent.startsWith('Nothing')")
    await tab.close()
  })

  it('opens what an address names, though it stands in something folded', async () => {
    const tab = await open('operations/ethGetBalance.html#example--notMinedYet')
    const isOpen = "document.getElementById('example--notMinedYet').closest('details').open"
    await until(tab, isOpen)
    await tab.close()
  })

  describe('a page of an operation late in the sidebar', () => {
    const SCREEN = { viewport: { width: 1280, height: 720 } }
    const LAST = 'many/operations/op79.html'
    const isInView = (selector: string, within: string) => `(() => {
      const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
      return ${within}.top <= top && bottom <= ${within}.bottom
    })()`
    const WINDOW = "{ top: document.querySelector('.bar').offsetHeight, bottom: innerHeight }"
    const SIDEBAR = "document.getElementById('sidebar').getBoundingClientRect()"
    const title = isInView('h1', `(${WINDOW})`)
    const link = isInView('#sidebar [aria-current]', SIDEBAR)

    it('opens at its title, with its link in view', async () => {
      const tab = await open(LAST, SCREEN)
      expect(await tab.evaluate(`[scrollY, ${title}, ${link}]`)).toEqual([0, true, true])
      await tab.close()
    })

    it('opens at its title from a link of the sidebar, by keyboard', async () => {
      const tab = await open('many/operations/op71.html', SCREEN)
      await tab.evaluate('document.querySelector(\'#sidebar a[href$="op79.html"]\').focus()')
      await tab.keyboard.press('Enter')
      await tab.waitForURL(/op79\.html$/)
      await until(tab, "document.querySelector('#sidebar [aria-current]')")
      await until(tab, link)
      expect(await tab.evaluate(`[scrollY, ${title}]`)).toEqual([0, true])
      await tab.close()
    })

    it('opens at the part that its address names', async () => {
      const tab = await open(LAST, SCREEN)
      const id = await tab.evaluate<string>(
        "[...document.querySelectorAll('#content [id]')].at(-1).id",
      )
      await tab.goto(`${base}${LAST}#${id}`)
      await until(tab, isInView(`[id=${JSON.stringify(id)}]`, '({ top: 0, bottom: Infinity })'))
      expect(await tab.evaluate<number>('scrollY')).toBeGreaterThan(0)
      expect(await tab.evaluate(link)).toBe(true)
      await tab.close()
    })

    it('is where it was left after going back', async () => {
      const tab = await open(LAST, SCREEN)
      await tab.evaluate('scrollTo(0, 500)')
      await tab.evaluate('document.querySelector(\'#sidebar a[href$="op0.html"]\').click()')
      await tab.waitForURL(/op0\.html$/)
      await tab.evaluate('history.back()')
      await tab.waitForURL(/op79\.html$/)
      await until(tab, 'scrollY === 500')
      await tab.close()
    })

    it('opens at its title in a narrow window, where the drawer shows its link', async () => {
      for (const viewport of [PHONE, { width: 800, height: 500 }]) {
        const tab = await open(LAST, { viewport })
        expect(await tab.evaluate(`[scrollY, ${title}]`)).toEqual([0, true])
        await tab.click('button.menu')
        await until(tab, link)
        expect(await tab.evaluate('scrollY')).toBe(0)
        await tab.close()
      }
    })
  })

  it('on a phone the sidebar is a drawer, which Escape closes, and nothing is wider than the screen', async () => {
    for (const path of [
      'index.html',
      'operations/submitZkt.html',
      'schemas/Block.html',
      'errors.html',
    ]) {
      const tab = await open(path, { viewport: PHONE })
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      if (path === 'index.html') {
        expect(await tab.isVisible('#sidebar a')).toBe(false)
        await tab.click('button.menu')
        await tab.waitForSelector('#sidebar a')
        expect(await tab.evaluate("document.activeElement.closest('#sidebar') !== null")).toBe(true)
        await tab.keyboard.press('Escape')
        await tab.waitForSelector('#sidebar a', { state: 'hidden' })
        expect(await tab.evaluate('document.activeElement.className')).toBe('menu')
      }
      await tab.close()
    }
  })

  it('samples are beside the text on a wide screen, in the language that was chosen on any page', async () => {
    const tab = await open('operations/ethGetBalance.html', {
      viewport: { width: 1440, height: 900 },
    })
    const shown =
      "[...document.querySelectorAll('.code-samples figure:not([hidden])')].map(({ dataset }) => dataset.language)"
    const languages = await tab.evaluate<string[]>(shown)
    expect(new Set(languages)).toEqual(new Set(['TypeScript']))
    await tab.click('.languages button:nth-child(3)')
    expect(new Set(await tab.evaluate<string[]>(shown))).toEqual(new Set(['Python']))
    const left = (selector: string) =>
      tab.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().left`)
    expect(await left('.samples')).toBeGreaterThan((await left('.parts')) + 400)
    await tab.goto(`${base}operations/ethCall.html`)
    expect(new Set(await tab.evaluate<string[]>(shown))).toEqual(new Set(['Python']))
    await tab.evaluate("localStorage.removeItem('twinspec-language')")
    await tab.close()
  })

  it('opens all folded parts of a section at once, and links to each property', async () => {
    const tab = await open('operations/ethCall.html')
    const isOpen =
      "[...document.querySelectorAll('#params ~ ol details')].every(({ open }) => open)"
    expect(await tab.evaluate(isOpen)).toBe(false)
    await tab.click('.expand')
    expect(await tab.evaluate(isOpen)).toBe(true)
    expect(await tab.textContent('.expand')).toBe('Collapse all')
    const href =
      "document.getElementById('param--transaction:gas').querySelector('.place-link').hash"
    expect(await tab.evaluate(href)).toBe('#param--transaction:gas')
    await tab.close()
  })

  it('a param has a field of its own, which writes the JSON that is sent and is filled from it', async () => {
    const tab = await open('operations/ethGetBalance.html#try')
    await tab.waitForSelector('#try-value-0')
    await tab.fill('#try-value-0', '0x01')
    expect(JSON.parse(await tab.inputValue('#try-body'))).toEqual(['0x01', 'latest'])
    await tab.fill('#try-body', '["0x02"]')
    expect(await tab.inputValue('#try-value-0')).toBe('0x02')
    expect(await tab.inputValue('#try-value-1')).toBe('')
    await tab.close()
  })

  it('the theme is chosen and remembered', async () => {
    const tab = await open('index.html', { viewport: DESK, colorScheme: 'light' })
    const ground = 'getComputedStyle(document.body).backgroundColor'
    const light = await tab.evaluate(ground)
    await tab.click('button.theme')
    await tab.click('button.theme')
    expect(await tab.textContent('button.theme')).toBe('Theme: dark')
    const dark = await tab.evaluate(ground)
    expect(dark).not.toBe(light)
    await tab.goto(`${base}errors.html`)
    expect(await tab.evaluate(ground)).toBe(dark)
    await tab.close()
  })

  it.each(
    [
      'index',
      'errors',
      'schemas',
      'operations/submitZkt',
      'operations/ethGetBalance',
      'operations/getZktTransaction',
      'schemas/Block',
      'schemas/ZktSubmission',
      'old/operations/old',
    ].flatMap((page) => (['light', 'dark'] as const).map((theme) => [page, theme] as const)),
  )('axe finds nothing on %s in %s', async (page, theme) => {
    // The policy of the page lets no script in but its own, axe neither.
    const tab = await open(`${page}.html`, { viewport: DESK, colorScheme: theme, bypassCSP: true })
    await tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await tab.addScriptTag({ path: axe })
    const found = await tab.evaluate<readonly string[]>(
      `axe.run({ preload: false }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
    )
    expect(found).toEqual([])
    await tab.close()
  })

  it('complains of nothing, and asks for nothing that is not its own', () => {
    expect(problems).toEqual([])
  })
})
