import { describe, expect, it } from 'vitest'
import { html } from '../../src/docs/html.js'
import { prose, proseLine } from '../../src/docs/prose.js'
import { siteOf } from './site-of.js'

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

  it('by HTML in a description, which is shown as the text it is', () => {
    expect(shown('a <b onclick="x()">bold</b> word')).toContain('&lt;b onclick=&quot;x()&quot;&gt;')
    expect(shown('<script>alert(1)</script>')).not.toContain('<script')
    expect(
      shown('<style>*{display:none}</style>\n\n<iframe src="https://a.test"></iframe>'),
    ).not.toMatch(/<(style|iframe)/)
    expect(shown('<pre><svg onload=alert(1)></pre>')).not.toMatch(/<svg/)
    expect(proseLine('one <i>line</i>')?.text).toBe('one &lt;i&gt;line&lt;/i&gt;')
    expect(shown('```\n</code><script>\n```')).not.toContain('<script')
    expect(shown('```"><script>\nx\n```')).not.toContain('<script')
    expect(shown('a | b\n--|--\n<u>x</u> | y')).toContain('&lt;u&gt;')
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
