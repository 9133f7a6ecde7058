import type { Api, Operation } from '../model/api.js'
import { nearest } from '../model/nearest.js'
import type { Case } from './case.js'
import { CONFORM_RULES } from './rules.js'
import { TargetError } from './target.js'

/**
 * The cases that these names mean: those of operations by id, method, path or tag, and single ones by their name, or by how it
 * begins up to a comma. Throws TargetError for a name that means none, with what it may have been meant to be.
 */
export const casesNamed = (
  cases: readonly Case[],
  only: readonly string[],
  { operations }: Pick<Api, 'operations'>,
): readonly Case[] => {
  const known = new Set(operations.flatMap(namesOf))
  const named = new Set(cases.flatMap(({ name }) => startsOf(name)))
  const wanted = new Set(joined(only, (name) => known.has(name) || named.has(name)))
  const names = [...known, ...named]
  for (const name of wanted) if (!known.has(name) && !named.has(name)) throw unknown(name, names)
  return cases.filter(
    ({ name, operation }) =>
      startsOf(name).some((start) => wanted.has(start)) ||
      (operation !== undefined && namesOf(operation).some((one) => wanted.has(one))),
  )
}

/** The operations that these names mean, where nothing is tried. Throws TargetError as `casesNamed` does. */
export const operationsNamed = (
  { operations }: Pick<Api, 'operations'>,
  only: readonly string[],
): readonly Operation[] => {
  const names = operations.flatMap(namesOf)
  const wanted = only.map((name) => name.trim())
  for (const name of wanted) if (!names.includes(name)) throw unknown(name, names)
  return operations.filter((one) => namesOf(one).some((name) => wanted.includes(name)))
}

/** All that a person may call it. */
const namesOf = (operation: Operation): readonly string[] => [
  operation.id,
  ...operation.tags,
  ...(operation.kind === 'rpc'
    ? [operation.method]
    : [operation.path, `${operation.method} ${operation.path}`]),
]

/** `a, b, c` -> `a`, `a, b`, `a, b, c`. */
const startsOf = (name: string): readonly string[] => {
  const parts = name.split(COMMA)
  return parts.map((_, index) => parts.slice(0, index + 1).join(COMMA))
}

const COMMA = ', '

/** The names between commas. Names may contain commas: the longest known name counts as one. */
const joined = (
  parts: readonly string[],
  isKnown: (name: string) => boolean,
): readonly string[] => {
  const names: string[] = []
  for (let from = 0; from < parts.length; ) {
    const ends = parts.map((_, index) => index + 1).filter((end) => end > from)
    const upTo = (end: number) => parts.slice(from, end).join(',').trim()
    const to = ends.findLast((end) => isKnown(upTo(end))) ?? from + 1
    names.push(upTo(to))
    from = to
  }
  return names
}

const unknown = (name: string, names: readonly string[]): TargetError => {
  if (CONFORM_RULES.some(({ id }) => id === name))
    return new TargetError(
      `${name} is a rule, which is asked of many answers: name the operation or the case that it was found by`,
    )
  const meant = nearest(name, names)
  const hint =
    meant === undefined
      ? 'give an id, a method, a path, a tag or the name of a case'
      : `did you mean ${meant}?`
  return new TargetError(`no operation and no case is called ${name}: ${hint}`)
}
