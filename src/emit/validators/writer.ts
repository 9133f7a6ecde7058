import type { Api } from '../../model/api.js'
import { camelCase, identifier, uniqueName } from '../../model/names.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { type Fragment, raw } from '../file.js'
import type { Place, Writer } from './check-writer.js'
import { nameByContent } from './common-names.js'
import { all, always, atom, differs, flat, never, type Test } from './expression.js'
import { areTests, printFunction, type Step } from './function.js'
import { readSchemas } from './known.js'
import { createLibrary, helperNames } from './library.js'
import { isLiteral } from './literals.js'
import { printNames } from './members.js'
import { stepsOf } from './steps.js'

export type WrittenChecks = Writer & {
  /** The function of a named schema, and those that only it needs, as they are declared. */
  readonly named: (name: string) => Written
  /** The function of any other schema. */
  readonly schema: (schema: Schema, name: string) => Written
  /** What the functions so far call, to be printed behind them. */
  readonly support: () => readonly Fragment[]
}

export type Written = {
  /** The expression to pass on as a check, and as the open reading where that differs. */
  readonly check: string
  readonly open: string | undefined
  /** The functions that were written for it and not for another before. */
  readonly functions: readonly string[]
}

export function createWriter(api: Api): WrittenChecks {
  const known = readSchemas(api.schemas)
  const exported = [...api.schemas.keys(), ...api.operations.map(({ id }) => id)]
  const taken = new Set([...exported, ...RESERVED])
  const library = createLibrary(new Set(exported))
  const constants = new Map<string, string>()
  const constantTexts = new Map<string, string>()
  // Steps may be tried and then written otherwise: what only the first would have read is not printed.
  const unread = new Set<string>()
  const fields = new Set<string>()
  // What one schema needs twice is written once. Schemas share what is named by its content,
  // wherever it is, so that a document that grows does not rename what it had.
  let inline = new Map<string, string>()
  let declared = new Map<string, string>()
  const common = new Map<string, string>()
  const openNames = new Map<string, string>()
  let functions: string[] = []
  const shared = new Map<string, string>()
  /** Function -> the shared functions that it calls. */
  const callsOf = new Map<string, ReadonlySet<string>>()
  const functionOf = new Map<string, string>()
  for (const name of api.schemas.keys()) functionOf.set(name, uniqueName(`is${name}`, taken))

  const writer: Writer = {
    known,
    test(schema, place) {
      const name = referredName(schema)
      if (name !== undefined) return testOfName(known.finalName(name), place)
      if (schema === false) return never
      if (schema === true) return place.defined ? always : differs(place.value, 'undefined')
      if (!isShort(schema, place)) return hoist(schema, place)
      const steps = stepsOf(schema, place, writer)
      if (!areTests(steps)) return hoist(schema, place)
      const test = all(...steps)
      return isReadAgain(test, place) ? hoist(schema, place) : test
    },
    helper: library.use,
    readField: (name) => fields.add(name),
    constant(name, text) {
      const key = `${name} ${text}`
      const found = constants.get(key) ?? uniqueName(identifier(name, camelCase), taken)
      constants.set(key, found)
      if (!constantTexts.has(found)) {
        constantTexts.set(found, text)
        unread.add(found)
      }
      return found
    },
    declare(name, place, stepsIn) {
      const { loose } = place
      const { type } = place
      const steps = stepsIn({ name, loose, value: 'value', defined: true, type })
      const text = printFunction('', steps, loose)
      const called = declared.get(text) ?? uniqueName(`is${name}`, taken)
      if (!declared.has(text)) functions.push(print(called, steps, loose))
      declared.set(text, called)
      return ({ value }) => atom(call(called, value, loose, loose))
    },
  }

  function print(called: string, steps: readonly Step[], loose: boolean): string {
    const text = printFunction(called, steps, loose)
    if (unread.size > 0) for (const name of namesAsked(text)) unread.delete(name)
    noteCalls(called, text)
    return text
  }

  function noteCalls(caller: string, text: string): void {
    const names = [...text.matchAll(/\bis[\w$]+/g)].map(([name]) => name)
    const called = names.filter((name) => name !== caller && shared.has(name))
    if (called.length > 0) callsOf.set(caller, new Set([...(callsOf.get(caller) ?? []), ...called]))
  }

  /** Steps may be tried and then written otherwise, so a shared function may have no caller left. */
  function calledFunctions(): readonly string[] {
    const found = new Set<string>()
    const waiting = [...callsOf].flatMap(([caller, called]) =>
      shared.has(caller) ? [] : [...called],
    )
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name)) continue
      found.add(name)
      waiting.push(...(callsOf.get(name) ?? []))
    }
    return [...shared].flatMap(([name, text]) => (found.has(name) ? [text] : []))
  }

  function testOfName(name: string, place: Place): Test {
    const target = api.schemas.get(name)?.schema ?? true
    if (typeof target === 'boolean') return writer.test(target, place)
    const called = functionOf.get(name) ?? name
    const readings = known.hasReadings({ $ref: `#/components/schemas/${name}` })
    if (!isGuarded(name)) return atom(call(called, place.value, readings, place.loose))
    const which = readings && place.loose ? `open ? ${openNameOf(called)} : ${called}` : called
    const mode = known.isLarge(name) ? ', true' : ''
    return atom(`${writer.helper('follow')}(${which}, ${place.value}${mode})`)
  }

  /** Circles, chains of schemas so long that a value as deep would overflow the stack, and what is large when it is unfolded. */
  function isGuarded(name: string): boolean {
    const isCircular = known.circleOf(name) !== undefined
    return isCircular || known.isLarge(name) || known.heightOf(name) % LONGEST_CHAIN === 0
  }

  function openNameOf(called: string): string {
    const openName = openNames.get(called) ?? uniqueName(`${called}Openly`, taken)
    openNames.set(called, openName)
    return openName
  }

  function hoist(schema: Schema, place: Place): Test {
    const loose = place.loose && known.hasReadings(schema)
    return atom(call(functionFor(schema, place.name, loose), place.value, loose, place.loose))
  }

  function functionFor(schema: Schema, place: string, loose: boolean): string {
    const byContent = nameByContent(schema)
    const known = byContent === undefined ? inline : common
    const key = `${JSON.stringify(schema)} ${loose}`
    const found = known.get(key)
    if (found !== undefined) return found
    const name = byContent ?? place
    const called = uniqueName(`is${name}`, taken)
    known.set(key, called)
    const text = write(schema, { name, loose }, called)
    if (byContent !== undefined) shared.set(called, text)
    else functions.push(text)
    return called
  }

  function write(schema: Schema, place: Pick<Place, 'name' | 'loose'>, called: string): string {
    const body = { ...place, value: 'value', defined: false }
    const steps =
      typeof schema === 'boolean' || referredName(schema) !== undefined
        ? [writer.test(schema, body)]
        : stepsOf(schema, body, writer)
    return print(called, steps, place.loose)
  }

  function written(called: string, loose: boolean, guarded: boolean): Written {
    const run = (check: string) => `(value) => ${writer.helper('follow')}(${check}, value)`
    // The function that a check is called by comes first, those that it calls behind it.
    const made = [...functions].reverse()
    functions = []
    inline = new Map()
    declared = new Map()
    if (guarded) {
      const open = loose ? run(openNameOf(called)) : undefined
      return { check: run(called), open, functions: made }
    }
    if (!loose) return { check: called, open: undefined, functions: made }
    const check = `(value) => ${called}(value)`
    return { check, open: `(value) => ${called}(value, true)`, functions: made }
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
      const called = functionFor(schema, name, loose)
      noteCalls('an export', called)
      return written(called, loose, false)
    },
    support() {
      const openFunctions = [...openNames].map(
        ([called, openName]) =>
          `const ${openName} = (value: unknown): boolean => ${called}(value, true)`,
      )
      const named = [...constantTexts]
        .filter(([name]) => !unread.has(name))
        .map(([name, text]) => printConstant(name, text))
      const texts = [...[...calledFunctions()].sort(), ...openFunctions.sort(), ...named.sort()]
      return [...texts.map(raw), library.print(printNames(fields))]
    },
  }
}

/** What a call gives, `own(value, 'constructor')`, has no type that a second call would know of. */
const isReadAgain = (test: Test, { value }: Place): boolean =>
  value.endsWith(')') && flat(test).split(value).length > 2

const LONGEST_CHAIN = 40

/** The constants of which a set or a pattern is asked. */
function* namesAsked(text: string): Generator<string> {
  for (const call of ['.has(', '.test(']) {
    for (let at = text.indexOf(call); at >= 0; at = text.indexOf(call, at + 1)) {
      const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
      const [name] = /[\p{ID_Continue}$]+$/u.exec(line) ?? []
      if (name !== undefined) yield name
    }
  }
}

/** Names within functions, and of what every program has. */
const RESERVED = [
  ...'value item key known found exact open at undefined'.split(' '),
  ...helperNames,
]

/** A set of names on lines of its own where one is too short. */
const printConstant = (name: string, text: string): string => {
  const line = `const ${name} = ${text}`
  const list = /^(.*\[)(.*)(\]\))$/s.exec(text)
  if (line.length <= 100 || !list || text.startsWith('/^') || !text.startsWith('/* ')) return line
  const [, head = '', items = '', tail = ''] = list
  return `const ${name} = ${head}\n  ${items.split(', ').join(',\n  ')},\n${tail}`
}

const call = (called: string, value: string, takesReading: boolean, loose: boolean): string =>
  takesReading && loose ? `${called}(${value}, open)` : `${called}(${value})`

/** Whether a check is short enough to stand where it is asked for. */
function isShort(schema: Schema, place: Place): boolean {
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

/** Keywords that take lines of their own. */
const LONG = `prefixItems contains uniqueItems patternProperties additionalProperties propertyNames
  dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties if`.split(
  /\s+/,
) as (keyof SchemaObject)[]
