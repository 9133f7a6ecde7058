import type { JsonObject } from './api.js'
import { type Context, contextOf, enter, itemKind, type Scope } from './context.js'
import { child, keyOf, type Origin, valueAt } from './document.js'
import { DocumentError } from './finding.js'
import { entriesOf, isObject, isReference } from './json.js'
import type { Target } from './references.js'

export const NO_SCOPE: Scope = new Map()

/** The scope within a schema: `$dynamicAnchor`s are its own or those of its `$defs`, with or without an `$id`. */
export function scopeWithin(scope: Scope, schema: JsonObject, origin: Origin): Scope {
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
export const textOf = (scope: Scope): string =>
  [...scope].map(([name, origin]) => `${name}=${keyOf(origin)}`).join(' ')

/** Reads `$dynamicRef`s, so that a bundle has only `$ref`s. */
export function createDynamicReferences(
  follow: (origin: Target, first?: string) => Target,
  anchorsOf: (origin: Origin, name: string) => number,
) {
  const known = new Map<string, ReadonlySet<string>>()
  return { targetOf, scopeFor }

  /** What a `$dynamicRef` means in a scope; undefined where no schema, or more than one, says so. */
  function targetOf(reference: string, origin: Target, scope: Scope): Target | undefined {
    const [, name = ''] = /^#([^/]+)$/.exec(reference) ?? []
    const first = attempted(() => follow(origin, reference))
    const isDynamic = !first || (isObject(first.value) && first.value.$dynamicAnchor === name)
    const dynamic = isDynamic ? scope.get(name) : undefined
    if (!dynamic) return first && isDynamic && anchorsOf(first, name) > 1 ? undefined : first
    const target = { ...dynamic, value: valueAt(dynamic) }
    return attempted(() => forwarded(target))
  }

  /** `{ $dynamicAnchor: item, $ref: … }` is another name of what it refers to. */
  function forwarded(target: Target): Target {
    const { value } = target
    const isName = isReference(value) && Object.keys(value).every((key) => NAMING.has(key))
    return isName ? follow(target) : target
  }

  /** The part of a scope that decides what a schema means: without it, every reference to the schema means the same. */
  function scopeFor(target: Target, scope: Scope): Scope {
    if (scope.size === 0) return scope
    const own = isObject(target.value) ? scopeWithin(NO_SCOPE, target.value, target) : NO_SCOPE
    const key = `${keyOf(target)} ${textOf(scope)}`
    const used = known.get(key) ?? namesIn(target, scope)
    known.set(key, used)
    const kept = [...scope].filter(([name, origin]) => {
      const same = own.get(name)
      return used.has(name) && !(same && keyOf(same) === keyOf(origin))
    })
    return new Map(kept)
  }

  /** The names of all `$dynamicRef`s that a schema leads to. */
  function namesIn(target: Target, scope: Scope): ReadonlySet<string> {
    const found = new Set<string>()
    const seen = new Set<string>()
    const waiting: Target[] = [target]
    const go = (next: Target | undefined) => {
      if (next) waiting.push(next)
    }
    const visit = (value: unknown, origin: Origin, context: Context): void => {
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

/** Beside a `$ref`, these say nothing about a value. */
const NAMING = new Set(['$ref', '$dynamicAnchor', '$anchor', '$comment'])

/** Where a reference leads, if it leads anywhere: what is wrong with it is reported where it is copied. */
function attempted(work: () => Target): Target | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}
