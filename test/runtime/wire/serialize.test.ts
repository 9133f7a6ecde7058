import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../src/runtime/operation.js'
import { serializeParameter } from '../../../src/runtime/wire/serialize.js'

const EMPTY = ''
const TEXT = 'blue'
const LIST = ['blue', 'black', 'brown']
const RECORD = { R: 100, G: 200, B: 150 }

const color = (where: Partial<Parameter>): Parameter => ({
  name: 'color',
  in: 'query',
  required: false,
  style: 'form',
  explode: false,
  ...where,
})

/** The table "Style Examples" of OpenAPI, with 3.0.4's corrections where they follow RFC 6570. */
const STYLES: readonly (readonly [
  style: Parameter['style'],
  explode: boolean,
  place: Parameter['in'],
  empty: string | undefined,
  text: string | undefined,
  list: string | undefined,
  record: string | undefined,
])[] = [
  [
    'matrix',
    false,
    'path',
    ';color',
    ';color=blue',
    ';color=blue,black,brown',
    ';color=R,100,G,200,B,150',
  ],
  [
    'matrix',
    true,
    'path',
    ';color',
    ';color=blue',
    ';color=blue;color=black;color=brown',
    ';R=100;G=200;B=150',
  ],
  ['label', false, 'path', '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, 'path', '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', false, 'path', '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, 'path', '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['simple', false, 'header', '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, 'header', '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  [
    'form',
    false,
    'query',
    'color=',
    'color=blue',
    'color=blue,black,brown',
    'color=R,100,G,200,B,150',
  ],
  [
    'form',
    true,
    'query',
    'color=',
    'color=blue',
    'color=blue&color=black&color=brown',
    'R=100&G=200&B=150',
  ],
  [
    'form',
    false,
    'cookie',
    'color=',
    'color=blue',
    'color=blue,black,brown',
    'color=R,100,G,200,B,150',
  ],
  [
    'form',
    true,
    'cookie',
    'color=',
    'color=blue',
    'color=blue; color=black; color=brown',
    'R=100; G=200; B=150',
  ],
  [
    'spaceDelimited',
    false,
    'query',
    'color=',
    'color=blue',
    'color=blue%20black%20brown',
    'color=R%20100%20G%20200%20B%20150',
  ],
  [
    'pipeDelimited',
    false,
    'query',
    'color=',
    'color=blue',
    'color=blue%7Cblack%7Cbrown',
    'color=R%7C100%7CG%7C200%7CB%7C150',
  ],
  [
    'spaceDelimited',
    true,
    'query',
    'color=',
    'color=blue',
    'color=blue&color=black&color=brown',
    'R=100&G=200&B=150',
  ],
  [
    'deepObject',
    true,
    'query',
    'color=',
    'color=blue',
    'color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown',
    'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
  ],
]

describe('parameter styles', () => {
  it.each(STYLES)('%s, explode %s, in %s', (style, explode, place, empty, text, list, record) => {
    const parameter = color({ style, explode, in: place })
    const written = [EMPTY, TEXT, LIST, RECORD].map((value) => serializeParameter(parameter, value))
    expect(written).toEqual([empty, text, list, record])
  })
})

describe('what the table leaves out', () => {
  const cases: readonly (readonly [
    name: string,
    where: Partial<Parameter>,
    value: unknown,
    want: string | undefined,
  ])[] = [
    ['nothing', {}, undefined, undefined],
    ['null', {}, null, undefined],
    ['an empty list is nothing (RFC 6570 2.3)', {}, [], undefined],
    ['an empty record is nothing', { explode: true }, {}, undefined],
    ['absent members are skipped', { explode: true }, [1, undefined, null, 2], 'color=1&color=2'],
    ['numbers and booleans', {}, [1.5, true], 'color=1.5,true'],
    [
      'a percent sign and reserved characters',
      {},
      "a b&c=d/e?f%20!'()*",
      'color=a%20b%26c%3Dd%2Fe%3Ff%2520%21%27%28%29%2A',
    ],
    ['a comma inside an item is not a delimiter', {}, ['a,b', 'c'], 'color=a%2Cb,c'],
    ['a slash in a path', { in: 'path', style: 'simple' }, '../a', '..%2Fa'],
    [
      'reserved characters that may stay',
      { allowReserved: true },
      'http://h/a?b=c,d;e',
      'color=http://h/a?b=c,d;e',
    ],
    [
      'reserved characters that would end the value',
      { allowReserved: true },
      'a&b#c+d[e]%',
      'color=a%26b%23c%2Bd%5Be%5D%25',
    ],
    [
      'what is percent-encoded already stays where reserved characters may (RFC 6570, 3.2.3)',
      { allowReserved: true },
      'a%20b/%2f?%C3%A9%zz%2520%',
      'color=a%20b/%2f?%C3%A9%25zz%2520%25',
    ],
    ['its items too', { allowReserved: true }, ['a%2Cb', 'c,d'], 'color=a%2Cb,c%2Cd'],
    ['and nowhere else', {}, 'a%20b', 'color=a%2520b'],
    ['nor in a path', { in: 'path', style: 'simple', allowReserved: true }, '%20', '%2520'],
    [
      'headers are not percent-encoded',
      { in: 'header', style: 'simple' },
      ['a b', 'c/d'],
      'a b,c/d',
    ],
    ['a nested value becomes JSON', {}, [{ a: 1 }], 'color=%7B%22a%22%3A1%7D'],
    [
      'deepObject nests',
      { style: 'deepObject', explode: true },
      { a: { b: 1 }, c: [2, 3] },
      'color%5Ba%5D%5Bb%5D=1&color%5Bc%5D%5B0%5D=2&color%5Bc%5D%5B1%5D=3',
    ],
    ['JSON content', { codec: 'json' }, { a: [1] }, 'color=%7B%22a%22%3A%5B1%5D%7D'],
    [
      'JSON content in a header',
      { in: 'header', style: 'simple', codec: 'json' },
      { a: 1 },
      '{"a":1}',
    ],
    ['text content in a path', { in: 'path', style: 'simple', codec: 'text' }, 'a b', 'a%20b'],
    [
      'half a surrogate pair, beside reserved characters',
      { allowReserved: true },
      'a/\ud800',
      'color=a/%EF%BF%BD',
    ],
    ['a name that needs encoding', { name: 'a[b]' }, 1, 'a%5Bb%5D=1'],
    ['a name in a matrix', { in: 'path', style: 'matrix' }, 0, ';color=0'],
  ]
  it.each(cases)('%s', (_, where, value, want) => {
    expect(serializeParameter(color(where), value)).toBe(want)
  })
})
