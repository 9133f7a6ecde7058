import type { Schema, SchemaObject } from '../../schema/schema.js'
import type { Place, Writer } from './check-writer.js'
import { type Scope, testEvaluated } from './evaluated.js'
import { any, atom, not, type Test } from './expression.js'
import { type Lines, linesOf, refuseUnless, type Step } from './function.js'
import { testType } from './steps.js'

/**
 * `unevaluatedProperties` and `unevaluatedItems`, in functions of their own that are called behind everything else: they
 * ask what no other keyword has seen to, of a value that all of them accept.
 */
export function stepsOfUnevaluated(
  schema: SchemaObject,
  place: Place,
  writer: Writer,
): readonly Step[] {
  const { unevaluatedProperties: properties, unevaluatedItems: items } = schema
  const steps: Step[] = []
  if (properties !== undefined && speaksOf('object', place)) {
    steps.push(ask('object', (inner) => walkKeys(schema, inner, writer)))
  }
  if (items !== undefined && speaksOf('array', place)) {
    steps.push(ask('array', (inner) => walkItems(schema, inner, writer)))
  }
  return steps

  function ask(type: 'object' | 'array', walk: (inner: Place) => Lines): Test {
    // What closes an object is not asked openly, and so nothing below it is.
    const isShut = type === 'object' && properties === false
    const name = `${place.name}${type === 'object' ? 'Rest' : 'RestOfItems'}`
    const gate = testType(type, 'value', writer)
    const inner = { ...place, value: 'value', name, type, defined: true }
    const loose = place.loose && !isShut && takesReading(walk(inner))
    const made = { ...inner, loose }
    const strictly = writer.declare(name, made, (at) => [gate, walk(at)])(place)
    const test = place.loose && isShut ? any(atom('open', '!open'), strictly) : strictly
    return place.type === type ? test : any(not(testType(type, place.value, writer)), test)
  }
}

/** A function that reads the same openly takes no reading. */
const takesReading = ({ lines }: Lines) =>
  lines.some((line) => /\bopen\b/.test(line.replaceAll(/'[^']*'/g, '')))

const speaksOf = (type: string, place: Place) => place.type === undefined || place.type === type

function walkKeys(schema: SchemaObject, place: Place, writer: Writer): Lines {
  const { unevaluatedProperties: rest = true } = schema
  const scope = { place, writer, lines: [], named: new Map() }
  const evaluated = testEvaluated(schema, 'key', scope)
  const test = any(evaluated, testRest(rest, place, writer))
  return walk(scope, 'const key of Object.keys(value)', test, [
    'const item = value[key]',
    'if (item === undefined) continue',
  ])
}

function walkItems(schema: SchemaObject, place: Place, writer: Writer): Lines {
  const { unevaluatedItems: rest = true } = schema
  const scope = { place, writer, lines: [], named: new Map() }
  const test = any(testEvaluated(schema, 'at', scope), testRest(rest, place, writer))
  return walk(scope, 'const [at, item] of value.entries()', test)
}

const testRest = (rest: Schema, place: Place, writer: Writer): Test =>
  writer.test(rest, {
    ...place,
    type: undefined,
    value: 'item',
    name: `${place.name}Other`,
    defined: true,
  })

function walk({ lines }: Scope, each: string, test: Test, first: readonly string[] = []): Lines {
  const asked = [...first, ...refuseUnless(test, '')]
  if (!asked.some((line) => line.includes('return false'))) return linesOf(['return true'])
  const body = asked.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)
  const loop = [`for (${each}) {`, ...body, '}']
  // What holds whatever a branch says does not ask for it.
  const read = [...loop]
  for (const line of [...lines].reverse()) {
    const [, name] = /^const (\w+)/.exec(line) ?? []
    if (read.some((one) => new RegExp(`\\b${name}\\b`).test(one))) read.unshift(line)
  }
  return linesOf(read, test)
}
