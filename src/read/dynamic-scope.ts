import { DocumentError } from '../model/finding.js'
import { entriesOf, isObject, isReference } from '../model/json.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { contextOf, type DynamicScope, enter, itemKind, type NodeContext } from './context.js'
import { child, keyOf, type Origin, valueAt } from './document.js'
import type { ReferenceTarget } from './references.js'

export const NO_SCOPE: DynamicScope = new Map()

/** The scope within a schema: adds its own `$dynamicAnchor` and those of its `$defs`, with or without an `$id`. */
export function scopeWithin(scope: DynamicScope, schema: JsonObject, origin: Origin): DynamicScope {
  const { $dynamicAnchor: own, $defs } = schema
  if (own === undefined && $defs === undefined) return scope
  const added = new Map<string, Origin>()
  if (typeof own === 'string') added.set(own, origin)
  for (const [key, definition] of entriesOf($defs)) {
    const name = isObject(definition) && definition.$dynamicAnchor
    if (typeof name === 'string' && !added.has(name))
      added.set(name, child(child(origin, '$defs'), key))
  }
  return added.size === 0 ? scope : new Map([...added, ...scope])
}

/** Two scopes with the same text are the same. */
export const scopeText = (scope: DynamicScope): string =>
  [...scope].map(([name, origin]) => `${name}=${keyOf(origin)}`).join(' ')

/** Resolves `$dynamicRef`s, so that a bundle contains only `$ref`s. */
export function createDynamicReferences(
  follow: (origin: ReferenceTarget, first?: string) => ReferenceTarget,
  anchorsOf: (origin: Origin, name: string) => number,
) {
  const known = new Map<string, ReadonlySet<string>>()
  return { targetOf, scopeFor }

  /** The target of a `$dynamicRef` in a scope; undefined if there is none, or more than one. */
  function targetOf(
    reference: string,
    origin: ReferenceTarget,
    scope: DynamicScope,
  ): ReferenceTarget | undefined {
    const [, name = ''] = /^#([^/]+)$/.exec(reference) ?? []
    const first = attempted(() => follow(origin, reference))
    const isDynamic = !first || (isObject(first.value) && first.value.$dynamicAnchor === name)
    const dynamic = isDynamic ? scope.get(name) : undefined
    if (!dynamic) return first && isDynamic && anchorsOf(first, name) > 1 ? undefined : first
    const target = { ...dynamic, value: valueAt(dynamic) }
    return attempted(() => forwarded(target))
  }

  /** `{ $dynamicAnchor: item, $ref: … }` is an alias of its target. */
  function forwarded(target: ReferenceTarget): ReferenceTarget {
    const { value } = target
    const isName = isReference(value) && Object.keys(value).every((key) => NAMING.has(key))
    return isName ? follow(target) : target
  }

  /** The part of a scope that affects the meaning of a schema. If it is empty, all references to the schema mean the same. */
  function scopeFor(target: ReferenceTarget, scope: DynamicScope): DynamicScope {
    if (scope.size === 0) return scope
    const own = isObject(target.value) ? scopeWithin(NO_SCOPE, target.value, target) : NO_SCOPE
    const key = `${keyOf(target)} ${scopeText(scope)}`
    const used = known.get(key) ?? namesIn(target, scope)
    known.set(key, used)
    const kept = [...scope].filter(([name, origin]) => {
      const same = own.get(name)
      return used.has(name) && !(same && keyOf(same) === keyOf(origin))
    })
    return new Map(kept)
  }

  /** The names of all `$dynamicRef`s that a schema reaches. */
  function namesIn(target: ReferenceTarget, scope: DynamicScope): ReadonlySet<string> {
    const found = new Set<string>()
    const seen = new Set<string>()
    const waiting: ReferenceTarget[] = [target]
    const go = (next: ReferenceTarget | undefined) => {
      if (next) waiting.push(next)
    }
    const visit = (value: unknown, origin: Origin, context: NodeContext): void => {
      if (typeof value !== 'object' || value === null || context.kind === 'data') return
      if (Array.isArray(value)) {
        const inner = { ...context, kind: itemKind(context) }
        for (const [index, item] of value.entries())
          visit(item, child(origin, String(index)), inner)
        return
      }
      const node = value as JsonObject
      if (context.kind === 'object' && typeof node.$dynamicRef === 'string') {
        found.add(node.$dynamicRef.slice(1))
        go(targetOf(node.$dynamicRef, { ...origin, value }, scope))
      }
      if (isReference(node)) go(attempted(() => follow({ ...origin, value }, node.$ref)))
      for (const [key, member] of Object.entries(node))
        visit(member, child(origin, key), enter(context, key, member))
    }
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const key = keyOf(next)
      if (seen.has(key)) continue
      seen.add(key)
      visit(next.value, next, contextOf('schemas'))
    }
    return found
  }
}

/** Next to a `$ref`, these keywords do not constrain a value. */
const NAMING = new Set(['$ref', '$dynamicAnchor', '$anchor', '$comment'])

/** The target of a reference, if it has one: errors of the reference are reported where it is copied. */
function attempted(work: () => ReferenceTarget): ReferenceTarget | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}
