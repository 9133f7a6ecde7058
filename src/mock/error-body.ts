import { isObject } from '../model/json.js'

/**
 * Fills the known facts about a response into a generated error body, because `{ "title": "text", "status": 1 }` does not help
 * a caller. A member whose schema rejects the fact keeps its value.
 */
export const errorBody = (
  body: unknown,
  facts: ErrorFacts,
  check: (body: unknown) => boolean,
): unknown =>
  leavesOf(body)
    .slice(0, MOST_LEAVES)
    .reduce<unknown>((whole, { path, value }) => {
      const known = knownOf(path.findLast((key) => typeof key === 'string') ?? '', value, facts)
      if (known === undefined) return whole
      const changed = replaced(whole, path, known)
      return check(changed) ? changed : whole
    }, body)

type ErrorFacts = {
  /** The status of the response. */
  readonly status?: number | undefined
  /** The error in the request. */
  readonly message?: string | undefined
}

type Path = readonly (string | number)[]

const leavesOf = (value: unknown, path: Path = []): readonly { path: Path; value: unknown }[] => {
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, [...path, at]))
  if (!isObject(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
}

const knownOf = (name: string, value: unknown, { status, message }: ErrorFacts): unknown => {
  if (typeof value === 'number') return STATUS.test(name) || name === 'code' ? status : undefined
  if (typeof value !== 'string') return undefined
  if (MESSAGE.test(name)) return message
  return STATUS.test(name) && status !== undefined ? String(status) : undefined
}

const STATUS = /^(http)?_?status_?(code)?$/i
const MESSAGE = /^(error)?_?(message|title|detail|error|reason)$/i

const replaced = (value: unknown, [key, ...rest]: Path, leaf: unknown): unknown => {
  if (key === undefined) return leaf
  if (Array.isArray(value))
    return value.map((item, at) => (at === key ? replaced(item, rest, leaf) : item))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === key ? replaced(member, rest, leaf) : member,
    ]),
  )
}

/** After each replacement, the whole body is validated. */
const MOST_LEAVES = 50
