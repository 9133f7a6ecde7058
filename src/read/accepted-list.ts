import { type Day, dayOf } from '../model/day.js'
import { createFaults, type Finding, type Location } from '../model/finding.js'
import { isObject } from '../model/json.js'
import type { Document } from './document.js'

/**
 * Reads the list `accepted` of a document. Each entry has `keys`, a reason and a last day. Throws DocumentError, with the line
 * of each entry in which one of them is missing or invalid.
 */
export const readAcceptedList = <Key extends string>(
  document: Document,
  { keys, one, reason, check }: AcceptedKind<Key>,
): readonly Accepted<Key>[] => {
  const list = isObject(document.value) ? document.value.accepted : undefined
  const { report, settle } = createFaults()
  document.faults.forEach(report)
  const reject = (pointer: string, message: string): undefined => {
    const location = document.locate(pointer)
    report({ rule: 'acceptance-is-invalid', level: 'error', location, message })
  }
  if (!Array.isArray(list)) {
    reject('', `the file needs a list "accepted", with an entry for each accepted ${one}`)
    settle(true)
    return []
  }
  const wanted: Readonly<Record<string, string>> = {
    ...keys,
    reason,
    until: 'the last day on which it is accepted',
  }
  const needs = Object.keys(wanted)
    .join(', ')
    .replace(/, (\w+)$/, ' and $1')
  const read = list.flatMap((entry: unknown, index) => {
    const pointer = `/accepted/${index}`
    if (!isObject(entry)) {
      reject(pointer, `an accepted ${one} needs ${needs}`)
      return []
    }
    const texts = Object.entries(wanted).flatMap(([key, says]) => {
      const value = entry[key]
      const text = typeof value === 'string' ? value.trim() : ''
      if (text === '') {
        reject(`${pointer}/${key}`, `an accepted ${one} needs ${key}: ${says}`)
        return []
      }
      const wrong = check(key as Key, text)
      if (wrong !== undefined) reject(`${pointer}/${key}`, wrong)
      const day = key === 'until' ? dayOf(text) : text
      if (day !== undefined) return [[key, day] as const]
      reject(`${pointer}/until`, `until must be a date such as 2030-01-31, not ${text}`)
      return []
    })
    if (texts.length < Object.keys(wanted).length) return []
    return {
      ...(Object.fromEntries(texts) as AcceptedTexts<Key>),
      location: document.locate(pointer),
    }
  })
  settle(true)
  return read
}

type AcceptedKind<Key extends string> = {
  /** The keys of an entry other than reason and until, each with a description of its value. */
  readonly keys: Readonly<Record<Key, string>>
  /** The accepted thing, in one word: `change`. */
  readonly one: string
  /** The description of a reason. */
  readonly reason: string
  /** The problem of a value; undefined for a valid value. */
  readonly check: (key: Key, text: string) => string | undefined
}

export type Accepted<Key extends string> = AcceptedTexts<Key> & { readonly location: Location }

type AcceptedTexts<Key extends string> = Readonly<Record<Key | 'reason', string>> & {
  /** The last day on which the entry applies. */
  readonly until: Day
}

/** Whether a finding is at the `where` of an entry: an operation, or a JSON pointer, which includes everything below it. */
export const isAtPlace = (
  where: string,
  { location, before, operations = [] }: Pick<Finding, 'location' | 'before' | 'operations'>,
): boolean => {
  const place = placeIn(where)
  if (!place) return operations.includes(withMethod(where))
  const { file, pointer } = place
  return [location, ...(before ? [before] : [])].some(
    (at) =>
      (at.pointer === pointer || at.pointer.startsWith(`${pointer}/`)) &&
      (file === undefined || isCalled(at.file, file)),
  )
}

/** Methods of HTTP may be written in small letters, as documents do. */
export const withMethod = (where: string): string =>
  where.replace(/^[a-z]+(?= +\/)/i, (verb) => verb.toUpperCase())

/** The pointer and the file of a place, which is written like a reference; undefined for an operation. */
export const placeIn = (where: string) => {
  if (where.startsWith('/')) return { file: undefined, pointer: where }
  const at = where.indexOf('#/')
  if (at < 0) return undefined
  return { file: where.slice(0, at).replace(/^\.\//, ''), pointer: where.slice(at + 1) }
}

/** A file may be named by the end of its path, so the same entry applies in every revision and folder. */
const isCalled = (file: string, name: string): boolean =>
  file === name || file.endsWith(`/${name}`) || file.endsWith(`:${name}`)
