import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prose, proseLine } from '../../src/docs/prose.js'
import { html } from '../../src/text/html.js'
import {
  shown as exampleOf,
  hostileOpenapi,
  hostileOpenrpc,
  PAYLOADS,
} from '../emit/hostile-documents.js'
import { type Browser, hasChromium, openChromium, type Tab, until } from './chromium.js'
import { siteOf, type WrittenSite } from './site-of.js'

const BAD = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

const shown = (text: string) => prose(text, 2)?.text ?? ''

describe('a page cannot be written into', () => {
  it('by any text of a document, wherever it stands', async () => {
    const { files, read } = await siteOf(
      {
        openapi: {
          openapi: '3.1.0',
          info: { title: BAD, version: BAD, description: BAD },
          servers: [
            {
              url: 'https://example.test/{v}',
              description: BAD,
              variables: { v: { default: BAD } },
            },
          ],
          tags: [{ name: BAD, description: BAD }],
          paths: {
            [`/a/${BAD}`]: {
              post: {
                operationId: 'one',
                summary: BAD,
                description: BAD,
                tags: [BAD],
                deprecated: true,
                'x-deprecated-at': BAD,
                'x-sunset': BAD,
                'x-replaced-by': BAD,
                'x-not-shown': BAD,
                'x-assumption': BAD,
                parameters: [
                  {
                    name: BAD,
                    in: 'query',
                    required: true,
                    description: BAD,
                    schema: { type: 'string', enum: [BAD], default: BAD, pattern: '<b>' },
                    examples: { [BAD]: { value: BAD } },
                  },
                ],
                requestBody: {
                  description: BAD,
                  content: {
                    'application/json': {
                      schema: {
                        type: 'object',
                        description: BAD,
                        properties: { [BAD]: { title: BAD, const: BAD } },
                      },
                      examples: { [BAD]: { summary: BAD, value: { [BAD]: BAD } } },
                    },
                  },
                },
                responses: {
                  200: {
                    description: BAD,
                    headers: { 'X-A': { description: BAD, schema: { type: 'string' } } },
                  },
                },
              },
            },
          },
        },
        openrpc: {
          openrpc: '1.3.2',
          info: { title: BAD, version: BAD },
          methods: [
            {
              name: BAD,
              summary: BAD,
              params: [{ name: BAD, description: BAD, schema: { type: 'string' } }],
              result: { name: BAD, description: BAD, schema: { type: 'string' } },
              errors: [{ code: 1, message: BAD, data: BAD }],
              examples: [
                {
                  name: BAD,
                  summary: BAD,
                  params: [{ name: BAD, value: BAD }],
                  result: { name: BAD, value: BAD },
                },
              ],
            },
          ],
        },
      },
      { title: BAD, packageName: BAD },
    )
    let pages = 0
    for (const { name, text } of files) {
      if (!name.endsWith('.html')) continue
      pages++
      const tags = text.match(/<\/?[a-z][^\s>/]*/gi) ?? []
      expect(tags.filter((tag) => /^<img/i.test(tag))).toEqual([])
      // Those of the layout alone.
      expect(tags.filter((tag) => /^<script/i.test(tag)).length).toBe(2)
      expect(text.replace(/"[^"]*"/g, '')).not.toMatch(/<[a-z][^>]*\sonerror/i)
    }
    expect(pages).toBeGreaterThanOrEqual(4)
    expect(read('operations/one.html')).toContain(BAD)
    expect(read('index.html')).toContain(BAD)
  })

  it('by HTML in a description, of which a safe part is rendered', () => {
    expect(shown('a <b onclick="x()">bold</b> word')).toContain('a <b>bold</b> word')
    expect(shown('<script>alert(1)</script>')).not.toContain('<script')
    expect(
      shown('<style>*{display:none}</style>\n\n<iframe src="https://a.test"></iframe>'),
    ).not.toMatch(/<(style|iframe)/)
    expect(shown('<pre><svg onload=alert(1)></pre>')).not.toMatch(/<svg/)
    expect(proseLine('one <i>line</i>')?.text).toBe('one <i>line</i>')
    expect(shown('```\n</code><script>\n```')).not.toContain('<script')
    expect(shown('```"><script>\nx\n```')).not.toContain('<script')
    expect(shown('a | b\n--|--\n<u>x</u> | y')).toContain('<td><u>x</u></td>')
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\u0001script:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    '//elsewhere.test/x',
    '\\\\elsewhere.test\\x',
  ])('by a link to %j', (href) => {
    for (const text of [
      shown(`[words](<${href}>)`),
      shown(`![words](<${href}>)`),
      shown(`[words][a]\n\n[a]: <${href}>`),
    ])
      expect(text).not.toMatch(/<a /)
  })

  it('links to the web, to mail and within the site stay, and pictures become links, so that none is loaded', () => {
    expect(shown('[a](https://a.test/?x=1&y=2)')).toContain(
      '<a href="https://a.test/?x=1&amp;y=2" rel="noopener noreferrer">a</a>',
    )
    expect(shown('[a](mailto:a@b.test)')).toContain('<a href="mailto:a@b.test">a</a>')
    expect(shown('[a](other.html#b)')).toContain('<a href="other.html#b">a</a>')
    expect(shown('![a plan](https://a.test/plan.png "t")')).toContain(
      '<a href="https://a.test/plan.png" title="t"',
    )
    expect(shown('![a](https://a.test/"onerror=x)')).not.toMatch(/" ?onerror/)
  })
})

describe('what Markdown says stays', () => {
  it('entities, marks and tasks', () => {
    expect(shown('a &amp; b &lt;c&gt; &copy; & d')).toContain('a &amp; b &lt;c&gt; &copy; &amp; d')
    expect(shown('`a < b` and **c**')).toContain('<code>a &lt; b</code> and <strong>c</strong>')
    expect(shown('- [x] done\n- [ ] open')).toContain('☑')
  })

  it('headings follow each other from the level of their place', () => {
    const levels = (text: string) => [...shown(text).matchAll(/<h(\d)/g)].map(([, level]) => level)
    expect(levels('# a\n\n## b\n\n# c')).toEqual(['2', '3', '2'])
    expect(levels('### a\n\n# b\n\n#### c')).toEqual(['2', '2', '3'])
    expect(prose('# a')?.text).not.toContain('<h')
  })

  it('the tagged template escapes whatever is not HTML of its own, and data that looks like it', () => {
    expect(
      html`<p title="${'"'}">${'<b>'}${html`<i>${1}</i>`}${[undefined, false, 'x']}</p>`.text,
    ).toBe('<p title="&quot;">&lt;b&gt;<i>1</i>x</p>')
  })
})

describe.skipIf(!hasChromium)('a document whose every text is hostile, in a browser', () => {
  let site: WrittenSite
  let folder: string
  let browser: Browser
  let tab: Tab
  let base: string
  /** Dialogs, errors of scripts, and requests for what is not in the site. */
  const complaints: string[] = []

  beforeAll(async () => {
    site = await siteOf({ openapi: hostileOpenapi(), openrpc: hostileOpenrpc() })
    folder = mkdtempSync(join(tmpdir(), 'hostile site-'))
    base = `${pathToFileURL(folder).href}/`
    const addresses = new Set<string>()
    for (const { name, text } of site.files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
      addresses.add(pathToFileURL(join(folder, name)).href)
    }
    ;({ browser } = await openChromium())
    // The policy of the pages would stop a script of the document, and hide that it was one.
    tab = await browser.newPage({ bypassCSP: true })
    tab.on('pageerror', ({ message }) => complaints.push(message))
    tab.on('dialog', (dialog) => {
      complaints.push('a dialog')
      void dialog.dismiss()
    })
    tab.on('request', (request) => {
      const [address = ''] = request.url().split(/[?#]/)
      if (address !== 'data:,' && !addresses.has(address)) complaints.push(`asked for ${address}`)
    })
  })

  afterAll(async () => {
    await browser?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a page and everything in it that is folded. */
  const open = async (name: string): Promise<void> => {
    await tab.goto(base + encodeURI(name))
    await tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
  }

  /** What stands in the elements that a selector finds. */
  const textsOf = (selector: string): Promise<readonly string[]> =>
    tab.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`,
    )

  const nothingRan = async (): Promise<void> => {
    expect(await tab.evaluate('globalThis.HOSTILE')).toBeUndefined()
    expect(complaints).toEqual([])
  }

  const operations = () =>
    Object.entries(PAYLOADS).map(([name, text], at) => {
      const http = site.api.operations.find(
        (one) => one.kind === 'http' && one.path.startsWith(`/p${at}/`),
      )
      const rpc = site.api.operations.find(
        (one) => one.kind === 'rpc' && one.method === `m${at}${text}`,
      )
      return { name, text, at, http: http?.id ?? '', rpc: rpc?.id ?? '' }
    })

  it('runs nothing on the pages of operations, which show it as it was written', async () => {
    for (const { name, text, at, http } of operations()) {
      await open(`operations/${http}.html`)
      const read = seen(text)
      const json = seen(quoted(text))
      expect([name, await textsOf('.wire > code')]).toEqual([
        name,
        [`/p${at}/${read}/{id}/{}(canary)`],
      ])
      const keys = await textsOf('#parameters ~ ul > li > .row > .key')
      expect(keys.slice(0, 4)).toEqual([
        `query${read}`,
        'id',
        `cookie${read}`,
        "X-'`canary`$canary|*",
      ])
      expect(await textsOf('#parameters ~ ul .shown > code')).toEqual(Array(4).fill(read))
      expect(await textsOf('#parameters ~ ul .asks code')).toEqual(Array(6).fill(json))
      expect(await textsOf('.answer .key')).toEqual(expect.arrayContaining([read, `key${read}`]))
      expect((await textsOf('.answer .asks')).join()).toContain(`format ${read}`)
      const [example = ''] = await textsOf('#response-examples ~ .example code.json')
      expect(JSON.parse(example)).toEqual(exampleOf(text))
      const heads = await textsOf('h1, .note.unknown p, .prose')
      if (IS_NO_MARKDOWN.has(name)) {
        expect(heads[0]).toBe(read)
        expect(heads.filter((one) => one.includes(read)).length).toBeGreaterThan(5)
      }
      await nothingRan()
    }
  })

  it('nor on the pages of methods', async () => {
    for (const { name, text, at, rpc } of operations()) {
      await open(`operations/${rpc}.html`)
      const read = seen(text)
      expect([name, await textsOf('.wire > code')]).toEqual([name, [`m${at}${read}`]])
      expect(await textsOf('#params ~ ol > li > .row > .key')).toContain(`p${read}`)
      expect((await textsOf('#result + .row > .key'))[0]).toBe(read)
      expect(await textsOf('#errors + div td')).toEqual([read, seen(quoted(text))])
      const [answer = ''] = await textsOf('.example code.json')
      expect(JSON.parse(answer).result).toEqual(exampleOf(text))
      expect(await textsOf('.try-link')).toEqual([`Try it with ${read}`])
      await nothingRan()
    }
  })

  it('nor on the other pages', async () => {
    const names = site.files.flatMap(({ name }) =>
      /^(?!operations\/).*\.html$/.test(name) ? [name] : [],
    )
    expect(names.length).toBeGreaterThanOrEqual(53)
    for (const name of names) {
      await open(name)
      await nothingRan()
    }
    await open('index.html')
    const groups = await textsOf('#sidebar summary')
    const rows = await textsOf('table.operations th code')
    for (const [at, text] of Object.values(PAYLOADS).entries()) {
      expect(groups.some((one) => one.startsWith(`${seen(text)} `))).toBe(true)
      expect(rows).toContain(`POST /p${at}/${seen(text)}/{id}/{}(canary)`)
      expect(rows).toContain(`m${at}${seen(text)}`)
    }
  })

  it('nor in the form of the try-it and in the results of the search', async () => {
    for (const { name, text, http, rpc } of operations()) {
      for (const id of [http, rpc]) {
        await open(`operations/${id}.html`)
        await tab.click('button.open-try')
        await until(tab, "document.querySelector('#try-form button.send')")
        expect([name, await textsOf('#try-form label, #try-form option')]).toEqual([
          name,
          expect.arrayContaining([expect.stringContaining(text)]),
        ])
        await nothingRan()
      }
    }
    await open('index.html')
    await tab.keyboard.press('/')
    await tab.keyboard.type('script')
    await until(tab, "document.querySelector('#results [role=option]')")
    expect((await textsOf('#results .name')).join('\n')).toContain(PAYLOADS.script)
    await nothingRan()
  })
})

/** Payloads of which CommonMark makes nothing but a paragraph of the same text. */
const IS_NO_MARKDOWN = new Set(['single', 'script', 'annotation', 'quotes', 'file', 'inherited'])

/** A text as a page shows it: a line feed for each line end, and a sign for what a terminal would obey or no UTF-8 has. */
const seen = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800]/g,
    '\ufffd',
  )

/** As JSON, with codes for the characters that would not be seen. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
