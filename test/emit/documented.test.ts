import { expect, it } from 'vitest'
import { written } from '../../src/emit/documented.js'
import type { FormEncoding } from '../../src/runtime/operation.js'
import { codecOf } from '../../src/runtime/shared/codecs.js'

const FORM = 'application/x-www-form-urlencoded'

// The body that a mock sends, as clients write such a body.
it.each<[name: string, value: unknown, encoding: FormEncoding, text: string | undefined]>([
  ['texts', { a: 'x y', n: 1 }, {}, 'a=x+y&n=1'],
  ['a list', { tags: ['a', 'b'] }, {}, 'tags=a&tags=b'],
  ['an object', { place: { x: 1 } }, {}, 'place=%7B%22x%22%3A1%7D'],
  ['a style', { tags: ['a', 'b'] }, { tags: { style: 'form', explode: false } }, 'tags=a,b'],
  [
    'JSON in a field',
    { tags: ['a'] },
    { tags: { contentType: 'application/json' } },
    'tags=%5B%22a%22%5D',
  ],
  ['nothing for null', { a: null, b: 2 }, {}, 'b=2'],
  ['a text', 'a=1', {}, 'a=1'],
  ['no object', [1], {}, undefined],
])('an example of a form is written with %s', (_, value, encoding, text) => {
  const answer = written(
    { status: '200', name: 'one', value },
    { type: FORM, codec: codecOf(FORM), encoding },
  )
  expect(answer).toEqual(
    text === undefined ? undefined : { status: '200', name: 'one', type: FORM, value: text },
  )
})
