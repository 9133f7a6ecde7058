import type { Reading, SchemaKeywords, ValidatorSchema } from '../validate.js'
import { type Check, compile, pass } from './check-value.js'
import { has, isObject } from './json-value.js'
import { findDiscriminator } from './literals.js'

/** `anyOf` and `oneOf`; where a property tells the branches apart, only the one it means is tried. */
export const checkUnions = (schema: SchemaKeywords, reading: Reading): readonly Check[] => [
  ...(schema.anyOf ? [discriminate(schema.anyOf, reading, checkAnyOf)] : []),
  ...(schema.oneOf ? [discriminate(schema.oneOf, reading, checkOneOf)] : []),
]

/** Openness under `not` would refuse more, so it is always read strictly. */
export const checkNot = (schema: SchemaKeywords): readonly Check[] => {
  if (schema.not === undefined) return []
  const check = compile(schema.not, 'strict')
  return [(value) => !check(value)]
}

export const checkConditions = (schema: SchemaKeywords, reading: Reading): readonly Check[] => {
  if (schema.if === undefined) return []
  const condition = compile(schema.if, 'strict')
  const then = compile(schema.then ?? true, reading)
  const otherwise = compile(schema.else ?? true, reading)
  if (then === pass && otherwise === pass) return []
  return [(value) => (condition(value) ? then(value) : otherwise(value))]
}

/** The positions of the branches that match strictly, where more than one of them matches at all. */
export const strictMatches = (
  branches: readonly ValidatorSchema[],
  matching: readonly number[],
  value: unknown,
): readonly number[] =>
  matching.length < 2
    ? matching
    : matching.filter((at) => compile(branches[at] ?? false, 'strict')(value))

type CheckUnion = (branches: readonly ValidatorSchema[], reading: Reading) => Check

const discriminate = (
  branches: readonly ValidatorSchema[],
  reading: Reading,
  checkUnion: CheckUnion,
): Check => {
  const union = checkUnion(branches, reading)
  const discriminator = findDiscriminator(branches)
  if (discriminator === undefined) return union
  const { key, branchOf } = discriminator
  const checks = branches.map((branch) => compile(branch, reading))
  return (value) => {
    if (!isObject(value)) return union(value)
    if (!has(value, key)) return false
    const at = branchOf.get(value[key])
    return at !== undefined && (checks[at]?.(value) ?? false)
  }
}

const checkAnyOf: CheckUnion = (branches, reading) => {
  const checks = branches.map((branch) => compile(branch, reading))
  return (value) => {
    for (const check of checks) if (check(value)) return true
    return false
  }
}

const checkOneOf: CheckUnion = (branches, reading) => {
  const checks = branches.map((branch) => compile(branch, reading))
  return (value) => {
    const matching: number[] = []
    for (let at = 0; at < checks.length; at++) if (checks[at]?.(value)) matching.push(at)
    return reading === 'strict'
      ? matching.length === 1
      : matching.length > 0 && strictMatches(branches, matching, value).length <= 1
  }
}
