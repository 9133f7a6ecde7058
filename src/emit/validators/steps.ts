import type { JsonType } from '../../schema/json-values.js'
import { type SchemaObject, typesIn } from '../../schema/schema.js'
import { stepsOfArray } from './arrays.js'
import type { CheckedValue, Writer } from './check-writer.js'
import {
  all,
  any,
  atom,
  differs,
  flat,
  isAlwaysTrue,
  never,
  not,
  type Test,
  usesOf,
} from './expression.js'
import { areTests, type Step } from './function.js'
import { ALL_TYPES } from './known.js'
import { nameByContent } from './name-by-content.js'
import { stepsOfObject } from './objects.js'
import {
  isLiteral,
  takesBigint,
  testInteger,
  testLiterals,
  testNumber,
  testString,
  testType,
} from './scalars.js'
import { stepsOfUnevaluated } from './unevaluated.js'
import { chooseInLines, testUnion } from './unions.js'

/**
 * The checks of a schema, cheapest first: the type, then the keywords of that type, then the schemas that apply to
 * the same value. `undefined`, which JSON does not have, gets its own step if no other rejects it.
 */
export function stepsOf(
  schema: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  // The keywords allow no common type.
  if (writer.known.types(schema).size === 0) return [never]
  if (isLiteral(schema)) return [testLiterals(schema, place, writer)]
  const gate = gateOf(schema, place, writer)
  const within = { ...place, type: gate.type, defined: place.defined || gate.rejectsUndefined }
  const own = [
    ...gate.steps,
    ...stepsOfTypes(schema, within, gate.types, writer),
    ...stepsInPlace(schema, within, writer),
    ...stepsOfUnevaluated(schema, within, writer),
  ]
  return within.defined || rejectsUndefined(schema, writer)
    ? own
    : [differs(place.value, 'undefined'), ...own]
}

type Gate = {
  readonly steps: readonly Step[]
  /** The type of a value after the gate, if there is only one. */
  readonly type: JsonType | undefined
  /** Every type that the schema allows. */
  readonly types: ReadonlySet<JsonType>
  /** Whether its steps, or those of the only type, reject `undefined`. */
  readonly rejectsUndefined: boolean
}

function gateOf(schema: SchemaObject, place: CheckedValue, writer: Writer): Gate {
  if (place.type !== undefined) {
    const declared = typesIn(schema)
    const fits = !declared || declared.some((type) => plainType(type) === place.type)
    const isInteger =
      place.type === 'number' && declared?.includes('integer') && !declared.includes('number')
    const steps = isInteger ? [testInteger(schema, place.value, writer)] : []
    return {
      steps: fits ? steps : [never],
      type: place.type,
      types: new Set([place.type]),
      rejectsUndefined: true,
    }
  }
  const possible = writer.known.types(schema)
  const declared = typesIn(schema)
  const [only] = possible
  // The type may come from a referenced schema, too. Members can then be read inline.
  if (possible.size === 1 && (only === 'object' || only === 'array')) {
    const steps = [testType(only, place.value, writer)]
    return { steps, type: only, types: possible, rejectsUndefined: true }
  }
  if (!declared) return { steps: [], type: undefined, types: ALL_TYPES, rejectsUndefined: false }
  const plain = new Set(declared.map(plainType))
  const single = declared.length === 1 ? declared[0] : undefined
  if (single === 'string' || single === 'number' || single === 'integer') {
    // The checks of their keywords include the type.
    const type = plainType(single)
    return { steps: [], type: undefined, types: new Set([type]), rejectsUndefined: true }
  }
  const nullable = nullableScalar(declared)
  if (nullable !== undefined) {
    const read = nullable === 'string' ? testString : testNumber
    const scalar = read({ ...schema, type: nullable }, place, writer, 'tested')
    const steps = [any(testType('null', place.value, writer), scalar)]
    return { steps, type: undefined, types: new Set(['null']), rejectsUndefined: true }
  }
  const structure = nullableStructure(schema, declared)
  if (structure !== undefined && hasOwnSteps(schema, structure, place, writer)) {
    // In the body of a function, its own name is taken.
    const suffix = structure === 'object' ? 'AsObject' : 'AsArray'
    const name = place.value === 'value' ? `${place.name}${suffix}` : place.name
    const inner = writer.test({ ...schema, type: structure }, { ...place, name })
    const steps = [any(testType('null', place.value, writer), inner)]
    return { steps, type: undefined, types: new Set(['null']), rejectsUndefined: true }
  }
  const tests = declared
    .filter((type) => type !== 'integer' || !declared.includes('number'))
    .map((type) =>
      type === 'integer'
        ? testInteger(schema, place.value, writer)
        : testType(type, place.value, writer),
    )
  return { steps: [any(...tests)], type: undefined, types: plain, rejectsUndefined: true }
}

/** The type of texts or numbers that may be null too. */
function nullableScalar(declared: readonly string[]): 'string' | 'number' | 'integer' | undefined {
  const [type, ...more] = declared.filter((one) => one !== 'null')
  const isAlone = more.length === 0 && declared.includes('null')
  return isAlone && (type === 'string' || type === 'number' || type === 'integer')
    ? type
    : undefined
}

/** The type of objects or lists that may be null too, if all keywords are about that type. */
function nullableStructure(
  schema: SchemaObject,
  declared: readonly string[],
): 'object' | 'array' | undefined {
  const [type, ...more] = declared.filter((one) => one !== 'null')
  const isAlone = more.length === 0 && declared.includes('null')
  if (!isAlone || (type !== 'object' && type !== 'array')) return undefined
  return IN_PLACE.some((key) => schema[key] !== undefined) ? undefined : type
}

/** Whether more is checked of an object or a list than its type. */
const hasOwnSteps = (
  schema: SchemaObject,
  type: 'object' | 'array',
  place: CheckedValue,
  writer: Writer,
): boolean => {
  const at = { ...place, type, defined: true }
  const own =
    type === 'object' ? stepsOfObject(schema, at, writer) : stepsOfArray(schema, at, writer)
  return own.length > 0
}

/** Keywords that say something about null too, or need the whole schema. */
const IN_PLACE = [
  ...(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const'] as const),
  ...(['unevaluatedProperties', 'unevaluatedItems'] as const),
]

const isDefined = (keyword: unknown) => keyword !== undefined

const plainType = (type: string): JsonType => (type === 'integer' ? 'number' : (type as JsonType))

/** The keywords that apply to only one type of value. */
function stepsOfTypes(
  schema: SchemaObject,
  place: CheckedValue,
  types: ReadonlySet<JsonType>,
  writer: Writer,
): readonly Step[] {
  const steps: Step[] = []
  const declared = typesIn(schema)
  for (const type of ['string', 'number', 'object', 'array'] as const) {
    if (!types.has(type)) continue
    const certain = place.type === type
    const alone = declared?.length === 1 && types.size === 1 && !certain
    const at = { ...place, type, defined: true }
    if (type === 'string' || type === 'number') {
      const read = type === 'string' ? testString : testNumber
      const test = read(schema, at, writer, certain ? 'known' : alone ? 'tested' : 'assumed')
      if (certain || alone) steps.push(test)
      else if (!isAlwaysTrue(test)) {
        const other = differsInType(type, place.value)
        const isBigint = type === 'number' && takesBigint(schema)
        steps.push(any(isBigint ? all(other, differsInType('bigint', place.value)) : other, test))
      }
      continue
    }
    const own =
      type === 'object' ? stepsOfObject(schema, at, writer) : stepsOfArray(schema, at, writer)
    if (certain) steps.push(...own)
    else if (own.length > 0) {
      const gate = testType(type, place.value, writer)
      if (type === 'array' && areTests(own)) {
        const inline = all(...own)
        if (!isAlwaysTrue(inline)) steps.push(any(not(gate), inline))
      } else if (nameByContent({ ...schema, type }) !== undefined) {
        steps.push(any(not(gate), writer.test({ ...schema, type }, place)))
      } else {
        const name = `${place.name}As${type === 'object' ? 'Object' : 'Array'}`
        const called = writer.declare(name, at, (inner) => [
          testType(type, 'value', writer),
          ...(type === 'object'
            ? stepsOfObject(schema, inner, writer)
            : stepsOfArray(schema, inner, writer)),
        ])
        steps.push(any(not(gate), called(place)))
      }
    }
  }
  return steps
}

const differsInType = (type: 'string' | 'number' | 'bigint', value: string): Test =>
  atom(`typeof ${value} !== '${type}'`, `typeof ${value} === '${type}'`)

/** The keywords whose schemas apply to the value itself. */
function stepsInPlace(schema: SchemaObject, place: CheckedValue, writer: Writer): readonly Step[] {
  const { allOf = [], anyOf, oneOf, not: forbidden, if: condition } = schema
  const placeNamed = (name: string): CheckedValue => ({ ...place, name: `${place.name}${name}` })
  const steps: Step[] = []
  for (const [at, part] of allOf.entries()) {
    const merged =
      typeof part === 'object' && part.$ref === undefined && place.value === 'value'
        ? stepsOf(part, { ...place, defined: true }, writer)
        : undefined
    if (merged && areTests(merged)) steps.push(...merged)
    else steps.push(writer.test(part, { ...placeNamed(`Part${at + 1}`), defined: true }))
  }
  const union = anyOf ?? oneOf
  const isLast =
    !(anyOf && oneOf) &&
    ![forbidden, condition, schema.unevaluatedItems, schema.unevaluatedProperties].some(isDefined)
  if (union && isLast && place.value === 'value' && place.type === 'object') {
    const lines = chooseInLines(union, place, writer)
    if (lines) return [...steps, lines]
  }
  if (anyOf) steps.push(testUnion('anyOf', anyOf, place, writer))
  if (oneOf) steps.push(testUnion('oneOf', oneOf, place, writer))
  if (forbidden !== undefined) {
    steps.push(not(writer.test(forbidden, { ...placeNamed('Not'), defined: true, loose: false })))
  }
  if (condition !== undefined) {
    const matches = writer.test(condition, { ...placeNamed('If'), defined: true, loose: false })
    const then = writer.test(schema.then ?? true, { ...placeNamed('Then'), defined: true })
    const otherwise = writer.test(schema.else ?? true, { ...placeNamed('Else'), defined: true })
    steps.push(choose(matches, then, otherwise))
  }
  return steps
}

/** The condition is evaluated once: nested conditions would double its cost at every level. */
function choose(condition: Test, then: Test, otherwise: Test): Test {
  const isPlain = [condition, then, otherwise].some(({ kind }) => kind === 'constant')
  if (isPlain) return all(any(not(condition), then), any(condition, otherwise))
  const uses = usesOf(condition, then, otherwise)
  return atom({ text: `(${flat(condition)} ? ${flat(then)} : ${flat(otherwise)})`, uses })
}

/** Whether one of the keywords rejects `undefined` anyway. */
function rejectsUndefined(schema: SchemaObject, writer: Writer): boolean {
  if (schema.type !== undefined || isLiteral(schema)) return true
  const rejects = (part: unknown): boolean => {
    if (typeof part === 'boolean') return !part
    const one = part as SchemaObject
    // A function rejects it, whatever its schema is.
    return one.$ref !== undefined || rejectsUndefined(one, writer)
  }
  return (
    (schema.allOf?.some(rejects) ?? false) ||
    [schema.anyOf, schema.oneOf].some((branches) => branches?.every(rejects))
  )
}
