import { describe, expect, it, test } from 'vitest'
import { codecOf } from '../../../src/runtime/shared/codecs.js'
import { validator } from '../../../src/runtime/validate.js'
import { readUrlEncoded } from '../../../src/runtime/wire/forms.js'
import { readParameters } from '../../../src/runtime/wire/parameters.js'
import { readQuery } from '../../../src/runtime/wire/readings.js'
import { writeBody } from '../../../src/runtime/wire/write-body.js'

type Style = 'form' | 'spaceDelimited' | 'pipeDelimited'

const NUMBERS = { type: 'array', items: { type: 'integer' }, minItems: 2 } as const
const ofField = validator(() => ({ type: 'object', properties: { q: NUMBERS } }))
const ofQuery = validator(() => NUMBERS)

/** Where a text is invalid, as a field of a form and as a query parameter. */
const faultsOf = (text: string, style: Style) => {
  const encodings = { q: { style, explode: false } }
  const field = readUrlEncoded(text, ofField, { encodings })
  const q = { name: 'q', in: 'query', required: true, style, explode: false } as const
  const wire = { path: {}, query: readQuery(text), headers: {}, cookies: new Map() }
  const [parameter] = readParameters(
    { parameters: [q], schemes: {} },
    () => ofQuery,
    wire,
  ).parameters
  const shown = (all: readonly { pointer: string; message: string }[], root: string) =>
    all.map(({ pointer, message }) => `${pointer.slice(root.length)} ${message}`)
  return {
    field: 'faults' in field ? shown(field.faults, '/q') : [],
    parameter: parameter && 'faults' in parameter ? shown(parameter.faults, '') : [],
  }
}

// A wrong item is named by its position, and a list with another delimiter is one item.
describe('a wrong value in a delimited list', () => {
  it.each<[style: Style, text: string, faults: readonly string[]]>([
    ['pipeDelimited', 'q=1|2', []],
    ['pipeDelimited', 'q=1%7C2', []],
    ['pipeDelimited', 'q=1|a', ['/1 must be an integer']],
    ['pipeDelimited', 'q=a%7C2%7Cb', ['/0 must be an integer', '/2 must be an integer']],
    ['pipeDelimited', 'q=1', ['must have at least 2 items, has 1']],
    ['spaceDelimited', 'q=1%202', []],
    ['spaceDelimited', 'q=1+2', []],
    ['spaceDelimited', 'q=1+a', ['/1 must be an integer']],
    ['spaceDelimited', 'q=1.5%202', ['/0 must be an integer']],
    ['form', 'q=1,2', []],
    ['form', 'q=1,a', ['/1 must be an integer']],
  ])('%s of %s', (style, text, faults) => {
    const trimmed = (all: readonly string[]) => all.map((one) => one.trim())
    const found = faultsOf(text, style)
    expect(trimmed(found.parameter)).toEqual(faults)
    expect(trimmed(found.field)).toEqual(faults)
  })
})

const FORM = 'application/x-www-form-urlencoded'

// The reader of the list would find other items.
describe.each([FORM, 'multipart/form-data'])('an item of a list in %s', (type) => {
  const written = (style: Style, explode: boolean, value: unknown) =>
    writeBody({ q: value }, { type, codec: codecOf(type), encoding: { q: { style, explode } } })

  test.each<[style: Style, explode: boolean, value: unknown, message: string | undefined]>([
    ['pipeDelimited', false, ['a|b', 'c'], "q contains '|', which separates values here"],
    ['pipeDelimited', false, { 'a|b': 'c' }, "q contains '|', which separates values here"],
    ['spaceDelimited', false, ['a b', 'c'], "q contains ' ', which separates values here"],
    ['spaceDelimited', false, ['a|b', 'c'], undefined],
    ['pipeDelimited', false, ['a b', 'c'], undefined],
    ['pipeDelimited', true, ['a|b', 'c'], undefined],
    ['pipeDelimited', false, 'a|b', undefined],
    ['pipeDelimited', false, undefined, undefined],
  ])('that has the delimiter of %s (exploded: %s): %j', (style, explode, value, message) => {
    if (message === undefined) expect(() => written(style, explode, value)).not.toThrow()
    else expect(() => written(style, explode, value)).toThrow(message)
  })
})
