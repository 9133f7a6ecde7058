import { expect, test } from 'vitest'
import { all, any, atom, flat, type Test } from '../../../src/emit/validators/expression.js'

const [a, b, c] = ['a', 'b', 'c'].map((text) => atom(text)) as [Test, Test, Test]

test.each<[string, Test]>([
  ['a && b', all(a, any(a, c), b)],
  ['a || b', any(a, all(a, c), b)],
  ['(a || c) && a', all(any(a, c), a)],
  ['a && (b || c)', all(a, any(b, c))],
])('%s: a part that an earlier one decides is left out', (text, expression) => {
  expect(flat(expression)).toBe(text)
})
