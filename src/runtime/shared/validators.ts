/**
 * The validators of one operation. Throws a TypeError if they are missing, because a call must not skip its validation
 * silently.
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
