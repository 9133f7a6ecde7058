/**
 * The validators of one operation. Throws a TypeError where they are missing: what checks less than it says would be
 * worse than nothing.
 */
export const validatorsFor = <Validators extends object>(all: object, id: string): Validators => {
  const own: unknown = Object.hasOwn(all, id)
    ? (all as Readonly<Record<string, unknown>>)[id]
    : undefined
  if (typeof own !== 'object' || own === null)
    throw new TypeError(
      `No validators for ${id}: pass what validators.ts or explanations.ts exports`,
    )
  return own as Validators
}
