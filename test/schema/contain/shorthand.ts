import { expect } from 'vitest'
import { type Path, pathText } from '../../../src/schema/contain/gap.js'
import type { Schema } from '../../../src/schema/schema.js'
import { compared, holds, type Reading, type Version } from './containing.js'

/** What a schema lets through that another refuses, a line for each: kind, place and the smallest value that shows it. */
export const gapsOf = (
  inner: Version,
  outer: Version,
  reading: Reading = 'strict',
): readonly string[] =>
  compared(inner, outer, reading).gaps.map(({ kind, path, isCertain, witness }) => {
    if (witness) {
      expect([witness.value, holds(inner, witness.value)]).toEqual([witness.value, true])
      expect([witness.value, holds(outer, witness.value, reading)]).toEqual([witness.value, false])
    }
    const shown = witness ? JSON.stringify(witness.value) : isCertain ? 'no value' : 'cannot tell'
    return [kind, placeOf(path), shown].filter(Boolean).join(' ')
  })

const placeOf = (path: Path): string => (path.length === 0 ? '' : `at ${pathText(path)}:`)

export const of = (schema: Schema, named?: Record<string, Schema>): Version =>
  named ? { schema, named } : { schema }

export const text = (more: object): Schema => ({ type: 'string', ...more })

export const list = (items: Schema, more: object = {}): Schema => ({
  type: 'array',
  items,
  ...more,
})

export const object = (properties: Record<string, Schema>, more: object = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
})

export const TEXT: Schema = { type: 'string' }
