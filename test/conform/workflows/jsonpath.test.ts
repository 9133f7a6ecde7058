import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../src/conform/workflows/jsonpath/read-query.js'
import { selectNodes } from '../../../src/conform/workflows/jsonpath/select-nodes.js'

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
    expect(selectNodes(readQuery(text), boat)).toEqual(want)
  })

  it.each([
    ['name', 1],
    ['$.', 3],
    ['$.crew[01]', 8],
    ['$.crew[?@.*== 1]', 14],
    ['$.crew[?(@.age > 1]', 19],
    ['$.crew[?size(@) == 1]', 13],
    ["$['a]", 3],
    ['$.crew[?@.age =~ /3/]', 15],
    ['$.crew x', 8],
  ])('%s is not read', (text, at) => {
    expect(() => readQuery(text)).toThrow(
      `the JSONPath ${text} cannot be read at its character ${at} (RFC 9535)`,
    )
  })

  it('does not take the length of a list for a member, as older dialects do', () => {
    expect(() => selectNodes(readQuery('$.crew[?@.knots.length > 0]'), boat)).toThrow(
      'it asks for the length of a list as a member',
    )
  })
})
