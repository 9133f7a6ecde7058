import type { Api } from './api.js'
import type { Finding } from './finding.js'
import { referredName, type Schema, subschemas } from './schema.js'

/**
 * Recursion through a property or an item is legal: the value gets smaller. Through `allOf` and its
 * like the same value would be asked for ever, so each such circle is an error.
 */
export function* circlesIn(schemas: Api['schemas']): Generator<Finding> {
  const cleared = new Set<string>()
  for (const start of schemas.keys()) {
    // An explicit stack of paths: a chain of 10,000 references is an ordinary input.
    const stack: { readonly name: string; readonly next: string[] }[] = []
    const path = new Set<string>()
    const enter = (name: string) => {
      path.add(name)
      stack.push({ name, next: inPlaceNames(schemas.get(name)?.schema ?? true) })
    }
    if (!cleared.has(start)) enter(start)
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const name = top.next.pop()
      if (name === undefined) {
        cleared.add(top.name)
        path.delete(top.name)
        stack.pop()
      } else if (path.has(name)) {
        yield {
          rule: 'reference-is-circular',
          level: 'error',
          location: (schemas.get(name) ?? schemas.get(start))?.source.locate() ?? NOWHERE,
          message: `the schema ${name} is defined by itself${name === top.name ? '' : `, through ${top.name}`}: no value could be checked against it`,
        }
      } else if (!cleared.has(name)) enter(name)
    }
  }
}

const NOWHERE = { file: '', line: 1, column: 1, pointer: '' }

/** The named schemas that read the same value as the schema itself. */
function inPlaceNames(schema: Schema): string[] {
  const names: string[] = []
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const name = referredName(one)
    if (name !== undefined) names.push(name)
    waiting.push(...subschemas(one, 'in-place'))
  }
  return names
}
