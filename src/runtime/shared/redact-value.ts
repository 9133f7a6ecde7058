import { keepText, REDACTED, type Redact } from './redact.js'

/**
 * The same data with every string in it, including keys, redacted; data without secrets is returned unchanged. Errors within it
 * are treated like causes. An object of another class is replaced by a text, because it is not traversed.
 */
export const redactValue = <T>(value: T, redact: Redact): T => redactCause(value, redact) as T

/**
 * An error that is safe as a `cause`: the error itself if no printable part of it contains a secret, else a copy without
 * secrets. Node's `fetch` and `Request` put the whole URL, and so the key, into some of their errors. Never throws: unreadable
 * values are replaced.
 */
export const redactCause = (error: unknown, redact: Redact): unknown => {
  if (redact === keepText) return error
  try {
    return clean(error, redact, new Map())
  } catch {
    // A getter that throws, a proxy, or a depth that exceeds the stack.
    return isPrimitive(error) ? REDACTED : new Error('the thrown value cannot be read')
  }
}

/** The headers of a response, with their values redacted. */
export const redactHeaders = (headers: Headers, redact: Redact): Headers =>
  new Headers([...headers].map(([name, value]): [string, string] => [name, redact(value)]))

/** Visited objects -> their results; during the visit of an object, the text that replaces a cycle. */
type Seen = Map<object, unknown>

const clean = (value: unknown, redact: Redact, seen: Seen): unknown => {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number' || typeof value === 'bigint')
    return redact(String(value)) === REDACTED ? REDACTED : value
  if (typeof value === 'symbol') return redact(String(value)) === String(value) ? value : REDACTED
  if (isPrimitive(value)) return value
  if (seen.has(value)) return seen.get(value)
  seen.set(value, '[circular]')
  const result = cleanObject(value, redact, seen)
  seen.set(value, result)
  return result
}

const cleanObject = (value: object, redact: Redact, seen: Seen): unknown => {
  if (isError(value)) return cleanError(value, redact, seen)
  if (Array.isArray(value)) {
    const items = Array.from(value, (item) => clean(item, redact, seen))
    const whole = Reflect.ownKeys(value).length === value.length + 1
    return whole && items.every((item, index) => Object.is(item, value[index])) ? value : items
  }
  const isHeaders = value instanceof Headers
  if (isHeaders || isPlain(value)) {
    const { fields, hidden } = isHeaders
      ? { fields: [...value], hidden: false }
      : readFields(value, redact)
    const entries = cleanFields(fields, redact, seen)
    return !hidden && isSame(fields, entries) ? value : Object.fromEntries(entries)
  }
  if (value instanceof URL || value instanceof URLSearchParams) return redact(String(value))
  return redact(Object.prototype.toString.call(value))
}

/** A copy loses its class, getters and symbols, and keeps everything else that `console.log` shows. */
const cleanError = (error: Error, redact: Redact, seen: Seen): unknown => {
  const { fields, hidden } = readFields(error, redact)
  const all = [...fields, ...inheritedFields(error)]
  const entries = cleanFields(all, redact, seen)
  if (!hidden && isSame(all, entries)) return error
  const copy = new Error(redact(String(error.message)))
  const name = redact(String(error.name))
  for (const [key, value] of [['name', name] as const, ...entries.slice(0, fields.length)]) {
    const own = Object.getOwnPropertyDescriptor(error, key)
    const enumerable = own?.enumerable ?? false
    Object.defineProperty(copy, key, { value, enumerable, configurable: true, writable: true })
  }
  return copy
}

type Fields = readonly (readonly [key: string, value: unknown])[]

/** Own properties; `hidden` if some cannot be copied: getters, and symbols with an object or a secret. */
const readFields = (
  value: object,
  redact: Redact,
): { readonly fields: Fields; readonly hidden: boolean } => {
  const own = Reflect.ownKeys(value).map((key) => {
    // Newer engines make the stack of an error a getter.
    const isStack = key === 'stack' && isError(value)
    const descriptor = Object.getOwnPropertyDescriptor(value, key)
    return [key, isStack ? { value: value.stack } : (descriptor ?? {})] as const
  })
  const fields = own.flatMap(([key, descriptor]) =>
    typeof key === 'string' && 'value' in descriptor ? [[key, descriptor.value] as const] : [],
  )
  const hidden = own.some(([key, descriptor]) => {
    if (!('value' in descriptor)) return true
    if (typeof key === 'string') return false
    const texts = [String(key), String(descriptor.value)]
    return !isPrimitive(descriptor.value) || texts.some((text) => redact(text) !== text)
  })
  return { fields, hidden }
}

/** The properties of an error's classes except methods: `inspect` shows their getters too. */
const inheritedFields = (error: Error): Fields => {
  const prototypes: object[] = []
  let next = Object.getPrototypeOf(error)
  while (next !== null && next !== Object.prototype) {
    prototypes.push(next)
    next = Object.getPrototypeOf(next)
  }
  const keys = new Set(prototypes.flatMap((one) => Object.getOwnPropertyNames(one)))
  return [...keys]
    .map((key) => [key, Reflect.get(error, key)] as const)
    .filter(([, value]) => typeof value !== 'function')
}

const cleanFields = (fields: Fields, redact: Redact, seen: Seen): Fields =>
  fields.map(([key, value]) => [redact(key), clean(value, redact, seen)])

const isSame = (left: Fields, right: Fields): boolean =>
  left.every(([key, value], index) => {
    const other = right[index]
    return other !== undefined && other[0] === key && Object.is(other[1], value)
  })

const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Includes errors of another realm, such as a test environment. */
const isError = (value: object): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'

const isPrimitive = (value: unknown): value is null | undefined | boolean | string | number =>
  Object(value) !== value
