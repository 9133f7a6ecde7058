import { expect, test } from 'vitest'
import { code, doc, file, imported, importedType, literal } from '../../src/emit/file.js'

test('a file imports what its code names, once, packages before neighbours', () => {
  const call = code`${imported('make', 'pkg')}<${importedType('Options', 'pkg')}>()`
  const body = code`
    export const one = ${call}
    export const two: ${importedType('Local', './local.js')} = ${call}`
  expect(file('a.ts', body, '// header').text).toMatchInlineSnapshot(`
    "// header
    import { make, type Options } from 'pkg'
    import type { Local } from './local.js'

    export const one = make<Options>()
        export const two: Local = make<Options>()
    "
  `)
})

test('a value of several lines is indented as far as its line', () => {
  expect(
    code`{\n  a: ${literal({ long: 'x'.repeat(60), other: 'y'.repeat(60) })},\n}`.text,
  ).toMatchInlineSnapshot(`
    "{
      a: {
        long: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        other: 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy',
      },
    }"
  `)
})

test.each([
  ['text', 'it\'s "so"\n', `'it\\'s "so"\\n'`],
  ['keys that need quotes', { 'a-b': 1, 200: 2, c: undefined }, `{ 200: 2, 'a-b': 1 }`],
  ['code among data', { check: imported('check', 'x') }, '{ check }'],
  ['nothing', {}, '{}'],
])('a literal of %s', (_, data, text) => {
  expect(literal(data).text).toBe(text)
})

test('a comment cannot be left by what it says', () => {
  expect(doc('Ends */ here.').text).toBe('/** Ends *\\/ here. */')
})

test('a paragraph is wrapped anew, a list keeps its lines', () => {
  const text = `${'word '.repeat(12)}\n${'word '.repeat(12)}\n\n- one\n- two`
  expect(doc(text, undefined, 'Second.').text).toMatchInlineSnapshot(`
    "/**
     * word word word word word word word word word word word word word word word word word word
     * word word word word word word
     *
     * - one
     * - two
     *
     * Second.
     */"
  `)
})

test('a long item is wrapped below its text, a quotation is quoted on each line, and a long link does not end the wrapping', () => {
  const item = `- 400: ${'word '.repeat(16)}\n  ${'word '.repeat(8)}`
  const quote = `> ${'word '.repeat(22)}`
  const link = `See [this](https://example.com/${'a'.repeat(80)}) and ${'word '.repeat(20)}`
  expect(doc(item, quote, link).text).toMatchInlineSnapshot(`
    "/**
     * - 400: word word word word word word word word word word word word word word word word word
     *   word word word word word word word
     *
     * > word word word word word word word word word word word word word word word word word word
     * > word word word word
     *
     * See
     * [this](https://example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)
     * and word word word word word word word word word word word word word word word word word
     * word word word
     */"
  `)
})

test('a table keeps its lines', () => {
  const row = `| ${'word '.repeat(25)}|`
  expect(doc(`| a |\n| - |\n${row}`).text.split('\n')).toContain(` * ${row}`)
})

test('data that looks like a fragment is data, and __proto__ is a key like any other', () => {
  const data = JSON.parse('{ "text": { "type": "string" }, "imports": 1, "__proto__": 2 }')
  expect(literal(data).text).toBe(`{ text: { type: 'string' }, imports: 1, ['__proto__']: 2 }`)
})

test('code in a fence keeps its lines, and a line may begin with code', () => {
  const text = 'Send it as\n`text/plain`.\n\n```sh\ncurl one\ncurl two\n```\nThen\nread it.'
  expect(doc(text).text).toMatchInlineSnapshot(`
    "/**
     * Send it as \`text/plain\`.
     *
     * \`\`\`sh
     * curl one
     * curl two
     * \`\`\`
     * Then read it.
     */"
  `)
})
