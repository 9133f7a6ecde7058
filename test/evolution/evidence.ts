import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../src/model/json.js'
import type { Fact } from './notes.js'
import { methodIn, partAt } from './place.js'

type Missed = NonNullable<Fact['missed']>

/** Whether both documents still are as an explanation says: false where it no longer applies. */
export function applies(missed: Missed, method: string, before: unknown, after: unknown): boolean {
  const [was, is] = [methodIn(before, method), methodIn(after, method)]
  if (missed.because === 'all-methods') return method === '*'
  if (missed.because === 'older') return was !== undefined
  if (missed.because === 'new-method') return was === undefined && is !== undefined
  if (is === undefined) return false
  const [old, now] = [partAt(was, missed.part), partAt(is, missed.part)]
  if (missed.because === 'silent') return isDeepStrictEqual(old, now)
  if (missed.because === 'extension')
    return missed.field !== undefined && !has(old, missed.field) && has(now, missed.field)
  return !isDeepStrictEqual(old, now) && isDeepStrictEqual(withoutTexts(old), withoutTexts(now))
}

const has = (value: unknown, field: string): boolean =>
  isObject(value) && Object.hasOwn(value, field)

const TEXTS = new Set(['summary', 'description', 'x-bitcoin-examples', 'x-bitcoin-default-hint'])

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !TEXTS.has(key) || typeof one !== 'string')
      .map(([key, one]) => [key, withoutTexts(one)]),
  )
}
