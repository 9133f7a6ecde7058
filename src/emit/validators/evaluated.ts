import { compilePattern } from '../../runtime/validate.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { string } from '../file.js'
import type { Place, Writer } from './check-writer.js'
import {
  all,
  always,
  any,
  atom,
  compares,
  differs,
  equals,
  flat,
  never,
  not,
  type Test,
  usesOf,
} from './expression.js'
import { member } from './members.js'

/** What is evaluated of a value: the properties of an object, by `key`, or the positions of a list, by `at`. */
export type Part = 'key' | 'at'

/**
 * Holds for a `key` or position `at` that the keywords of a schema have seen to, and those of the schemas that read the
 * same value and match it (2020-12 core 11.2 and 11.3). What has to be asked of the value itself is written once, into
 * `lines` that stand before the parts are walked through.
 */
export function testEvaluated(schema: SchemaObject, part: Part, scope: Scope): Test {
  const { place, writer, lines } = scope
  const own = part === 'key' ? ownKeys(schema, scope) : ownPositions(schema, scope)
  const nested = (one: Schema, name: string, within = scope) =>
    testNested(one, part, { ...within, place: { ...within.place, name: `${place.name}${name}` } })
  const matching = (one: Schema, name: string): Test => {
    const evaluated = nested(one, name)
    return saysNothing(evaluated) ? never : all(matches(one, name, place), evaluated)
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
      all(differs(member(place, key, writer), 'undefined'), nested(one, 'With')),
    ),
  )

  /** `if` is read strictly, and tells what it has seen to whether or not something follows from it. */
  function conditions(): readonly Test[] {
    if (schema.if === undefined) return []
    const strictly = { ...scope, place: { ...place, loose: false } }
    const asked = nested(schema.if, 'If', strictly)
    const then = schema.then === undefined ? never : nested(schema.then, 'Then')
    const otherwise = schema.else === undefined ? never : nested(schema.else, 'Else')
    if ([asked, then, otherwise].every(saysNothing)) return []
    const holds = matches(schema.if, 'If', strictly.place)
    if (holds.kind === 'constant') return [holds.holds ? any(asked, then) : otherwise]
    return [all(holds, any(asked, then)), all(not(holds), otherwise)]
  }

  /** Whether a schema matches the value, as a constant that is read for each of its parts. */
  function matches(one: Schema, name: string, at: Place): Test {
    const test = writer.test(one, { ...at, name: `${at.name}${name}`, defined: true })
    if (test.kind === 'constant') return test
    const text = flat(test)
    const known = lines.findIndex((line) => line.endsWith(` = ${text}`))
    if (known < 0) lines.push(`const matches${lines.length + 1} = ${text}`)
    return atom({ text: `matches${known < 0 ? lines.length : known + 1}`, uses: usesOf(test) })
  }
}

export type Scope = {
  /** The place of the value that is asked about. */
  readonly place: Place
  readonly writer: Writer
  /** `const matches1 = isCircle(value)` */
  readonly lines: string[]
  /** What named schemas have seen to, by name and reading, so that each is written once. */
  readonly named: Map<string, Test>
}

/** As a schema within another: what its own `unevaluated…` lets through is seen to as well. */
function testNested(schema: Schema, part: Part, scope: Scope): Test {
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

/** A long answer is a function, so that many may refer to what many refer to. */
function testNamed(schema: Schema, part: Part, scope: Scope): Test {
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

const saysNothing = (test: Test): boolean => test.kind === 'constant' && !test.holds

/** Openly, a closed object says nothing of what it does not declare. */
const strictly = atom('!open', 'open')

function ownKeys(schema: SchemaObject, { place, writer }: Scope): Test {
  const { properties = {}, patternProperties = {}, additionalProperties: rest } = schema
  if (rest !== undefined && (rest !== false || !place.loose)) return always
  const name = `${place.name.charAt(0).toLowerCase()}${place.name.slice(1)}KeyPattern`
  const patterns = Object.keys(patternProperties).map((source) => {
    const pattern = writer.constant(name, String(compilePattern(source)))
    return atom({ text: `${pattern}.test(key)`, uses: [pattern] })
  })
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
