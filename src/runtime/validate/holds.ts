import type { Reading, ValidatorSchema } from '../validate.js'
import { runCheck } from './check-run.js'
import { type Check, compile } from './check-value.js'
import { isValidator, sourceOf, writtenCheck } from './schema-source.js'

/** Whether a value fits a schema, whatever its depth: by the check that was written ahead of time where there is one. */
export const holdsOf = (schema: ValidatorSchema, reading: Reading): Holds => {
  if (typeof schema === 'boolean') return () => schema
  const source = isValidator(schema) ? sourceOf(schema) : undefined
  const written = source && writtenCheck(source, reading)
  if (written !== undefined) return written
  let ready: Check | undefined
  return (value) => {
    ready ??= compile(schema, reading)
    return runCheck(ready, value)
  }
}

export type Holds = (value: unknown) => boolean
