import { expect, it } from 'vitest'
import { markdownOf } from '../../src/docs/markdown.js'
import { plainText, prose, proseLine } from '../../src/docs/prose.js'
import { html } from '../../src/text/html.js'

const block = (text: string) =>
  prose(text)
    ?.text.replace(/^<div class="prose">(.*)<\/div>$/s, '$1')
    .trim()

it.each([
  [
    'See <a href="https://example.com">the guide</a>.<br />A new line.',
    '<p>See <a href="https://example.com" rel="noopener noreferrer">the guide</a>.<br>A new line.</p>',
  ],
  [
    'H<sub>2</sub>O, <B>bold</B> and **so**',
    '<p>H<sub>2</sub>O, <b>bold</b> and <strong>so</strong></p>',
  ],
  ['<ul>\n<li>one\n<li>two\n</ul>', '<ul>\n<li>one\n<li>two\n</li></li></ul>'],
  ['<h1>Title</h1>', '<p><strong>Title</strong></p>'],
  ['<div class="x" style="color:red">a</div>', '<div>a</div>'],
  ['a <!-- not <b>this</b> --> b', '<p>a  b</p>'],
  [
    '<img src="https://a.test/x.png" alt="a plan">',
    '<a href="https://a.test/x.png" rel="noopener noreferrer">a plan</a>',
  ],
  [
    'an <abbr title="A &quot;B&quot;">AB</abbr>',
    '<p>an <abbr title="A &quot;B&quot;">AB</abbr></p>',
  ],
  // A placeholder is no element.
  ['Send `Bearer` <token> here', '<p>Send <code>Bearer</code> &lt;token&gt; here</p>'],
  [
    '<details><summary>More</summary>\n\n**all**\n\n</details>',
    '<details><summary>More</summary><p><strong>all</strong></p>\n</details>',
  ],
])('HTML of a description is rendered: %j', (text, expected) => {
  expect(block(text)).toBe(expected)
})

it.each([
  '<script>alert(1)</script>',
  '<style>*{display:none}</style>',
  '<iframe src="https://a.test"></iframe>',
  '<svg onload=alert(1)><a href="x">y</a></svg>',
  '<object data="x"></object>',
  '<form action="/x"><input><button>send</button></form>',
  '<base href="https://a.test/">',
  '<meta http-equiv="refresh" content="0;url=https://a.test">',
  '<math><mtext><b onclick="x">y</b></mtext></math>',
  '<b onclick="x" style="position:fixed" id="y" class="try">z</b>',
  '<a href="javascript:alert(1)" onclick="x">y</a>',
  '<a href=" java\nscript:alert(1)">y</a>',
  '<a href="java&#115;cript:alert(1)">y</a>',
  '<a href="javascript&colon;alert(1)">y</a>',
  '<a href="data:text/html,x">y</a>',
  '<a href="//elsewhere.test">y</a>',
  `<a href='"onmouseover="x'>y</a>`,
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<b/onclick=x>y</b>',
  '<a title="&quot; onclick=x">y</a>',
  '<!--><script>x</script>-->',
  '</div></section><script>x</script>',
])('hostile HTML is not: %j', (text) => {
  for (const written of [prose(text, 2), prose(`a ${text} b`), proseLine(text)]) {
    const tags = written?.text.match(/<[^>]*>/g) ?? []
    // Entities are not decoded in an address, so `&` is a part of it.
    for (const tag of tags)
      expect(tag).toMatch(/^<\/?(?:p|b|a|div)(?: class="prose")?(?: href="(?:x|[a-z]*&[^"]*)")?>$/)
  }
})

it.each([
  ['a </div></p> b <b>c', '<p>a </p> b <b>c\n</b>'],
  ['<b><i>x</b></i>', '<p><b><i>x</i></b></p>'],
  ['a <div>b</div> c', '<p>a </p><div>b</div> c'],
  ['<a href="x">a <a href="y">b</a></a>', '<p><a href="x">a b</a></p>'],
  ['<b>one\n\ntwo</b>', '<p><b>one</b></p>\n<p>two</p>'],
])('every element is closed within the description: %j', (text, expected) => {
  expect(block(text)).toBe(expected)
})

it('a line has elements of text only', () => {
  expect(proseLine('one <i>two</i> <h1>three</h1><div>four</div>')?.text).toBe(
    'one <i>two</i>  three  four ',
  )
})

it('plain text and Markdown have no tags', () => {
  const text = 'See <a href="https://a.test/">the guide</a>.<br />A <token>, <b>bold</b>.'
  expect(plainText(text)).toBe('See the guide. A <token>, bold.')
  expect(markdownOf(html`${prose(text)}`)).toBe(
    'See [the guide](https://a.test/). A \\<token\\>, **bold**.\n',
  )
  expect(markdownOf(html`${prose('<table><tr><th>a</th></tr><tr><td>b</td></tr></table>')}`)).toBe(
    '| a |\n| --- |\n| b |\n',
  )
})

it('very many tags are shown in one pass', () => {
  for (const piece of ['<b>', '</b>', '<a href="x">', '<!-- ', '<a b="', "<a b='", '<p>'])
    for (const count of [5_000, 50_000]) {
      const before = process.cpuUsage()
      const written = prose(`${piece.repeat(count)}end`)
      expect(markdownOf(html`${written}`)).toContain('end')
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000)
    }
})
