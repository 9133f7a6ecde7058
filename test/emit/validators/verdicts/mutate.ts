import { isObject, type JsonObject } from '../../../../src/runtime/validate/json-value.js'
import { below, pick, type Random } from './random.js'

/** A value with one thing changed, somewhere; what is not changed is shared. `other` gives a value of another schema. */
export function mutate(value: unknown, random: Random, other: () => unknown): unknown {
  const goDeeper = random() < 0.75
  if (Array.isArray(value) && value.length > 0 && goDeeper) {
    const at = below(random, Math.min(value.length, 12))
    return value.with(at, mutate(value[at], random, other))
  }
  if (isObject(value) && goDeeper) {
    const keys = Object.keys(value)
    if (keys.length > 0) {
      const key = pick(random, keys)
      return withMember(value, key, mutate(value[key], random, other))
    }
  }
  if (random() < 0.25) return random() < 0.5 ? pick(random, JUNK)() : other()
  if (typeof value === 'string') return pick(random, OF_TEXT)(value, random)
  if (typeof value === 'number') return pick(random, OF_NUMBER)(value)
  if (Array.isArray(value)) return pick(random, OF_LIST)(value)
  if (isObject(value)) return pick(random, OF_OBJECT)(value, random)
  return pick(random, JUNK)()
}

const junk = (...values: readonly unknown[]) => values.map((value) => () => value)

const JUNK: readonly (() => unknown)[] = [
  ...junk(null, true, false, 0, -0, 1, -1, 1.5, 4.07, 1e21, 5e-324, 2 ** 53),
  ...junk('', '0x', '0x0', '0x00', '0xA', 'latest', 'a', '\ud800', '\udc00a', '💩', '__proto__'),
  ...junk(Number.NaN, Number.POSITIVE_INFINITY, 10n, undefined, Symbol.iterator),
  () => [],
  () => ({}),
  () => [null],
  () => Object.create(null),
  () => new Array(2),
  () => new Date(0),
  () => () => 1,
  () => JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 1, "toString": 2 }'),
]

const OF_TEXT: readonly ((text: string, random: Random) => unknown)[] = [
  (text) => text.toUpperCase(),
  (text) => text.replace('0x', '0X'),
  (text) => text.replace('0x', ''),
  (text) => text.replace('0x', '0x0'),
  (text) => `${text}0`,
  (text) => `${text}g`,
  (text) => `${text}\n`,
  (text) => ` ${text}`,
  (text) => text.slice(0, -1),
  (text) => `${text}\ud83d`,
  (text) => `${text.slice(0, -1)}💩`,
  (text) => text.repeat(2),
  (text, random) => {
    const at = below(random, text.length)
    return `${text.slice(0, at)}${pick(random, [...'0g-é\u0130'])}${text.slice(at + 1)}`
  },
  // An object of the text is not a text.
  (text) => Object(text),
]

const OF_NUMBER: readonly ((number: number) => unknown)[] = [
  (number) => number + 1,
  (number) => number - 1,
  (number) => number / 2,
  (number) => -number,
  (number) => number * 1000,
  (number) => number + 0.01,
  (number) => String(number),
  (number) => (Number.isFinite(number) ? BigInt(Math.trunc(number)) : 0n),
]

const OF_LIST: readonly ((list: readonly unknown[]) => unknown)[] = [
  (list) => list.slice(1),
  (list) => [...list, ...list.slice(-1)],
  (list) => [...list, null],
  (list) => [...list, ...Array.from({ length: 41 }, () => list[0])],
  (list) => Object.assign(new Array(list.length + 1), list),
  (list) => Object.assign([...list], { extra: 1 }),
  (list) => ({ ...list, length: list.length }),
  (list) => Object.create(list),
]

const OF_OBJECT: readonly ((value: JsonObject, random: Random) => unknown)[] = [
  (value) => withMember(value, 'undeclared', 1),
  (value) => withMember(value, 'undeclared', undefined),
  (value, random) => withMember(value, pick(random, PROTOTYPE_NAMES), 1),
  without,
  without,
  without,
  (value, random) => withMember(value, anyKey(value, random), undefined),
  (value, random) => withMember(value, anyKey(value, random), value[anyKey(value, random)]),
  (value, random) => withMember(without(value, random), `${anyKey(value, random)}s`, 1),
  (value) => Object.assign(Object.create(null), value),
  (value) => Object.create(value),
  (value) => Object.defineProperties(new Inheritor(), Object.getOwnPropertyDescriptors(value)),
  (value, random) => {
    const key = anyKey(value, random)
    const inherited = Object.defineProperty({}, key, { get: () => value[key], enumerable: true })
    const others = without(value, () => indexOf(value, key))
    return Object.create(inherited, Object.getOwnPropertyDescriptors(others))
  },
  (value, random) => {
    const key = anyKey(value, random)
    return Object.defineProperty({ ...value }, key, { get: () => value[key], enumerable: true })
  },
  (value) => [value],
]

class Inheritor {
  get id() {
    return 1
  }
  get jsonrpc() {
    return '2.0'
  }
  toString() {
    return 'an inheritor'
  }
}

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

const anyKey = (value: JsonObject, random: Random): string =>
  Object.keys(value)[below(random, Object.keys(value).length)] ?? 'a'

const indexOf = (value: JsonObject, key: string): number =>
  Math.max(0, Object.keys(value).indexOf(key)) / Math.max(1, Object.keys(value).length)

/** An own property, whatever it is called: to assign `__proto__` is to change the prototype. */
function withMember(value: JsonObject, key: string, member: unknown): JsonObject {
  const attributes = { value: member, enumerable: true, configurable: true, writable: true }
  return Object.defineProperty({ ...value }, key, attributes)
}

function without(value: JsonObject, random: Random): JsonObject {
  const { [anyKey(value, random)]: _, ...others } = value
  return others
}

/** Whether some object in a value has members that are not its own. */
export function inheritsMembers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  const isPlain = [Object.prototype, Array.prototype, null].includes(prototype)
  return !isPlain || Object.keys(value).some((key) => inheritsMembers(Reflect.get(value, key)))
}
