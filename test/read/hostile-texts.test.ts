import { expect, it } from 'vitest'
import { prose, proseLine } from '../../src/docs/prose.js'
import { parseExactly } from '../../src/runtime/shared/exact-integers.js'
import { writeJson } from '../../src/runtime/shared/json.js'
import { createEventParser } from '../../src/runtime/streams/event-stream.js'
import { validator } from '../../src/runtime/validate.js'
import {
  jsonText,
  markdownBlock,
  markdownCell,
  markdownCode,
  markdownProse,
  markdownProseLine,
} from '../../src/text/escape.js'
import { cpuClock } from '../cpu-time.js'

const within = (milliseconds: number, work: () => void): void => {
  const used = cpuClock()
  work()
  expect(used()).toBeLessThan(milliseconds)
}

it('a text of many underscores does not delay the reading and writing of long integers', () => {
  const text = ['integer', 'bigint'].map((word) => word + '_'.repeat(200_000)).join('')
  const written = `{"text":"${text}","n":18446744073709551616}`
  const value = { text, n: 2n ** 64n }
  within(1_000, () => {
    expect(parseExactly(written)).toEqual(value)
    expect(writeJson(value)).toBe(written)
    expect(jsonText(value)).toBe(written)
  })
})

it('a string of five million escapes is read', () => {
  const text = `{"text":"${'\\n'.repeat(5_000_000)}","n":18446744073709551616,"digits":"\\"18446744073709551616"}`
  const { n, digits } = parseExactly(text) as { readonly n: bigint; readonly digits: string }
  expect([n, digits]).toEqual([2n ** 64n, '"18446744073709551616'])
})

it.each(['> ', '1. ', 'a_', 'a**', '<!--', '!['])(
  'a description of %j, 50,000 times, is shown',
  (piece) => {
    const text = `${piece.repeat(50_000)}end`
    within(2_000, () => {
      for (const write of [prose, proseLine]) expect(write(text)?.text).toContain('end')
    })
  },
)

it('a body of 20,000 unknown properties is explained in one pass', () => {
  const { explain } = validator(() => ({ type: 'object', additionalProperties: false }))
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name${n}`, 'x']))
  within(2_000, () => expect(explain(body, Number.POSITIVE_INFINITY)).toHaveLength(20_000))
})

it('an event stream whose lines end with CR alone is parsed in one pass', () => {
  within(1_000, () => expect(createEventParser().push(':\r'.repeat(500_000))).toEqual([]))
})

it.each(['[a](', '(', '[', '`', '<', '*', '![', 'a`', '  '])(
  'Markdown of %j, 200,000 times, is written in one pass',
  (piece) => {
    const text = `x${piece.repeat(200_000)}x`
    within(10_000, () => {
      for (const write of [markdownProse, markdownProseLine, markdownCell, markdownCode]) {
        expect(write(text)).toMatch(/x`*$/)
      }
      expect(markdownBlock('', text)).toContain(text)
    })
  },
)
