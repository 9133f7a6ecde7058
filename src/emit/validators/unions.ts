import { grouped } from '../../schema/grouped.js'
import { ASSERTIONS } from '../../schema/keywords.js'
import type { Schema } from '../../schema/schema.js'
import { type CheckedValue, propertyAccess, type Writer } from './check-writer.js'
import { areDisjoint, literalDiscriminator, rejectsProperty, requiredOf } from './disjoint.js'
import { all, always, any, atom, differs, equals, flat, type Test, usesOf } from './expression.js'
import { type Lines, linesOf } from './function.js'
import { isLiteral, literalText } from './scalars.js'

/**
 * `anyOf` and `oneOf`. Branches that exclude each other are tried until one matches. If a property distinguishes
 * objects, it selects the branch and no other is tried. Otherwise matches are counted.
 */
export function testUnion(
  keyword: 'anyOf' | 'oneOf',
  branches: readonly Schema[],
  place: CheckedValue,
  writer: Writer,
): Test {
  const { known } = writer
  const [first] = branches
  if (first !== undefined && branches.length === 1) return testBranch(first, 0, place, writer)
  // Functions of the other branches would be declared and never called.
  if (keyword === 'anyOf' && branches.some((branch) => isFree(branch, writer))) return always
  const isObject = (branch: Schema) => isObjectOnly(branch, writer)
  const objects = branches.filter(isObject)
  const others = branches.filter((branch) => !isObject(branch))
  const apart = others.every((branch) => !known.types(branch).has('object'))
  const chosen = apart && objects.length > 1 ? chooseBranch(objects, place, writer) : undefined
  const rest = chosen === undefined ? branches : others
  const exclusive = keyword === 'anyOf' || excludeEachOther(rest, writer)
  if (!exclusive) return countMatches(branches, place, writer)
  const tests = rest.map((branch) => testBranch(branch, branches.indexOf(branch), place, writer))
  // Tests that cost almost nothing come first.
  const isQuick = (test: Test, at: number) =>
    flat(test).startsWith(`${place.value} === `) || isNamedLiteral(rest[at] ?? true, writer)
  const quick = tests.filter(isQuick)
  return any(
    ...quick,
    ...tests.filter((test) => !quick.includes(test)),
    ...(chosen ? [chosen] : []),
  )
}

/** The same as lines that return, for a function without other checks; undefined if no property distinguishes the branches. */
export function chooseInLines(
  branches: readonly Schema[],
  place: CheckedValue,
  writer: Writer,
): Lines | undefined {
  if (branches.length < 2 || !branches.every((branch) => isObjectOnly(branch, writer))) {
    return undefined
  }
  const choose = switchOver(branches, place, writer) ?? branchByKey(branches, place, writer)
  return choose?.({ ...place, defined: true })
}

const isFree = (branch: Schema, { known }: Writer): boolean => {
  const schema = known.resolve(branch)
  return typeof schema === 'boolean'
    ? schema
    : !Object.keys(schema).some((key) => key === '$ref' || ASSERTIONS.has(key))
}

const isNamedLiteral = (branch: Schema, { known }: Writer): boolean => {
  const schema = known.resolve(branch)
  return typeof schema === 'object' && isLiteral(schema)
}

const isObjectOnly = (branch: Schema, { known }: Writer): boolean => {
  const types = known.types(branch)
  return types.size === 1 && types.has('object')
}

const testBranch = (branch: Schema, at: number, place: CheckedValue, writer: Writer): Test =>
  writer.test(branch, { ...place, name: `${place.name}Option${at + 1}`, defined: true })

/** Comparing all pairs pays off for unions of the size that people write. */
const MOST_COMPARED = 40

function excludeEachOther(branches: readonly Schema[], { known }: Writer): boolean {
  if (branches.length > MOST_COMPARED) return false
  return branches.every((one, at) =>
    branches.slice(at + 1).every((other) => areDisjoint(one, other, known)),
  )
}

/** A separate function that reads a property and checks only the branch that it selects. */
function chooseBranch(
  branches: readonly Schema[],
  place: CheckedValue,
  writer: Writer,
): Test | undefined {
  const lines = switchOver(branches, place, writer) ?? branchByKey(branches, place, writer)
  if (lines === undefined) return undefined
  const { loose } = place
  const name = `${place.name}Kind`
  return writer.declare(name, { ...place, name, loose, defined: true, type: 'object' }, (inner) => [
    atom(writer.helper('isObject', 'value')),
    lines({ ...inner, name: place.name }),
  ])(place)
}

type Choice = (place: CheckedValue) => Lines

function switchOver(
  branches: readonly Schema[],
  { name }: CheckedValue,
  writer: Writer,
): Choice | undefined {
  const discriminator = literalDiscriminator(branches, writer.known)
  if (discriminator === undefined) return undefined
  const { key, branchOf } = discriminator
  const valuesOf = grouped(branchOf, ([, at]) => at)
  return (place) => {
    const tests = branches.map((branch, at) => testBranch(branch, at, { ...place, name }, writer))
    const cases = tests.flatMap((test, at) => {
      const values = valuesOf.get(at) ?? []
      return [
        ...values.map(([value]) => `  case ${literalText(value)}:`),
        `    return ${flat(test)}`,
      ]
    })
    const read = propertyAccess(place, key, writer)
    const lines = [`switch (${read.text}) {`, ...cases, '  default:', '    return false', '}']
    return linesOf(lines, atom(read), ...tests)
  }
}

/** Selects one branch after another, each by a required property that all remaining branches reject. */
function branchByKey(
  branches: readonly Schema[],
  { name, loose }: CheckedValue,
  writer: Writer,
): Choice | undefined {
  const { known } = writer
  const order: { readonly branch: Schema; readonly key: string }[] = []
  let left = branches
  while (left.length > 1) {
    const found = left
      .flatMap((branch) => [...requiredOf(branch, known)].map((key) => ({ branch, key })))
      .find(({ branch, key }) =>
        left.every((other) => other === branch || rejectsProperty(other, key, known, loose)),
      )
    if (found === undefined) return undefined
    order.push(found)
    left = left.filter((branch) => branch !== found.branch)
  }
  const [last] = left
  if (last === undefined) return undefined
  return (place) => {
    const test = (branch: Schema) =>
      testBranch(branch, branches.indexOf(branch), { ...place, name }, writer)
    const rows = order.map(({ branch, key }) => ({
      isThere: differs(propertyAccess(place, key, writer), 'undefined'),
      matches: test(branch),
    }))
    const otherwise = test(last)
    const lines = rows.map((row) => `if (${flat(row.isThere)}) return ${flat(row.matches)}`)
    return linesOf(
      [...lines, `return ${flat(otherwise)}`],
      ...rows.flatMap((row) => [row.isThere, row.matches]),
      otherwise,
    )
  }
}

/**
 * In the strict reading, exactly one branch may match. In the open reading, one must match, and no two of them strictly:
 * the keyword that distinguishes them may be one that the open reading ignores.
 */
function countMatches(branches: readonly Schema[], place: CheckedValue, writer: Writer): Test {
  // Each reading is written once, because the work would multiply in nested unions.
  const testsIn = (loose: boolean) =>
    branches.map((branch, at) => testBranch(branch, at, { ...place, loose }, writer))
  const strictly = testsIn(false)
  const strict = strictly.map((test) => `Number(${flat(test)})`).join(' + ')
  const exact = equals({ text: strict, uses: usesOf(...strictly) }, '1')
  if (!place.loose) return exact
  const openly = testsIn(true)
  if (openly.every((test, at) => flat(test) === flat(strictly[at] ?? test))) return exact
  return atom({
    text: `(open ? ${flat(all(any(...openly), atom(`${strict} <= 1`)))} : ${strict} === 1)`,
    uses: usesOf(...openly, ...strictly),
  })
}
