import { describe, expect, it } from 'vitest'
import { siteOf } from './site-of.js'

const responses = { 200: { description: 'Done.' } }

const site = (marks: object, method: object = {}) =>
  siteOf({
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: {
        '/old': { get: { operationId: 'old', responses, ...marks } },
        '/new': { get: { operationId: 'young', responses } },
      },
    },
    openrpc: {
      openrpc: '1.3.2',
      info: { title: 'Shop', version: '1' },
      methods: [{ name: 'shop_old', params: [], result: { name: 'r', schema: {} }, ...method }],
    },
  })

const marks = { deprecated: true, 'x-deprecated-at': '2026-01-31', 'x-sunset': '2027-01-31' }

const noteIn = (page: string) => /<div class="note deprecated".*?<\/div>/s.exec(page)?.[0]

describe('the page of an operation that is deprecated', () => {
  it('has a timeline, and leads to what replaces it', async () => {
    const { file } = await site({ ...marks, 'x-stability-level': 'beta', 'x-replaced-by': 'young' })
    expect(noteIn(file('operations/old.html'))).toBe(
      '<div class="note deprecated" role="note"><p><strong>Deprecated.</strong> New code should not use it. Use <a href="../operations/young.html"><code>GET /new</code></a> instead.</p><ol class="timeline" aria-label="Life of the operation"><li>Stability: beta</li><li>Deprecated since <time datetime="2026-01-31">2026-01-31</time></li><li>Ends on <time datetime="2027-01-31">2027-01-31</time></li></ol></div>',
    )
    const markdown = file('operations/old.md')
    expect(markdown).toContain('- Deprecated since 2026-01-31\n- Ends on 2027-01-31')
    expect(markdown).toContain('Use [`GET /new`](../operations/young.md) instead.')
  })

  it.each<readonly [what: string, marks: object, read: string | undefined]>([
    ['nothing', {}, undefined],
    ['no day', { deprecated: true }, 'Deprecated. New code should not use it.'],
    ['an end alone', { 'x-sunset': '2027-01-31' }, 'It will end.Ends on 2027-01-31'],
    [
      'no date',
      { deprecated: true, 'x-sunset': '<b>' },
      'Deprecated. New code should not use it.Ends on &lt;b&gt;',
    ],
    [
      'a page',
      { deprecated: true, 'x-replaced-by': 'https://shop.example/?a&b' },
      'Deprecated. New code should not use it. Use https://shop.example/?a&amp;b instead.',
    ],
    [
      'a successor that is none',
      { deprecated: true, 'x-replaced-by': 'nobody' },
      'Deprecated. New code should not use it.',
    ],
  ])('where the document says %s', async (_, said, read) => {
    const { file } = await site(said, said)
    for (const id of ['old', 'shopOld'])
      expect(noteIn(file(`operations/${id}.html`))?.replace(/<[^>]*>/g, '')).toBe(read)
  })
})
