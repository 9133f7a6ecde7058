import { expect, it } from 'vitest'
import { regExpLiteral } from '../../src/text/escape.js'
import { diagnose } from './strictest.js'

/** They are no patterns with the flag u, so they are compiled without it. */
const SOURCES = [
  String.raw`^\p{L}+\Z`,
  String.raw`\8`,
  String.raw`\k<a>\-`,
  String.raw`\u{61}\-`,
  String.raw`\-\/"'`,
  'a{,5}',
]

it('patterns without the flag u compile, and match what they match in JavaScript', () => {
  const expressions = SOURCES.map((source) => new RegExp(source))
  const code = expressions.map((one, at) => `export const p${at} = ${regExpLiteral(one)}\n`)
  expect(diagnose(new Map([['patterns.ts', code.join('')]]))).toEqual([])
  for (const one of expressions) {
    const read = new Function(`return ${regExpLiteral(one)}`)() as RegExp
    expect([read.source, read.flags]).toEqual([one.source, one.flags])
  }
})
