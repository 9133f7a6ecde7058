import type { Api, Operation } from '../../model/api.js'

/** The operations of two versions, paired by what a caller sends: method and path, or the name of the method. */
export function matchOperations(before: Api, after: Api): Matched {
  const known = new Map(before.operations.map((operation) => [keyOf(operation), operation]))
  const pairs: { before: Operation; after: Operation }[] = []
  const added: Operation[] = []
  for (const operation of after.operations) {
    const key = keyOf(operation)
    const twin = known.get(key)
    if (twin) pairs.push({ before: twin, after: operation })
    else added.push(operation)
    known.delete(key)
  }
  return { pairs, added, removed: [...known.values()] }
}

export type Matched = {
  readonly pairs: readonly { readonly before: Operation; readonly after: Operation }[]
  readonly added: readonly Operation[]
  readonly removed: readonly Operation[]
}

/** What stands in the braces of a path is the document's own affair: no caller sends it. */
const keyOf = (operation: Operation): string =>
  operation.kind === 'http'
    ? `${operation.method} ${operation.path.replace(/{[^}]*}/g, '{}')}`
    : operation.method
