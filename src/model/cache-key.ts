import type { NamedSchema, Operation } from './api.js'

/**
 * All that schemas and operations promise, as texts that what is made of them is remembered by: a sentence said of an
 * operation is none of it.
 */
export const contractText = ({ operations, schemas }: Promised): Promises => {
  const known = texts.get(schemas)
  if (known?.operations === operations) return known.promises
  const of = (kind: Operation['kind']) =>
    JSON.stringify(
      operations
        .filter((one) => one.kind === kind)
        .map(({ summary, description, ...promised }) => promised),
    )
  const promises = {
    schemas: JSON.stringify([...schemas.values()]),
    http: of('http'),
    rpc: of('rpc'),
  }
  texts.set(schemas, { operations, promises })
  return promises
}

/** The texts of several as one. */
export const together = (...texts: readonly string[]): string => texts.join('\n')

type Promised = {
  readonly operations: readonly Operation[]
  readonly schemas: ReadonlyMap<string, NamedSchema>
}

type Promises = { readonly [what in 'schemas' | Operation['kind']]: string }

const texts = new WeakMap<
  Promised['schemas'],
  { readonly operations: readonly Operation[]; readonly promises: Promises }
>()
