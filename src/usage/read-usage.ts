import { createChecker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import type { Usage } from './usage.js'
import { usageSchema } from './usage-schema.js'

/** The usage that the text of a file has. Throws UsageFileError where it is none. */
export const readUsage = (file: string, text: string): Usage => {
  const fail = (what: string, options?: ErrorOptions): never => {
    throw new UsageFileError(
      `${file}: ${what}: make it with \`twinspec usage\` of this version`,
      options,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return fail('this is not JSON', { cause })
  }
  const { definitions, ...root } = usageSchema('#/components/schemas/')
  const named = Object.entries(definitions).map(
    ([name, schema]) => [name, { schema: schema as Schema }] as const,
  )
  const validator = createChecker(new Map(named)).schema(root as Schema)
  if (validator.check(value)) return value as Usage
  const [first] = validator.explain(value)
  return fail(`${first?.pointer || 'the file'} ${first?.message ?? 'is no usage'}`)
}

/** A file of usage that cannot be read: one sentence with its name, and what to do. */
export class UsageFileError extends Error {
  override readonly name = 'UsageFileError'
}
