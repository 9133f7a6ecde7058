import { describe, expect, it } from 'vitest'
import { selectValues } from '../../../src/conform/workflows/criteria.js'

const boat = {
  name: 'Heron',
  'main sail': 'red',
  crew: [
    { name: 'Ann', age: 31, knots: ['reef', 'bowline'] },
    { name: "O'Hara", age: 9, knots: [] },
    { name: 'Kim', age: null },
  ],
  log: { depth: 4.5, 'say "ahoy"': 1, seaworthy: false },
}

describe('JSONPath (RFC 9535)', () => {
  it.each([
    ['$', [boat]],
    ['$.name', ['Heron']],
    ["$['main sail']", ['red']],
    ['$["main sail"]', ['red']],
    ['$.log[\'say "ahoy"\']', [1]],
    ['$.crew[0].name', ['Ann']],
    ['$.crew[-1].name', ['Kim']],
    ['$.crew[9]', []],
    ['$.crew[0,2].name', ['Ann', 'Kim']],
    ['$.crew[1:].name', ["O'Hara", 'Kim']],
    ['$.crew[:-1].name', ['Ann', "O'Hara"]],
    ['$.crew[::-2].name', ['Kim', 'Ann']],
    ['$.crew[*].name', ['Ann', "O'Hara", 'Kim']],
    ['$.log.*', [4.5, 1, false]],
    ['$..name', ['Heron', 'Ann', "O'Hara", 'Kim']],
    ['$..knots[0]', ['reef']],
    ['$ .crew [0] .age', [31]],
    ["$.crew[?@.name == 'O\\'Hara'].age", [9]],
    ["$.crew[?(@.age >= 9 && @.age < 31) || @.name == 'Kim'].name", ["O'Hara", 'Kim']],
    ['$.crew[?@.knots].name', ['Ann', "O'Hara"]],
    ['$.crew[?!@.knots].name', ['Kim']],
    ['$.crew[?@.age == null].name', ['Kim']],
    ['$.crew[?@.none == @.neither].age', [31, 9, null]],
    ["$.crew[?@.age == '31']", []],
    ["$.crew[?@['name'] != $.crew[0].name].name", ["O'Hara", 'Kim']],
    ['$.crew[?count(@.knots[*]) > 1].name', ['Ann']],
    ['$.crew[?length(@.knots) == 0].name', ["O'Hara"]],
    ['$[?length(@) == 5]', ['Heron']],
    ["$.crew[?match(@.name, 'A.')].name", []],
    ["$.crew[?match(@.name, 'A.*')].name", ['Ann']],
    ["$.crew[?search(@.name, 'H')].name", ["O'Hara"]],
    ['$.crew[?value(@..age) == 31].name', ['Ann']],
    ['$.log[?@ == false]', [false]],
    ['$.log[?@ > 1]', [4.5]],
  ])('%s', (text, want) => {
    expect(selectValues(text, boat)).toEqual(want)
  })

  it.each([
    ['name', "expected '$'"],
    ['$.', '('],
    ['$.crew[01]', 'leading zero'],
    ['$.crew[?@.*== 1]', 'not comparable'],
    ['$.crew[?(@.age > 1]', 'unbalanced brackets'],
    ['$.crew[?size(@) == 1]', "no such function 'size'"],
    ["$['a]", 'unclosed string'],
    ['$.crew[?@.age =~ /3/]', "unexpected filter selector token '='"],
    ['$.crew x', "found 'x'"],
  ])('%s is not valid', (text, why) => {
    expect(() => selectValues(text, boat)).toThrow(`the JSONPath ${text} is not valid (RFC 9535): `)
    expect(() => selectValues(text, boat)).toThrow(why)
  })

  it('does not judge by a regular expression that cannot be compiled', () => {
    expect(() => selectValues("$.crew[?match(@.name, '[')]", boat)).toThrow('cannot be evaluated')
  })

  it('does not read the length of an array as a member, as older dialects do', () => {
    const query = '$.crew[?@.knots.length > 0]'
    expect(() => selectValues(query, boat)).toThrow('reads the length of an array as a member')
    expect(selectValues('$.boats[?@.length > 9]', { boats: [{ length: 12 }] })).toHaveLength(1)
  })
})
