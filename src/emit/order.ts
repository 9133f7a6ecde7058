import type { Api } from '../model/api.js'
import { referredName, type Schema, subschemas } from '../schema/schema.js'

/**
 * The named schemas, each after those it refers to. Schemas that refer to each other in a cycle are one group.
 * (Tarjan's algorithm, without recursion.)
 */
export function dependencyOrder(schemas: Api['schemas']): readonly NameGroup[] {
  const groups: NameGroup[] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()

  for (const start of schemas.keys()) {
    if (index.has(start)) continue
    const calls = [visit(start)]
    for (let call = calls.at(-1); call; call = calls.at(-1)) {
      const next = call.next.pop()
      if (next === undefined) {
        calls.pop()
        close(call.name)
        const caller = calls.at(-1)
        if (caller) lower(caller.name, low.get(call.name))
      } else if (!index.has(next)) calls.push(visit(next))
      else if (isOpen.has(next)) lower(call.name, index.get(next))
    }
  }
  return groups

  function visit(name: string) {
    index.set(name, index.size)
    low.set(name, index.get(name) ?? 0)
    open.push(name)
    isOpen.add(name)
    const next = [...namesIn(schemas.get(name)?.schema ?? true)].reverse()
    return { name, next: next.filter((one) => schemas.has(one)) }
  }

  function lower(name: string, value = 0) {
    low.set(name, Math.min(low.get(name) ?? 0, value))
  }

  function close(name: string) {
    if (low.get(name) !== index.get(name)) return
    const names = open.splice(open.lastIndexOf(name))
    for (const one of names) isOpen.delete(one)
    const circular = names.length > 1 || namesIn(schemas.get(name)?.schema ?? true).has(name)
    groups.push({ names, circular })
  }
}

export type NameGroup = { readonly names: readonly string[]; readonly circular: boolean }

/** The names that a schema and its subschemas refer to. */
export function namesIn(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const name = referredName(one)
    if (name !== undefined) names.add(name)
    for (const inner of subschemas(one)) waiting.push(inner)
  }
  return names
}
