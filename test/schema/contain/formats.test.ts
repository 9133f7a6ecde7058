import { expect, test } from 'vitest'
import { gapsOf, object, of, text } from './shorthand.js'

test.each([
  ['email', 'a@a.a'],
  ['date', '2000-01-01'],
  ['date-time', '2000-01-01T00:00:00Z'],
  ['uuid', 'aaaaaaaa-aaaa-1aaa-aaaa-aaaaaaaaaaaa'],
  ['uri', 'http://a'],
  ['ipv4', '0.0.0.0'],
  ['ipv6', '::a'],
  ['hostname', 'a'],
  ['nobody knows it', ''],
])('a text of the format %s is shown as one', (format, shown) => {
  const before = of(object({ due: text({ format }) }))
  const after = of(object({ due: { type: 'integer' } }))
  expect(gapsOf(before, after)).toEqual([`type at due: ${JSON.stringify({ due: shown })}`])
})

test('what a new bound refuses is shown by a text of the format', () => {
  const mail = (more: object) => of(text({ format: 'email', ...more }))
  expect(gapsOf(mail({}), mail({ pattern: '@a[.]org$' }))).toEqual(['pattern "a@a.a"'])
  expect(gapsOf(mail({}), mail({ maxLength: 7 }))).toEqual(['longest "aaaa@a.a"'])
})

test('what no text of the format shows is shown by another', () => {
  const mail = (more: object) => of(text({ format: 'email', ...more }))
  expect(gapsOf(mail({}), mail({ pattern: '@' }))).toEqual(['pattern ""'])
})
