import { describe, expect, it } from 'vitest'
import { acceptWeight, byAccept, contentFor } from '../../../src/runtime/wire/content.js'

const V1 = 'application/vnd.acme.v1+json'
const V2 = 'application/vnd.acme.v2+json'

describe('contentFor', () => {
  it.each<[types: readonly string[], sent: string | undefined, want: string | undefined]>([
    [['application/json'], 'application/json', 'application/json'],
    [['application/json'], 'Application/JSON ; Charset="UTF-8"', 'application/json'],
    [['application/json; charset=utf-8'], 'application/json', 'application/json; charset=utf-8'],
    [
      ['application/json; charset=utf-8'],
      'application/json;charset=latin1',
      'application/json; charset=utf-8',
    ],
    [['Application/Json'], 'application/json', 'Application/Json'],
    // Each JSON type is a type of its own.
    [['application/merge-patch+json'], 'application/json-patch+json', undefined],
    [['application/json'], 'application/problem+json', undefined],
    [['application/problem+json'], 'application/json', undefined],
    [['text/json'], 'application/json', undefined],
    [[V1, V2], V1, V1],
    [[V1, V2], `${V2}; charset=utf-8`, V2],
    [[V1], V2, undefined],
    [[V1, 'application/json'], V2, undefined],
    // Parameters: the same, then fewer that do not contradict.
    [['a/b;version=1', 'a/b;version=2'], 'a/b; version=2', 'a/b;version=2'],
    [['a/b;version=1', 'a/b;version=2'], 'A/B; Version="2"', 'a/b;version=2'],
    [['a/b;version=1', 'a/b;version=2'], 'a/b; version=3', undefined],
    [['a/b;version=1', 'a/b;version=2'], 'a/b', undefined],
    [['a/b;version=1'], 'a/b', 'a/b;version=1'],
    [['a/b;version=1', 'a/b'], 'a/b;version=2', 'a/b'],
    [['a/b;version=1', 'a/b'], 'a/b', 'a/b'],
    [['a/b', 'a/b;x=1', 'a/b;x=1;y=2'], 'a/b;y=2;x=1', 'a/b;x=1;y=2'],
    [['a/b', 'a/b;x=1'], 'a/b;x=1;z=3', 'a/b;x=1'],
    [['a/b;profile="x;y"'], 'a/b; profile="x;y"', 'a/b;profile="x;y"'],
    [['a/b;profile="x;y"'], 'a/b; profile="x;z"', undefined],
    [['text/plain; charset=utf-8'], 'text/plain; charset=iso-8859-1', undefined],
    [['text/plain; charset=utf-8'], 'text/plain', 'text/plain; charset=utf-8'],
    [['multipart/form-data'], 'multipart/form-data; boundary=xyz', 'multipart/form-data'],
    [['multipart/mixed; boundary=a'], 'multipart/mixed; boundary=b', 'multipart/mixed; boundary=a'],
    // Ranges, the narrowest first.
    [['*/*', 'text/*', 'text/csv'], 'text/csv', 'text/csv'],
    [['*/*', 'text/*', 'text/csv'], 'text/html', 'text/*'],
    [['*/*', 'text/*', 'text/csv'], 'image/png', '*/*'],
    [['*'], 'image/png', '*'],
    [['application/*', 'application/*+json'], 'application/hal+json', 'application/*+json'],
    [['application/*+json'], 'application/json', undefined],
    [['application/*+json'], 'text/x+json', undefined],
    [['text/*'], 'textual/x', undefined],
    [['text/*;charset=utf-8'], 'text/csv;charset=latin1', undefined],
    [['*/*'], 'nonsense', '*/*'],
    [['application/json'], 'json', undefined],
    // The bytes of one type are not those of another.
    [['application/octet-stream'], 'image/png', undefined],
    // RFC 9110, 8.3: a single declared type is assumed.
    [['application/json'], undefined, 'application/json'],
    [['application/json'], ' ', 'application/json'],
    [['application/json', 'text/csv'], undefined, undefined],
    [[], undefined, undefined],
    [[], 'application/json', undefined],
  ])('of %j for %s is %s', (types, sent, want) => {
    expect(contentFor(types, sent)).toBe(want)
    expect(contentFor(types.toReversed(), sent)).toBe(want)
  })
})

describe('an Accept header', () => {
  const TYPES = ['application/json', 'application/vnd.api+json', 'text/csv']

  it.each<[accept: string | undefined, want: readonly string[], types?: readonly string[]]>([
    [undefined, TYPES],
    ['', TYPES],
    ['*/*', TYPES],
    ['application/vnd.api+json', ['application/vnd.api+json']],
    ['application/json', ['application/json']],
    ['text/*, application/json;q=0.5', ['text/csv', 'application/json']],
    ['text/csv;q=0, */*', ['application/json', 'application/vnd.api+json']],
    ['*/*;q=0.1, text/csv', ['text/csv', 'application/json', 'application/vnd.api+json']],
    // The most specific range decides, not the greatest weight.
    ['application/*, application/json;q=0.1', ['application/vnd.api+json', 'application/json']],
    [
      'application/*+json;q=0.9, application/*;q=0.2',
      ['application/vnd.api+json', 'application/json'],
    ],
    ['image/png', []],
    ['text/csv;q=0', []],
    ['TEXT/CSV ; Q=0.3', ['text/csv']],
    ['text/csv;q=nonsense', ['text/csv']],
    ['text/csv;q=7, application/json', ['application/json', 'text/csv']],
    ['text/csv;q=0.5;q=0', ['text/csv']],
    ['a/b;version=2', ['a/b;version=2'], ['a/b;version=1', 'a/b;version=2']],
    [
      'a/b;version=2;q=0.5, a/b',
      ['a/b;version=1', 'a/b;version=2'],
      ['a/b;version=1', 'a/b;version=2'],
    ],
    ['a/b;version=2', ['a/b'], ['a/b']],
    ['a/b;p="x,y";q=0.2, text/csv', ['text/csv', 'a/b;p="x,y"'], ['a/b;p="x,y"', 'text/csv']],
    ['image/png', ['image/*'], ['image/*', 'text/*']],
    ['application/json; charset=utf-8', ['application/json'], ['application/json']],
  ])('%s allows %j', (accept, want, types = TYPES) => {
    const allowed = types.filter((type) => acceptWeight(accept, type) > 0)
    expect(allowed.toSorted(byAccept(accept))).toEqual(want)
    for (const type of types) expect(acceptWeight(accept, type) > 0).toBe(want.includes(type))
  })

  it('is read in linear time', () => {
    for (const piece of ['"', ';q', '"a,'] as const) {
      const milliseconds = (length: number): number => {
        const text = piece.repeat(length / piece.length)
        const runs = [1, 2, 3].map(() => {
          const before = process.cpuUsage()
          TYPES.toSorted(byAccept(text))
          contentFor(TYPES, text)
          return process.cpuUsage(before).user / 1000
        })
        return Math.min(...runs)
      }
      // Of processor time. Ten times the text takes ten times as long; with quadratic time, it would be a hundred times.
      expect(milliseconds(300_000)).toBeLessThan(40 * Math.max(milliseconds(30_000), 1))
    }
  })
})
