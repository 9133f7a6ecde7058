import '../fixed-seed.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_AT_ONCE, parseInParts, parts } from '../../src/runtime/server/parse-in-parts.js'

const read = (text: string, part: number): unknown => {
  const steps = parts(text, part)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The value with its members in their order; a text for an error, which no JSON text is. */
const outcome = (parse: () => unknown): string => {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : String(error)
  }
}

describe('a text that is parsed in parts', () => {
  it('has the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5, stringUnit: 'binary' }),
        fc.nat(3),
        fc.integer({ min: 1, max: 30 }),
        (text, indent, part) => {
          const spaced = JSON.stringify(JSON.parse(text), null, indent)
          expect(outcome(() => read(spaced, part))).toBe(outcome(() => JSON.parse(spaced)))
        },
      ),
      { numRuns: 1_500 },
    )
  })

  it('is rejected where JSON.parse rejects it', () => {
    const token = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ',', ':', '"a"', '"a":', '"b":', '"__proto__":', '1', '-', ' '],
      ...[
        '[1,2]',
        '{"a":1,"b":2}',
        '[1,2],',
        '"a":[1,2]',
        '{"a":[1,2],"a":{"0":1}}',
        '\u00a0',
        '"',
      ],
    )
    const inside = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''))
    const text = fc.oneof(
      inside,
      inside.map((items) => `[${items}]`),
      inside.map((items) => `{"c":1,${items}}`),
      fc.tuple(inside, inside).map(([one, other]) => `[[1,2,[3,4${one}],5],[{"a":[${other}]}]]`),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 8 }), (given, part) => {
        expect(outcome(() => read(given, part))).toBe(outcome(() => JSON.parse(given)))
      }),
      { numRuns: 15_000 },
    )
  })

  it.each(['{"a":-[1,2,3]}', '[[1,2,3] 4]', '[[1,2,3}]', '[[1,2,3],]', '[,[1,2,3]]', '[[1,2]] 1'])(
    'is rejected: %s',
    (text) => expect(outcome(() => read(text, 1))).toBe('no JSON'),
  )

  it('keeps a member named __proto__ as a member', () => {
    const value = read('{"__proto__":[1,2,3],"a":{"__proto__":1,"b":2,"c":3}}', 1)
    expect(Object.keys(value as object)).toEqual(['__proto__', 'a'])
    expect(JSON.stringify(value)).toBe('{"__proto__":[1,2,3],"a":{"__proto__":1,"b":2,"c":3}}')
  })

  it('finds odd tokens, depth and members as a small one', async () => {
    const filler = ' '.repeat(MOST_AT_ONCE)
    const { value, odd } = await parseInParts(`[{"a":1e400},1.0]${filler}`)
    expect(value).toEqual([{ a: Number.POSITIVE_INFINITY }, 1])
    expect(odd()).toMatchObject([{ text: '1e400', loss: 'precision' }])
    await expect(parseInParts(`{"a":1,"b":2}${filler}`, 1)).rejects.toThrow('more than 1 members')
    await expect(parseInParts('['.repeat(300) + filler)).rejects.toThrow('Nested deeper')
  })
})
