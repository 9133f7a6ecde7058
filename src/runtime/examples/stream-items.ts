import type { HttpOperation, HttpValidators } from '../operation.js'
import { declaredKey } from '../server/reply.js'
import { streamFormat } from '../shared/media-type.js'
import type { LooseAnswer } from './override.js'
import { fault, overrideRemedy } from './policy.js'

/** The items of an override that is a list, where its status declares nothing but streams. */
export const itemsIn = (
  { status, body }: LooseAnswer,
  { responses }: HttpOperation,
): readonly unknown[] | undefined => {
  if (!Array.isArray(body) || status === undefined) return undefined
  const types = responses[declaredKey(Object.keys(responses), status) ?? ''] ?? []
  const isStreamed = types.length > 0 && types.every((type) => streamFormat(type) !== undefined)
  return isStreamed ? body : undefined
}

/** Throws a TypeError for an item that does not fit its schema. */
export const assertItems = (
  items: readonly unknown[],
  { status = 200 }: LooseAnswer,
  { id, responses }: HttpOperation,
  validators: HttpValidators,
): void => {
  const key = declaredKey(Object.keys(responses), status) ?? ''
  const validator = validators.items?.[key]
  for (const [at, item] of items.entries()) {
    const [first] = validator?.explain(item, 1) ?? []
    if (first !== undefined)
      throw fault(`${id}: item ${at + 1} of the override ${first.message}`, overrideRemedy)
  }
}

export async function* itemsOf(items: readonly unknown[]): AsyncGenerator<unknown, undefined> {
  yield* items
}
