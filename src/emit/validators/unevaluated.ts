import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { string } from '../file.js'
import { type CheckedValue, propertyAccess, type Writer } from './check-writer.js'
import {
  all,
  always,
  any,
  atom,
  compares,
  differs,
  equals,
  flat,
  isNeverTrue,
  never,
  not,
  type Test,
  usesOf,
} from './expression.js'
import { type Lines, linesOf, returnFalseUnless, type Step } from './function.js'
import { lowerFirst, testPattern, testType } from './scalars.js'

/**
 * `unevaluatedProperties` and `unevaluatedItems`, in separate functions that are called last. They check the members
 * that no other keyword has evaluated, of a value that all others accept.
 */
export function stepsOfUnevaluated(
  schema: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const { unevaluatedProperties: properties, unevaluatedItems: items } = schema
  const steps: Step[] = []
  if (properties !== undefined && appliesTo('object', place)) {
    steps.push(callFor('object', (inner) => walkKeys(schema, inner, writer)))
  }
  if (items !== undefined && appliesTo('array', place)) {
    steps.push(callFor('array', (inner) => walkItems(schema, inner, writer)))
  }
  return steps

  function callFor(type: 'object' | 'array', walk: (inner: CheckedValue) => Lines): Test {
    // The open reading skips the keyword that closes an object, so its function is always strict.
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

/** Whether the open reading differs, so that the function needs the parameter `open`. */
const takesReading = ({ lines }: Lines) =>
  lines.some((line) => /\bopen\b/.test(line.replaceAll(/'[^']*'/g, '')))

const appliesTo = (type: string, place: CheckedValue) =>
  place.type === undefined || place.type === type

function walkKeys(schema: SchemaObject, place: CheckedValue, writer: Writer): Lines {
  const { unevaluatedProperties: rest = true } = schema
  const scope = { place, writer, lines: [], named: new Map() }
  const evaluated = testEvaluated(schema, 'key', scope)
  const test = any(evaluated, testRest(rest, place, writer))
  return walk(scope, 'const key of Object.keys(value)', test, [
    'const item = value[key]',
    'if (item === undefined) continue',
  ])
}

function walkItems(schema: SchemaObject, place: CheckedValue, writer: Writer): Lines {
  const { unevaluatedItems: rest = true } = schema
  const scope = { place, writer, lines: [], named: new Map() }
  const test = any(testEvaluated(schema, 'at', scope), testRest(rest, place, writer))
  return walk(scope, 'const [at, item] of value.entries()', test)
}

const testRest = (rest: Schema, place: CheckedValue, writer: Writer): Test =>
  writer.test(rest, {
    ...place,
    type: undefined,
    value: 'item',
    name: `${place.name}Other`,
    defined: true,
  })

function walk({ lines }: Scope, each: string, test: Test, first: readonly string[] = []): Lines {
  const checks = [...first, ...returnFalseUnless(test, '')]
  if (!checks.some((line) => line.includes('return false'))) return linesOf(['return true'])
  const body = checks.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)
  const loop = [`for (${each}) {`, ...body, '}']
  // Constants that the loop does not use are omitted.
  const read = [...loop]
  for (const line of [...lines].reverse()) {
    const [, name] = /^const (\w+)/.exec(line) ?? []
    if (read.some((one) => new RegExp(`\\b${name}\\b`).test(one))) read.unshift(line)
  }
  return linesOf(read, test)
}

/** The parts of a value that keywords evaluate: the properties of an object, by `key`, or the positions of a list, by `at`. */
export type EvaluatedPart = 'key' | 'at'

/**
 * An expression that is true for a `key` or position `at` that the keywords of a schema have evaluated, or those of
 * matching schemas for the same value (2020-12 core 11.2 and 11.3). Conditions on the value itself are written once,
 * into `lines` before the loop over its parts.
 */
function testEvaluated(schema: SchemaObject, part: EvaluatedPart, scope: Scope): Test {
  const { place, writer, lines } = scope
  const own = part === 'key' ? ownKeys(schema, scope) : ownPositions(schema, scope)
  const nested = (one: Schema, name: string, within = scope) =>
    testNested(one, part, { ...within, place: { ...within.place, name: `${place.name}${name}` } })
  const matching = (one: Schema, name: string): Test => {
    const evaluated = nested(one, name)
    return isNeverTrue(evaluated) ? never : all(matches(one, name, place), evaluated)
  }
  const branches = [
    ...(schema.anyOf ?? []).map((one, at) => matching(one, `Any${at + 1}`)),
    ...(schema.oneOf ?? []).map((one, at) => matching(one, `One${at + 1}`)),
  ]
  const dependent = Object.entries(part === 'key' ? (schema.dependentSchemas ?? {}) : {})
  return any(
    own,
    ...(schema.allOf ?? []).map((one, at) => nested(one, `Part${at + 1}`)),
    ...branches,
    ...conditions(),
    ...dependent.map(([key, one]) =>
      all(differs(propertyAccess(place, key, writer), 'undefined'), nested(one, 'With')),
    ),
  )

  /** `if` is read strictly. If it matches, it evaluates members even without `then` and `else`. */
  function conditions(): readonly Test[] {
    if (schema.if === undefined) return []
    const strictly = { ...scope, place: { ...place, loose: false } }
    const condition = nested(schema.if, 'If', strictly)
    const then = schema.then === undefined ? never : nested(schema.then, 'Then')
    const otherwise = schema.else === undefined ? never : nested(schema.else, 'Else')
    if ([condition, then, otherwise].every(isNeverTrue)) return []
    const holds = matches(schema.if, 'If', strictly.place)
    if (holds.kind === 'constant') return [holds.holds ? any(condition, then) : otherwise]
    return [all(holds, any(condition, then)), all(not(holds), otherwise)]
  }

  /** Whether a schema matches the value, as a constant that the test of each part reads. */
  function matches(one: Schema, name: string, at: CheckedValue): Test {
    const test = writer.test(one, { ...at, name: `${at.name}${name}`, defined: true })
    if (test.kind === 'constant') return test
    const text = flat(test)
    const known = lines.findIndex((line) => line.endsWith(` = ${text}`))
    if (known < 0) lines.push(`const matches${lines.length + 1} = ${text}`)
    return atom({ text: `matches${known < 0 ? lines.length : known + 1}`, uses: usesOf(test) })
  }
}

type Scope = {
  /** The place of the value whose parts are tested. */
  readonly place: CheckedValue
  readonly writer: Writer
  /** `const matches1 = isCircle(value)` */
  readonly lines: string[]
  /** The tests of named schemas, by name and reading, so that each is written once. */
  readonly named: Map<string, Test>
}

/** The same for a schema within another: the members that its own `unevaluated…` accepts are evaluated as well. */
function testNested(schema: Schema, part: EvaluatedPart, scope: Scope): Test {
  const { place } = scope
  const name = referredName(schema)
  if (name !== undefined) {
    const key = `${name} ${place.loose}`
    const test = scope.named.get(key) ?? testNamed(schema, part, scope)
    scope.named.set(key, test)
    return test
  }
  if (typeof schema === 'boolean') return never
  const rest = part === 'key' ? schema.unevaluatedProperties : schema.unevaluatedItems
  if (rest === undefined) return testEvaluated(schema, part, scope)
  if (part === 'at' || rest !== false || !place.loose) return always
  return any(strictly, testEvaluated(schema, part, scope))
}

/** A long test becomes a function, so that nested references do not repeat its code. */
function testNamed(schema: Schema, part: EvaluatedPart, scope: Scope): Test {
  const { place, writer, lines } = scope
  const target = writer.known.resolve(schema)
  if (referredName(target) !== undefined) return never
  const name = writer.known.finalName(referredName(schema) ?? place.name)
  const test = testNested(target, part, { ...scope, place: { ...place, name } })
  const text = flat(test)
  if (text.length < LONG) return test
  const called = `matches${lines.length + 1}`
  const [parameters, values] =
    part === 'key' ? ['key: string', 'key'] : ['at: number, item: unknown', 'at, item']
  lines.push(`const ${called} = (${parameters}): boolean => ${text}`)
  return atom({ text: `${called}(${values})`, uses: usesOf(test) })
}

const LONG = 160

/** In the open reading, a closed object does not evaluate undeclared members. */
const strictly = atom('!open', 'open')

function ownKeys(schema: SchemaObject, { place, writer }: Scope): Test {
  const { properties = {}, patternProperties = {}, additionalProperties: rest } = schema
  if (rest !== undefined && (rest !== false || !place.loose)) return always
  const name = `${lowerFirst(place.name)}KeyPattern`
  const patterns = Object.keys(patternProperties).map((source) =>
    testPattern(source, 'key', name, writer),
  )
  const names = Object.keys(properties).map((key) => equals('key', string(key)))
  return any(...(rest === false ? [strictly] : []), ...names, ...patterns)
}

function ownPositions(schema: SchemaObject, { place, writer }: Scope): Test {
  const { items, prefixItems = [], contains } = schema
  if (items !== undefined) return always
  const before = prefixItems.length > 0 ? compares('at', '<', prefixItems.length) : never
  if (contains === undefined) return before
  const name = `${place.name}Contained`
  const at = { ...place, type: undefined, value: 'item', name, defined: true }
  return any(before, writer.test(contains, at))
}
