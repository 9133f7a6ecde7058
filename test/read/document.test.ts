import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/model/finding.js'
import { type Document, parseDocument, readDocument } from '../../src/read/document.js'
import { joinPointer, pointerOf, segmentsOf } from '../../src/runtime/shared/pointer.js'
import { cpuClock } from '../cpu-time.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder('document')

/** The first error of a text, whether or not it was read. */
const refusal = (read: () => Document): string => {
  const found = () => {
    try {
      return read().faults[0]
    } catch (error) {
      if (error instanceof DocumentError) return error.finding
      throw error
    }
  }
  const finding = found()
  if (!finding) return 'no refusal'
  const { rule, location, message } = finding
  const { line, column, pointer } = location
  return `${line}:${column} ${pointer === '' ? '' : `${pointer} `}${rule} ${message}`
}

const written = (name: string, content: string | Uint8Array): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

describe('pointers', () => {
  it('escape and unescape as RFC 6901 says', () => {
    expect(pointerOf('paths', '/zkt/{key}', 200)).toBe('/paths/~1zkt~1{key}/200')
    expect(joinPointer('/a', 'm~n')).toBe('/a/m~0n')
    expect(segmentsOf('/paths/~1a/~01')).toEqual(['paths', '/a', '~1'])
    expect(segmentsOf('')).toEqual([])
    expect(segmentsOf('/')).toEqual([''])
  })
})

describe('data', () => {
  it.each([
    [
      'keys are strings as written',
      'a:\n  200: x\n  1.0: y\n  true: z',
      { a: { 200: 'x', '1.0': 'y', true: 'z' } },
    ],
    [
      'words of YAML 1.1 are text',
      'a: yes\nb: on\nc: 2001-01-01',
      { a: 'yes', b: 'on', c: '2001-01-01' },
    ],
    ['quoted hex is text', "a: '0x12'\nb: !!str 0x12\nc: 0o", { a: '0x12', b: '0x12', c: '0o' }],
    ['an empty value is null', 'a:\nb: ~', { a: null, b: null }],
    [
      'merge keys, own keys win',
      'x: &x {a: 1, b: 1}\ny:\n  b: 2\n  <<: *x',
      { x: { a: 1, b: 1 }, y: { b: 2, a: 1 } },
    ],
    ['a list of merges, the first wins', 'y:\n  <<: [{a: 1}, {a: 2, b: 2}]', { y: { a: 1, b: 2 } }],
    ['an anchor set again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    [
      'an anchor set again inside of an alias',
      'a: &y 1\nb: &x [*y]\nc: &y 2\nd: *x\ne: *y',
      { a: 1, b: [1], c: 2, d: [1], e: 2 },
    ],
    ['flow and comments', '{a: [1, # one\n 2]}', { a: [1, 2] }],
  ])('%s', (_, text, want) => {
    expect(parseDocument(text, 'a.yaml').value).toEqual(want)
  })

  it('expands aliases to copies', () => {
    const value = parseDocument('a: &x {b: [1]}\nc: *x', 'a.yaml').value as Record<string, object>
    expect(value.c).toEqual(value.a)
    expect(value.c).not.toBe(value.a)
  })

  it.each([
    ['a.yaml', '__proto__: {polluted: 1}\na: 1\n'],
    ['a.json', '{"__proto__": {"polluted": 1}, "a": 1}'],
  ])('keeps __proto__ as a key like any other in %s', (file, text) => {
    const value = parseDocument(text, file).value as object
    expect(Object.keys(value)).toEqual(['__proto__', 'a'])
    expect('polluted' in value).toBe(false)
  })

  it('is distinguished by the extension, and by the text where there is none', () => {
    expect(parseDocument('{"a": 1}', 'a').value).toEqual({ a: 1 })
    expect(parseDocument('{a: 1}', 'a').value).toEqual({ a: 1 })
    expect(parseDocument('a: 1', 'a.txt').value).toEqual({ a: 1 })
    expect(refusal(() => parseDocument('{a: 1}', 'a.json'))).toMatch('document-does-not-parse')
  })

  it('skips a byte order mark', () => {
    const file = written('bom.json', '\uFEFF{"a": {"b": 1}}')
    expect(readDocument(file).value).toEqual({ a: { b: 1 } })
    expect(readDocument(file).locate('/a/b', 'key')).toEqual({
      file,
      line: 1,
      column: 8,
      pointer: '/a/b',
    })
  })
})

describe('places', () => {
  const json =
    '{\r\n  "a/b": [1, {"c": "\\"}", "d": null}],\r\n  "e" : {"": 1}, "k\\u0065y": 2\r\n}'
  const yaml =
    'a/b:\r\n  - 1\r\n  - c: x\r\n    d:\r\ne: &e\r\n  ? f\r\n  : 1\r\ng: *e\r\nh: {<<: *e, i: 1}\r\n'
  it.each([
    [json, 'a.json', '', 'value', '1:1 '],
    [json, 'a.json', '/a~1b', 'key', '2:3 /a~1b'],
    [json, 'a.json', '/a~1b', 'value', '2:10 /a~1b'],
    [json, 'a.json', '/a~1b/1/d', 'key', '2:27 /a~1b/1/d'],
    [json, 'a.json', '/a~1b/1/d', 'value', '2:32 /a~1b/1/d'],
    [json, 'a.json', '/a~1b/1', 'key', '2:14 /a~1b/1'],
    [json, 'a.json', '/a~1b/7/d', 'value', '2:10 /a~1b'],
    [json, 'a.json', '/e/', 'value', '3:14 /e/'],
    [json, 'a.json', '/key', 'value', '3:30 /key'],
    [json, 'a.json', '/nothing/at/all', 'key', '1:1 '],
    [yaml, 'a.yaml', '', 'value', '1:1 '],
    [yaml, 'a.yaml', '/a~1b', 'key', '1:1 /a~1b'],
    [yaml, 'a.yaml', '/a~1b', 'value', '2:3 /a~1b'],
    [yaml, 'a.yaml', '/a~1b/1/d', 'key', '4:5 /a~1b/1/d'],
    [yaml, 'a.yaml', '/a~1b/1/x', 'value', '3:5 /a~1b/1'],
    [yaml, 'a.yaml', '/e/f', 'value', '7:5 /e/f'],
    [yaml, 'a.yaml', '/g', 'value', '8:4 /g'],
    [yaml, 'a.yaml', '/g/f', 'value', '7:5 /g/f'],
    [yaml, 'a.yaml', '/h/f', 'key', '6:5 /h/f'],
    [yaml, 'a.yaml', '/h/i', 'value', '9:16 /h/i'],
  ] as const)('of %j in %s: %s (%s) is %s', (text, file, pointer, part, want) => {
    const { line, column, pointer: found } = parseDocument(text, file).locate(pointer, part)
    expect(`${line}:${column} ${found}`).toBe(want)
  })

  it('takes keys of several objects, and texts that look like keys, for no twins in JSON', () => {
    const text = '{"a": {"a": "a"}, "b": ["a", "a", {"a": "\\"a\\":"}], "c": "{\\"a\\": 1"}'
    expect(parseDocument(text, 'a.json').value).toEqual(JSON.parse(text))
  })
})

describe('what cannot be read is refused with its place', () => {
  it.each([
    [
      'a missing file',
      () => readDocument(join(folder, 'none.yaml')),
      /^1:1 document-does-not-exist there is no file .*none\.yaml$/,
    ],
    [
      'a folder',
      () => readDocument(mkdirSync(join(folder, 'sub'), { recursive: true }) ?? ''),
      /^1:1 document-is-a-folder .* is a folder: name the document in it$/,
    ],
    [
      'a file that is not UTF-8',
      () => readDocument(written('latin.yaml', new Uint8Array([0x61, 0x3a, 0xe9]))),
      /^1:1 document-is-not-utf-8 /,
    ],
  ])('%s', (_, read, want) => {
    expect(refusal(read)).toMatch(want)
  })

  it('faults of a text', () => {
    const cases = [
      ['a.yaml', ''],
      ['a.json', ' \n'],
      ['a.yaml', '# nothing\n'],
      ['a.yaml', '- 1\n'],
      ['a.json', '[1]'],
      ['a.yaml', 'just text'],
      ['a.json', '4'],
      ['a.yaml', 'a: 1\n---\nb: 1\n'],
      ['a.yaml', 'a: 1\na: 2\n'],
      ['a.yaml', "200: 1\n'200': 2\n"],
      ['a.yaml', 'a:\n  - 1\n  - 0x12\n'],
      ['a.yaml', 'a: 0o17\n'],
      ['a.yaml', 'a: .inf\n'],
      ['a.yaml', 'a: &a\n  b: [*a]\n'],
      ['a.yaml', 'a: *b\n'],
      ['a.yaml', 'a:\n\tb: 1\n'],
      ['a.yaml', 'a: [1\nb: 2\n'],
      ['a.yaml', '? [a]\n: 1\n'],
      ['a.yaml', 'a:\n  <<: 1\n'],
      ['a.json', '{\n  "a": 1,\n}'],
      ['a.json', '[1,]'],
      ['a.json', '{"a" 1}'],
      ['a.json', '{"a": 1 "b": 2}'],
      ['a.json', "{'a': 1}"],
      ['a.json', '{a: 1}'],
      ['a.json', '{"a": 01}'],
      ['a.json', '{"a": tru}'],
      ['a.json', '{"a": "b\n"}'],
      ['a.json', '{"a": "\\x"}'],
      ['a.json', '{"a": "\t"}'],
      ['a.json', '{"a": [1, 2}'],
      ['a.json', '{"a": [1, 2]'],
      ['a.json', '{"a": }'],
      ['a.json', '{} {}'],
      ['a.json', '{ // no\n}'],
    ] as const
    const messages = cases.map(([file, text]) => `${refusal(() => parseDocument(text, file))}`)
    expect(messages.join('\n')).toMatchInlineSnapshot(`
      "1:1 document-is-empty the document is empty
      1:1 document-is-empty the document is empty
      1:1 document-is-empty the document is empty
      1:1 document-is-not-an-object the top level of a document must be an object, not an array
      1:1 document-is-not-an-object the top level of a document must be an object, not an array
      1:1 document-is-not-an-object the top level of a document must be an object, not a string
      1:1 document-is-not-an-object the top level of a document must be an object, not a number
      2:1 yaml-has-second-document a second YAML document begins here, but a file may contain only one: move it to another file
      2:1 /a document-key-is-duplicate the key "a" occurs twice in this object: keep one
      2:1 /200 document-key-is-duplicate the key "200" occurs twice in this object: keep one
      3:5 /a/1 yaml-number-is-hex 0x12 without quotes is the number 18: write '0x12'
      1:4 /a yaml-number-is-hex 0o17 without quotes is the number 15: write '0o17'
      1:4 /a yaml-number-is-not-json .inf is a number that JSON does not have: write it as a string
      2:7 /a/b/0 yaml-alias-is-circular the alias *a is inside its own anchor: use a $ref for recursion
      1:4 /a yaml-alias-is-unknown the alias *b has no anchor above it
      2:1 document-does-not-parse the YAML is invalid: Tabs are not allowed as indentation: indent with spaces
      2:1 document-does-not-parse the YAML is invalid: Flow sequence in block collection must be sufficiently indented and end with a ]: indent it like its siblings, or close the quotes or brackets above
      1:3 yaml-key-is-not-text a key must be a string, not an object, an array or an unknown alias
      2:3 /a yaml-merge-is-not-an-object the value of a merge key << must be an object or a list of objects
      2:9 document-does-not-parse the JSON is invalid: there is a comma before the closing }: remove it
      1:3 document-does-not-parse the JSON is invalid: there is a comma before the closing ]: remove it
      1:6 document-does-not-parse the JSON is invalid: expected a colon, found "1"
      1:9 document-does-not-parse the JSON is invalid: expected a comma or }, found "\\""
      1:2 document-does-not-parse the JSON is invalid: strings and keys must be in double quotes
      1:2 document-does-not-parse the JSON is invalid: expected a key in double quotes, found "a"
      1:7 document-does-not-parse the JSON is invalid: expected a value, found "01"
      1:7 document-does-not-parse the JSON is invalid: expected a value, found "tru"
      1:7 document-does-not-parse the JSON is invalid: the string that begins here is never closed
      1:8 document-does-not-parse the JSON is invalid: "\\\\x" is not a valid escape in JSON
      1:8 document-does-not-parse the JSON is invalid: a control character in a string must be escaped
      1:12 document-does-not-parse the JSON is invalid: expected a comma or ], found "}"
      1:13 document-does-not-parse the JSON is invalid: the text ends too early, a closing } is missing
      1:7 document-does-not-parse the JSON is invalid: expected a value, found "}"
      1:4 document-does-not-parse the JSON is invalid: expected the end of the text, found "{"
      1:3 document-does-not-parse the JSON is invalid: JSON has no comments: remove it, or make the file YAML"
    `)
  })

  it.each([
    ['JSON', 'a.json', `{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['JSON that never closes', 'a.json', '[{"a":'.repeat(10_000)],
    ['YAML in flow style', 'a.yaml', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['YAML in compact lists', 'a.yaml', `${'- '.repeat(10_000)}1`],
    [
      'YAML in blocks',
      'a.yaml',
      Array.from({ length: 10_000 }, (_, n) => `${' '.repeat(n)}a:\n`).join(''),
    ],
    [
      'YAML in blocks, just too deep',
      'a.yaml',
      Array.from({ length: 501 }, (_, n) => `${' '.repeat(n)}a:\n`).join(''),
    ],
  ])('10,000 levels of %s, quickly', (_, file, text) => {
    const used = cpuClock()
    expect(refusal(() => parseDocument(text, file))).toMatch(
      /^\d+:\d+ .*document-nests-too-deep the document nests more than 500 levels deep: flatten it$/,
    )
    expect(used()).toBeLessThan(30_000)
  })

  it('but 400 levels are read', () => {
    const nested = `${'['.repeat(400)}${']'.repeat(400)}`
    expect(parseDocument(`{"a": ${nested}}`, 'a.json').value).toEqual(
      parseDocument(`a: ${nested}`, 'a.yaml').value,
    )
  })

  it('an expansion of nine aliases into a thousand million nodes, quickly', () => {
    const lines = Array.from(
      { length: 9 },
      (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(10)}]`,
    )
    expect(refusal(() => parseDocument(`a0: &a0 [1]\n${lines.join('\n')}`, 'a.yaml'))).toMatch(
      /yaml-aliases-expand-too-far the aliases expand to more than 1000000 nodes/,
    )
  })
})
