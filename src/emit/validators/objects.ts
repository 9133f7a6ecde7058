import type { Schema, SchemaObject } from '../../schema/schema.js'
import { pascalCase } from '../../text/names.js'
import { string } from '../file.js'
import { type CheckedValue, propertyAccess, type Writer } from './check-writer.js'
import { leadsToNever } from './disjoint.js'
import {
  all,
  any,
  atom,
  type Code,
  compares,
  differs,
  equals,
  flat,
  never,
  not,
  type Test,
} from './expression.js'
import { linesOf, returnFalseUnless, type Step } from './function.js'
import { lowerFirst, testPattern } from './scalars.js'

/** The checks of object keywords. Members are read by name; only maps and patterns of names need a loop. */
export function stepsOfObject(
  schema: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const { properties = {}, required = [], additionalProperties: rest } = schema
  const names = [...new Set([...Object.keys(properties), ...required])]
  // Lists take a loop and are checked last, so that other errors are found first.
  const mayBeList = (name: string): boolean =>
    Object.hasOwn(properties, name) && writer.known.types(properties[name] ?? true).has('array')
  const inTurn = [...names.filter((name) => !mayBeList(name)), ...names.filter(mayBeList)]
  const members = inTurn.map((name): Member => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isRequired = required.includes(name)
    const value = propertyAccess(place, name, writer)
    if (own !== undefined) {
      return { name, value, isRequired, test: testMember(own, value, name, isRequired) }
    }
    const isThere = differs(value, 'undefined')
    // Required but not allowed: only the open reading, which allows it, can be satisfied.
    const isShut = rest === false && schema.patternProperties === undefined
    const shut = place.loose ? all(atom('open', '!open'), isThere) : never
    return { name, value, isRequired, test: isShut ? shut : isThere }
  })
  const { patternProperties } = schema
  const walked = patternProperties !== undefined || (rest !== undefined && rest !== false)
  return [
    ...(rest === false && !walked
      ? stepsOfClosed(members, schema, place, writer)
      : members.map(({ test }) => test)),
    ...stepsOfSize(schema, place, writer),
    ...(walked ? stepsOfOthers(schema, names, place, writer) : []),
    ...stepsOfNames(schema, place, writer),
    ...stepsOfDependents(schema, place, writer),
  ]

  function testMember(own: Schema, value: Code, name: string, isRequired: boolean): Test {
    const called = `${place.name}${pascalCase(name)}`
    const { text, uses } = value
    const at = { ...place, type: undefined, value: text, uses, name: called, defined: !isRequired }
    const test = writer.test(own, at)
    return isRequired ? test : any(equals(value, 'undefined'), test)
  }
}

type Member = {
  readonly name: string
  readonly value: Code
  readonly isRequired: boolean
  /** Holds for every value that is allowed, and for absence if that is allowed. */
  readonly test: Test
}

/**
 * A closed object is checked by counting its known properties. The count also excludes forbidden properties. Only the
 * open reading, which does not count, tests for them.
 */
function stepsOfClosed(
  members: readonly Member[],
  { properties = {} }: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const own = (name: string) => properties[name] ?? false
  const declared = members.filter(({ name }) => !leadsToNever(own(name), writer.known))
  const forbidden = members.filter((one) => !declared.includes(one))
  const absent = all(...forbidden.filter(({ isRequired }) => !isRequired).map(({ test }) => test))
  const required = declared.filter(({ isRequired }) => isRequired)
  const optional = declared.filter(({ isRequired }) => !isRequired)
  const counted = (known: string): Test => {
    const exact = equals(writer.helper('countKeys', place.value), known)
    if (!place.loose) return exact
    // A forbidden property makes the number wrong as well.
    return any(all(atom('open', '!open'), absent), exact)
  }
  // A property that is both required and forbidden rejects every object.
  const impossible = forbidden.filter(({ isRequired }) => isRequired).map(({ test }) => test)
  const tests = [...required.map(({ test }) => test), ...impossible]
  if (optional.length === 0) return [...tests, counted(String(required.length))]
  const lines = optional.flatMap(({ value, test }) => {
    const head = `if (${flat(differs(value, 'undefined'))})`
    const checks = returnFalseUnless(withoutAbsence(test, value), '  ')
    return checks.length === 0 ? [`${head} known++`] : [`${head} {`, ...checks, '  known++', '}']
  })
  const tested = optional.flatMap(({ value, test }) => [differs(value, 'undefined'), test])
  return [
    ...tests,
    linesOf([`let known = ${required.length}`, ...lines], ...tested),
    counted('known'),
  ]
}

/** The remaining test of a member that is known to be present. */
function withoutAbsence(test: Test, value: Code): Test {
  const absence = flat(equals(value, 'undefined'))
  if (test.kind !== 'any') return flat(test) === absence ? { kind: 'constant', holds: false } : test
  return any(...test.parts.filter((part) => flat(part) !== absence))
}

function stepsOfSize(
  { minProperties: least = 0, maxProperties: most }: SchemaObject,
  { value }: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const size = () => writer.helper('countKeys', value)
  return [
    ...(least > 0 ? [compares(size(), '>=', least)] : []),
    ...(most === undefined ? [] : [compares(size(), '<=', most)]),
  ]
}

/** Patterns of names, and the properties that no name or pattern declares. */
function stepsOfOthers(
  schema: SchemaObject,
  names: readonly string[],
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const { properties = {}, patternProperties = {}, additionalProperties: rest = true } = schema
  const at = (name: string): CheckedValue => ({
    ...place,
    type: undefined,
    value: 'item',
    name: `${place.name}${name}`,
    defined: true,
  })
  const others = rest === false ? false : writer.test(rest, at('Other'))
  const takesAny = others !== false && others.kind === 'constant' && others.holds
  if (takesAny && Object.keys(patternProperties).length === 0) return []
  const declared = names.filter((name) => Object.hasOwn(properties, name))
  const isDeclared = testDeclared(declared, place, writer)
  const patterns = Object.entries(patternProperties).map(([source, own], index) => {
    const name = `${lowerFirst(place.name)}KeyPattern`
    const matches = testPattern(source, 'key', name, writer)
    return { matches, test: writer.test(own, at(`Matching${index + 1}`)) }
  })
  const isOther = [
    isDeclared,
    ...patterns.map(({ matches }) => matches),
    ...(rest === false && place.loose ? [atom('open', '!open')] : []),
    ...(others === false ? [] : [others]),
  ]
  const tests = [...patterns.map(({ matches, test }) => any(not(matches), test)), any(...isOther)]
  const checks = tests.flatMap((test) => returnFalseUnless(test, '  '))
  if (checks.length === 0) return []
  const walk = [
    `for (const key of Object.keys(${place.value})) {`,
    `  const item = ${place.value}[key]`,
    '  if (item === undefined) continue',
    ...checks,
    '}',
  ]
  return [linesOf(walk, ...tests)]
}

function testDeclared(names: readonly string[], place: CheckedValue, writer: Writer): Test {
  if (names.length <= 6) return any(...names.map((name) => equals('key', string(name))))
  const list = names.map(string).join(', ')
  const called = `${lowerFirst(place.name)}Keys`
  const set = writer.constant(called, `/* @__PURE__ */ new Set([${list}])`)
  return atom({ text: `${set}.has(key)`, uses: [set] })
}

/** Names are always read strictly. */
function stepsOfNames(
  { propertyNames }: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  if (propertyNames === undefined) return []
  const test = writer.test(propertyNames, {
    ...place,
    value: 'key',
    name: `${place.name}Key`,
    loose: false,
    defined: true,
    type: 'string',
  })
  if (test.kind === 'constant' && test.holds) return []
  const present = atom(`${place.value}[key] === undefined`, `${place.value}[key] !== undefined`)
  const lines = [
    `for (const key of Object.keys(${place.value})) {`,
    ...returnFalseUnless(any(present, test)),
    '}',
  ]
  return [linesOf(lines, test)]
}

function stepsOfDependents(
  { dependentRequired = {}, dependentSchemas = {} }: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const absent = (name: string) => equals(propertyAccess(place, name, writer), 'undefined')
  const present = (name: string) => differs(propertyAccess(place, name, writer), 'undefined')
  return [
    ...Object.entries(dependentRequired).map(([name, needed]) =>
      any(absent(name), all(...needed.map(present))),
    ),
    ...Object.entries(dependentSchemas).map(([name, own]) => {
      const at = { ...place, name: `${place.name}With${pascalCase(name)}`, defined: true }
      return any(absent(name), writer.test(own, at))
    }),
  ]
}
