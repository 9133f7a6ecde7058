import { expect, it } from 'vitest'
import { textOfMembers, valueMembers } from '../../src/docs/page/try/value-fields.js'

it('the members of JSON are kept letter by letter', () => {
  const text = '{ "a": 12345678901234567890.0, "b, c": ["x", {"y": [1 , 2]}], "d": {} }'
  const read = valueMembers(text)
  expect([...(read?.members ?? [])]).toEqual([
    ['a', '12345678901234567890.0'],
    ['b, c', '["x", {"y": [1 , 2]}]'],
    ['d', '{}'],
  ])
  const members = new Map(read?.members).set('e', 'true')
  members.delete('d')
  expect(textOfMembers({ isList: false, members })).toBe(
    '{\n  "a": 12345678901234567890.0,\n  "b, c": ["x", {"y": [1 , 2]}],\n  "e": true\n}',
  )
})

it('a place of a list that is left out is null where others follow it', () => {
  const { members = new Map<string, string>() } = valueMembers('["0x1", "latest"]') ?? {}
  const changed = new Map(members)
  changed.delete('0')
  expect(textOfMembers({ isList: true, members: changed })).toBe('[\n  null,\n  "latest"\n]')
  changed.delete('1')
  expect(textOfMembers({ isList: true, members: changed })).toBe('[]')
  expect(valueMembers('[1')).toBeUndefined()
  expect(valueMembers('1')).toBeUndefined()
})
