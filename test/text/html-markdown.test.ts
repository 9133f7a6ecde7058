import { expect, it } from 'vitest'
import { emitHttpTypes } from '../../src/emit/types.js'
import { htmlAsMarkdown } from '../../src/text/html-markdown.js'
import { apiOf, openapiOf } from '../read/api-of.js'

it.each([
  ['<p>Sends <code>x</code>.</p>\n\n<p>Or not.</p>', 'Sends `x`.\n\nOr not.\n\n'],
  [
    'See <a href="https://a.example/b?c=1">the <b>guide</b></a>.',
    'See [the **guide**](https://a.example/b?c=1).',
  ],
  ['See <a href="#up">above</a> and <a href="javascript:x()">this</a>.', 'See above and this.'],
  ['One<br/>two<BR>three', 'One\ntwo\nthree'],
  ['<ul><li>one</li><li><em>two</em></li></ul>', '\n\n- one\n- _two_\n'],
  ['`<p>` and `a <code> b` stay', '`<p>` and `a <code> b` stay'],
  [
    'List<i>, Map<string, b>, <T>, a < b, <img src=x>',
    'List<i>, Map<string, b>, <T>, a < b, <img src=x>',
  ],
  ['<p></a></code> alone', '</code> alone'],
])('%s', (html, markdown) => {
  expect(htmlAsMarkdown(html)).toBe(markdown)
})

it('comments of generated code have Markdown where a description has HTML (Stripe), and end where they end', async () => {
  const schemas = {
    Plan: { type: 'string', description: '<p>A plan of <code>monthly</code> price.</p>' },
    Sly: { type: 'string', description: 'a *<p></p>/ export const x = 1' },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toContain('/** A plan of `monthly` price. */\nexport type Plan = string')
  expect(text).not.toMatch(/^ ?\*?\/ export const x/m)
})
