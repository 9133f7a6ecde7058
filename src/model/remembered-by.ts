import type { NamedSchema, Operation } from './api.js'

/**
 * All that operations and schemas promise, as a text that what is made of it is remembered by: a sentence said of an
 * operation is none of it.
 */
export const promisesOf = ({ operations, schemas }: Promised): string => {
  const known = texts.get(schemas)
  if (known?.operations === operations) return known.text
  const text = JSON.stringify([
    [...schemas.values()],
    operations.map(({ summary, description, ...promised }) => promised),
  ])
  texts.set(schemas, { operations, text })
  return text
}

/** A document as a text, all prose in it alike: it is valid or not whatever its sentences say. */
export const shapeOf = (document: unknown): string =>
  JSON.stringify(document, (key, value) =>
    typeof value === 'string' && PROSE.has(key) ? '' : value,
  )

const PROSE = new Set(['summary', 'description'])

type Promised = {
  readonly operations: readonly Operation[]
  readonly schemas: ReadonlyMap<string, NamedSchema>
}

const texts = new WeakMap<
  Promised['schemas'],
  { readonly operations: readonly Operation[]; readonly text: string }
>()
