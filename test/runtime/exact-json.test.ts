import '../fixed-seed.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOf, parseExact } from '../../src/runtime/shared/exact-json.js'
import { exactNumber } from '../../src/runtime/shared/exact-number.js'
import { cpuClock } from '../cpu-time.js'

describe('parseExact', () => {
  const resultOf = (text: string) =>
    parseExact(text)
      .odd()
      .map(({ path, text, loss }) => [keysOf(path).join('/'), text, loss])

  it.each<readonly [string, unknown[]]>([
    ['{"a":1,"b":[1.5,-3,0,1e21,"1e400"]}', []],
    ['9007199254740993', [['', '9007199254740993', 'precision']]],
    ['9007199254740992', []],
    ['{"a":[0,{"b":1e400}]}', [['a/1/b', '1e400', 'precision']]],
    ['[1.0,1e2,-0,0.10,100000000000000000000000,123456789012345e99]', []],
    [
      '[1e-400,0e999,0.1000000000000000055,123456789e308]',
      [
        ['0', '1e-400', 'precision'],
        ['2', '0.1000000000000000055', 'precision'],
        ['3', '123456789e308', 'precision'],
      ],
    ],
    ['{"x\\"y":{"9e999":1e999},"\\u0061":1.0}', [['x"y/9e999', '1e999', 'precision']]],
    ['{"id":1.0,"params":[{"id":1.0}]}', [['id', '1.0', undefined]]],
    [
      '[{"id":-0,"x":-0},{"id":1e2,"params":{"id":1e2}},[{"id":1.0}]]',
      [
        ['0/id', '-0', undefined],
        ['1/id', '1e2', undefined],
      ],
    ],
    [
      '["\\ud83d\\ude00","\\ud800",{"\\udc00":1}]',
      [
        ['1', '"\\ud800"', 'unicode'],
        ['2/\udc00', '"\\udc00"', 'unicode'],
      ],
    ],
    ['["\\\\ud800"]', []],
  ])('%s', (text, want) => {
    expect(resultOf(text)).toEqual(want)
    expect(parseExact(text).value).toEqual(JSON.parse(text))
  })

  it('lists as many losses as an error does: in the params of each request, and in all the rest', () => {
    const many = Array(30).fill('1e400').join()
    const request = (index: number) => `{"x${index}":[${many}],"params":[${many}],"id":1e400}`
    const places = parseExact(`[${request(0)},${many},${request(1)}]`)
      .odd()
      .map(({ path }) => keysOf(path).slice(0, 2).join('/'))
    const count = (place: string) => places.filter((one) => one === place).length
    expect([count('0/params'), count('31/params'), count('0/id'), count('31/id')]).toEqual([
      20, 20, 1, 1,
    ])
    expect(places).toHaveLength(62)
  })

  it('finds what it changes and nothing else, in any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value, odd } = parseExact(text)
        expect(value).toEqual(JSON.parse(text))
        expect(odd().filter(({ loss }) => loss === 'precision')).toEqual([])
      }),
    )
  })

  it('finds the same in a text of few brackets and in one that has to be looked through', () => {
    const many = '[],'.repeat(300)
    const number = fc.constantFrom(
      ...'0 -0 5 -5 1.0 1e2 -1.5 0.5 1E3 123456789012345 1234567890123456 -1234567890123456'.split(
        ' ',
      ),
      ...'9007199254740993 9007199254740992 -0.0 0e1 -1e5 99999999999999999999 1e400'.split(' '),
    )
    const other = fc.constantFrom(
      '"1.5"',
      '":1e3"',
      '", 9007199254740993"',
      '"\\",1.0"',
      'null',
      '"-0"',
    )
    const blank = fc.constantFrom('', ' ', '\n', '\t', '\r\n  ')
    const item = fc
      .tuple(blank, fc.oneof(number, number, other), blank)
      .map((parts) => parts.join(''))
    const list = fc.array(item, { minLength: 1, maxLength: 4 })
    const text = fc.oneof(
      list.map((items) => `[${items}]`),
      list.map((items) => `{${items.map((each, index) => `"${index}":${each}`)}}`),
    )
    const found = (whole: string, from: number) =>
      parseExact(whole)
        .odd()
        .map(({ path, text, loss }) => [keysOf(path).slice(from), text, loss])
    fc.assert(
      fc.property(text, (inner) => {
        expect(found(`[${inner}]`, 1)).toEqual(found(`[${many}${inner}]`, 1))
      }),
    )
  })

  it('takes 256 levels and no more, of whatever brackets', () => {
    const nested = (levels: number) =>
      `${'[{"a":'.repeat(levels / 2)}${levels % 2 === 1 ? '[]' : '0'}${'}]'.repeat(levels / 2)}`
    expect(parseExact(nested(256)).odd()).toEqual([])
    expect(() => parseExact(nested(257))).toThrow(SyntaxError)
    expect(parseExact(`["${'{['.repeat(400)}"]`).value).toEqual(['{['.repeat(400)])
  })

  it('loses no digit of an integer without saying so', () => {
    fc.assert(
      fc.property(fc.bigInt(), (integer) => {
        const isKept =
          BigInt(Number(integer)) === integer && String(Number(integer)) === String(integer)
        // A double may be equal to more digits than it prints; then the printed ones decide.
        if (isKept) expect(exactNumber(String(integer))).toBe(Number(integer))
        else if (BigInt(Number(integer)) !== integer)
          expect(exactNumber(String(integer))).toBeUndefined()
      }),
    )
  })

  it.each([
    '',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '01',
    '1.',
    '.5',
    '+1',
    'NaN',
    '\ufeff1',
    '"',
    '[1',
    '1 2',
    '['.repeat(300) + ']'.repeat(300),
  ])('refuses %j', (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError)
  })

  it('takes a megabyte of anything in well under a second', () => {
    const million = 1_000_000
    const texts = [
      `[${'1e400,'.repeat(million / 6)}1]`,
      `"${'\\"'.repeat(million / 2)}"`,
      `"${'\\\\'.repeat(million / 2)}"`,
      `[${'9'.repeat(million)}]`,
      `[1${'0'.repeat(million / 2)}1${'0'.repeat(million / 2)}]`,
      `[${'0.'}${'0'.repeat(million)}1]`,
      `{"${'k'.repeat(million / 2)}":[${'1e400,'.repeat(million / 12)}1]}`,
      '["'.repeat(million / 2),
    ]
    for (const text of texts) {
      const used = cpuClock()
      try {
        parseExact(text)
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
      }
      expect(used()).toBeLessThan(20_000)
    }
  })
})
