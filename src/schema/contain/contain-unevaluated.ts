import type { Gap } from './gap.js'
import { childOf, isAnything, isOpen, keywordsOf, madeNode, type Node, resolved } from './node.js'
import { objectView } from './object-view.js'
import type { Work } from './work.js'

/** What no other keyword has looked at depends on all of them: only what is spelled alike is known to be alike. */
export function containUnevaluated(work: Work): readonly Gap[] {
  const { shape, outer, schema, gap, samples, reading, isSame } = work
  const keyword =
    shape.type === 'object'
      ? 'unevaluatedProperties'
      : shape.type === 'array'
        ? 'unevaluatedItems'
        : undefined
  const own = keyword && schema[keyword]
  if (own === undefined || isAnything(childOf(outer, own))) return []
  if (shape.type === 'object' && own === false && isOpen(reading)) return []
  if (shape.parts.some((part) => isSame(evaluating(part), evaluating(outer)))) return []
  const view = objectView(shape.parts)
  const candidates = [
    ...samples.of(shape),
    ...(shape.type === 'object'
      ? view.names.filter(view.allows).flatMap((name) => {
          const value = samples.smallest(view.at(name))
          const object = value && samples.objectWith(shape, name, value.value)
          return object ? [object.value] : []
        })
      : [1, 2, 3].flatMap((count) => {
          const array = samples.arrayOf(shape, count)
          return array ? [array.value] : []
        })),
  ]
  const found = gap('unevaluated', { keyword, candidates, isCertain: false, outer: own })
  const isCovered =
    keyword === 'unevaluatedProperties' && isClosedBy(outer, view.names.filter(view.allows))
  return found.witness || !isCovered ? [found] : []
}

/** The schema without what says nothing of members. */
function evaluating(node: Node): Node {
  const members = Object.entries(keywordsOf(node)).filter(([keyword]) => EVALUATING.has(keyword))
  return madeNode(node.side, Object.fromEntries(members))
}

const EVALUATING = new Set(
  `properties patternProperties additionalProperties unevaluatedProperties prefixItems items contains
  unevaluatedItems allOf anyOf oneOf not if then else dependentSchemas $ref`.split(/\s+/),
)

/** All that may be there is declared by the schema itself, by the schemas that always hold with it, or by nobody. */
function isClosedBy(outer: Node, names: readonly string[]): boolean {
  const declared = new Set<string>()
  const all = new Set([resolved(outer)])
  // What is added on the way is gone through too.
  for (const node of all) {
    const { properties = {}, allOf = [] } = keywordsOf(node)
    for (const name of Object.keys(properties)) declared.add(name)
    for (const one of allOf) all.add(resolved(childOf(node, one)))
  }
  return names.every((name) => declared.has(name))
}
