import type { Api } from '../../model/api.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { camelCase, capitalised, identifier, uniqueName } from '../../text/names.js'
import { type Declaration, ownNamesIn as namesIn } from '../declaration.js'
import { code, declared, type Fragment, raw } from '../file.js'
import type { CheckedValue, Writer } from './check-writer.js'
import {
  all,
  always,
  atom,
  type Code,
  differs,
  flat,
  never,
  type Test,
  using,
} from './expression.js'
import { areTests, printFunction } from './function.js'
import { readSchemas } from './known.js'
import { createLibrary } from './library.js'
import { nameByContent } from './name-by-content.js'
import { isLiteral } from './scalars.js'
import { stepsOf } from './steps.js'

export type WrittenChecks = Writer & {
  /** The function of a named schema, and the functions that only it calls. */
  readonly named: (name: string) => WrittenCheck
  /** The function of any other schema. */
  readonly schema: (schema: Schema, name: string) => WrittenCheck
  /** The declarations that the functions so far call, to be printed after them. */
  readonly support: () => readonly Declaration[]
}

export type WrittenCheck = {
  /** The expressions of the check and, if it differs, of its open reading. */
  readonly check: Fragment
  readonly open: Fragment | undefined
  /** The functions that no schema before it needed. */
  readonly functions: readonly Declaration[]
}

export function createWriter(api: Api): WrittenChecks {
  const known = readSchemas(api.schemas)
  const exported = [...api.schemas.keys(), ...api.operations.map(({ id }) => id)]
  const library = createLibrary(new Set(exported))
  const used = new Set([...exported, ...RESERVED, ...library.names])
  const fields = new Set<string>()
  // Steps may be discarded after they were written, so only declarations with a caller are printed.
  const shared = new Map<string, Declaration>()
  const openFunctions = new Map<string, Declaration>()
  const constants = new Map<string, Declaration>()
  /** Names that are always printed: the functions of exports, and those that their checks call. */
  const called = new Set<string>()
  const constantNames = new Map<string, string>()
  // A function that one schema needs twice is written once. All schemas share the functions that are named by
  // their content, so that additions to a document do not rename existing functions.
  let inline = new Map<string, string>()
  let declaredTexts = new Map<string, string>()
  const common = new Map<string, string>()
  const openNames = new Map<string, string>()
  let functions: Declaration[] = []
  const functionOf = new Map<string, string>()
  for (const name of api.schemas.keys())
    functionOf.set(name, uniqueName(`is${capitalised(name)}`, used))

  const writer: Writer = {
    known,
    test(schema, place) {
      return using(testPlain(schema, place), place.uses)
    },
    helper(name, ...values) {
      const called = library.nameOf(name)
      return { text: `${called}(${values.join(', ')})`, uses: [called] }
    },
    readField: (name) => fields.add(name),
    constant(name, text) {
      const key = `${name} ${text}`
      const found = constantNames.get(key) ?? uniqueName(identifier(name, camelCase), used)
      constantNames.set(key, found)
      constants.set(found, support('const', found, raw(printConstant(found, text))))
      return found
    },
    declare(name, place, stepsIn) {
      const { loose } = place
      const { type } = place
      const code = printFunction(
        stepsIn({ name, loose, value: 'value', defined: true, type }),
        loose,
      )
      const called = declaredTexts.get(code.text) ?? uniqueName(`is${capitalised(name)}`, used)
      if (!declaredTexts.has(code.text)) functions.push(support('function', called, bodyOf(code)))
      declaredTexts.set(code.text, called)
      return ({ value }) => call(called, value, loose, loose)
    },
  }

  const bodyOf = ({ text, uses }: Code): Fragment => ({
    ...raw(text),
    imports: [...new Set(uses)].flatMap((name) => library.refer(name).imports),
  })

  function testPlain(schema: Schema, place: CheckedValue): Test {
    const name = referredName(schema)
    if (name !== undefined) return testOfName(known.finalName(name), place)
    if (schema === false) return never
    if (schema === true) return place.defined ? always : differs(place.value, 'undefined')
    if (!isShort(schema, place)) return hoist(schema, place)
    const steps = stepsOf(schema, place, writer)
    if (!areTests(steps)) return hoist(schema, place)
    const test = all(...steps)
    return isReadAgain(test, place) ? hoist(schema, place) : test
  }

  function testOfName(name: string, place: CheckedValue): Test {
    const target = api.schemas.get(name)?.schema ?? true
    if (typeof target === 'boolean') return writer.test(target, place)
    const called = functionOf.get(name) ?? name
    const readings = known.hasReadings({ $ref: `#/components/schemas/${name}` })
    if (!isGuarded(name)) return call(called, place.value, readings, place.loose)
    const isOpen = readings && place.loose
    const uses = isOpen ? [openFunctionOf(called), called] : [called]
    const { text, uses: own } = writer.helper(
      'follow',
      isOpen ? `open ? ${uses.join(' : ')}` : called,
      place.value,
      ...(known.isLarge(name) ? ['true'] : []),
    )
    return atom({ text, uses: [...own, ...uses] })
  }

  /**
   * Whether `follow` calls the check: in cycles, in chains so long that a value as deep would overflow the stack, and for
   * schemas that are large when unfolded.
   */
  function isGuarded(name: string): boolean {
    const isLong = known.heightOf(name) % LONGEST_CHAIN === 0
    return known.isCircular(name) || known.isLarge(name) || isLong
  }

  function openFunctionOf(called: string): string {
    const name = `${called}Openly`
    const found = openNames.get(called) ?? uniqueName(name, used)
    if (!openNames.has(called)) {
      const body = code`= (value: unknown): boolean => ${declared(called)}(value, true)`
      openFunctions.set(found, support('const', found, body))
    }
    openNames.set(called, found)
    return found
  }

  function hoist(schema: Schema, place: CheckedValue): Test {
    const loose = place.loose && known.hasReadings(schema)
    return call(functionFor(schema, place.name, loose), place.value, loose, place.loose)
  }

  function functionFor(schema: Schema, place: string, loose: boolean): string {
    const byContent = nameByContent(schema)
    const known = byContent === undefined ? inline : common
    const key = `${JSON.stringify(schema)} ${loose}`
    const found = known.get(key)
    if (found !== undefined) return found
    const name = byContent ?? place
    const called = uniqueName(`is${capitalised(name)}`, used)
    known.set(key, called)
    const written = write(schema, { name, loose }, called)
    if (byContent !== undefined) shared.set(called, written)
    else functions.push(written)
    return called
  }

  function write(schema: Schema, place: Pick<CheckedValue, 'name' | 'loose'>, called: string) {
    const body = { ...place, value: 'value', defined: false }
    const steps =
      typeof schema === 'boolean' || referredName(schema) !== undefined
        ? [writer.test(schema, body)]
        : stepsOf(schema, body, writer)
    return support('function', called, bodyOf(printFunction(steps, place.loose)))
  }

  function written(name: string, loose: boolean, guarded: boolean): WrittenCheck {
    // The function of the check is first; the functions that it calls follow.
    const made = [...functions].reverse()
    functions = []
    inline = new Map()
    declaredTexts = new Map()
    const follow = library.refer(library.nameOf('follow'))
    const run = (check: string) => code`(value) => ${follow}(${declared(check)}, value)`
    const check = declared(name)
    const checks = guarded
      ? { check: run(name), open: loose ? run(openFunctionOf(name)) : undefined }
      : loose
        ? { check: code`(value) => ${check}(value)`, open: code`(value) => ${check}(value, true)` }
        : { check, open: undefined }
    for (const { body } of [{ body: checks.check }, { body: checks.open ?? raw('') }, ...made])
      for (const one of namesIn(body)) called.add(one)
    return { ...checks, functions: made }
  }

  return {
    ...writer,
    named(name) {
      const schema = api.schemas.get(name)?.schema ?? true
      const called = functionOf.get(name) ?? name
      const loose = known.hasReadings(schema)
      functions.push(write(schema, { name, loose }, called))
      return written(called, loose, isGuarded(name))
    },
    schema(schema, name) {
      const loose = known.hasReadings(schema)
      return written(functionFor(schema, name, loose), loose, false)
    },
    support() {
      const isObject = library.isObject(fields)
      const groups = [shared, openFunctions, constants, new Map([[isObject.name, isObject]])]
      const found = new Set(called)
      // The iteration includes members that are added during it.
      for (const name of found)
        for (const group of groups) {
          const one = group.get(name)
          if (one !== undefined) for (const other of namesIn(one.body)) found.add(other)
        }
      return groups.flatMap((group) =>
        [...group.values()]
          .filter(({ name }) => found.has(name))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
    },
  }
}

const support = (keyword: Declaration['keyword'], name: string, body: Fragment): Declaration => ({
  name,
  kind: 'support',
  keyword,
  body,
})

/** Whether a test calls `own(value, 'constructor')` again. The compiler does not narrow the type of a second call. */
const isReadAgain = (test: Test, { value }: CheckedValue): boolean =>
  value.endsWith(')') && flat(test).split(value).length > 2

const LONGEST_CHAIN = 40

/** Names of variables in functions, and of `undefined`. */
const RESERVED = 'value item key known found exact open at undefined'.split(' ')

/** Prints a pattern or a set: on one line, or if that is too long with one member per line. */
const printConstant = (name: string, text: string): string => {
  const open = text.indexOf('[') + 1
  const isList = open > 0 && text.endsWith('])')
  const isSet = text.startsWith('/* ')
  const head = isSet ? ': ReadonlySet<unknown> =' : ': RegExp ='
  const isShort = `const ${name}${head} ${text}`.length <= 100
  if (isShort || !isList || !isSet) return `${head} ${text}`
  // The text of a member may have commas and brackets.
  const members =
    text.slice(open, -2).match(/'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|[^,\s]+/gs) ?? []
  return `${head} ${text.slice(0, open)}\n  ${members.join(',\n  ')},\n])`
}

const call = (called: string, value: string, takesReading: boolean, loose: boolean): Test => {
  const reading = takesReading && loose ? ', open' : ''
  return atom({ text: `${called}(${value}${reading})`, uses: [called] })
}

/** Whether a check is short enough to be written inline. */
function isShort(schema: Schema, place: CheckedValue): boolean {
  if (typeof schema === 'boolean' || schema.$ref !== undefined || isLiteral(schema)) return true
  const { items, properties = {}, required = [], anyOf, oneOf, allOf, not } = schema
  if (LONG.some((keyword) => keyword in schema)) return false
  if (items !== undefined && items !== true && Object.keys(items).length > 0) return false
  const names = new Set([...Object.keys(properties), ...required])
  const readable = place.type === 'object' && place.value === 'value'
  if (names.size > 0 && !(readable && names.size <= MOST_NAMES)) return false
  const parts = [anyOf, oneOf, allOf, not === undefined ? [] : [not]].flatMap((all) => all ?? [])
  return parts.length <= MOST_PARTS && parts.every((part) => isShort(part, place))
}

const MOST_NAMES = 4
const MOST_PARTS = 6

/** Keywords whose checks need their own lines. */
const LONG = `prefixItems contains uniqueItems patternProperties additionalProperties propertyNames
  dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties if`.split(
  /\s+/,
) as (keyof SchemaObject)[]
