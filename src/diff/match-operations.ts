import type { Api, Operation } from '../model/api.js'

/** The operations of two versions, paired by what a caller sends: method and path, or the name of the method. */
export function matchOperations(before: Api, after: Api): Matched {
  const twins = new Map<Operation, Operation>()
  const free = new Set(before.operations)
  // Templates that differ in their names alone are told apart by those as long as both have them.
  for (const keyOf of [writtenKey, sentKey]) {
    const known = new Map([...free].map((operation) => [keyOf(operation), operation]))
    for (const operation of after.operations) {
      const twin = twins.has(operation) ? undefined : known.get(keyOf(operation))
      if (!twin || !free.delete(twin)) continue
      twins.set(operation, twin)
    }
  }
  return {
    pairs: after.operations.flatMap((operation) => {
      const twin = twins.get(operation)
      return twin ? [{ before: twin, after: operation }] : []
    }),
    added: after.operations.filter((operation) => !twins.has(operation)),
    removed: [...free],
  }
}

export type Matched = {
  readonly pairs: readonly { readonly before: Operation; readonly after: Operation }[]
  readonly added: readonly Operation[]
  readonly removed: readonly Operation[]
}

const writtenKey = (operation: Operation): string =>
  operation.kind === 'http' ? `${operation.method} ${operation.path}` : operation.method

/** What stands in the braces of a path is the document's own affair: no caller sends it. */
const sentKey = (operation: Operation): string =>
  writtenKey(operation).replace(/{[^}]*}/g, operation.kind === 'http' ? '{}' : '$&')
