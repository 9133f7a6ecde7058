import type { Operation } from '../model/api.js'
import { isObject, isReference } from '../model/json.js'
import type { Unknown } from '../model/unknowns.js'
import type { Site } from './site.js'

/**
 * What is not shown below an operation, its own words apart, and in the parts that it refers to. Schemas are apart too:
 * they say it where they stand.
 */
export function unknownsIn(site: Site, operation: Operation): readonly Unknown[] {
  const home = placeOf(site, operation)
  if (home === undefined) return []
  const homes = [home.place, ...referred(home.node, site, operation.kind)]
  return site.unknowns.filter(
    ({ place }) =>
      !place.includes('schema') &&
      (homes.some((one, at) => begins(place, one) && (at > 0 || place.length > one.length)) ||
        isOfPath(place, operation)),
  )
}

/** What the documents leave open about a parameter or a param of an operation. */
export const unknownOf = (
  unknowns: readonly Unknown[],
  name: string,
  place?: string,
): Unknown | undefined => unknowns.find(({ holder }) => holder.name === name && holder.in === place)

/** Said of a path, for each of its operations: its servers, say. */
const isOfPath = (place: readonly string[], operation: Operation): boolean =>
  operation.kind === 'http' &&
  begins(place, ['http', 'paths', operation.path]) &&
  !METHODS.has(place[3] ?? '')

const METHODS = new Set('get put post delete options head patch trace'.split(' '))

/** Those of no operation and no schema: of the documents, their servers and what operations share. */
export const unknownsOfDocuments = ({ unknowns }: Site): readonly Unknown[] =>
  unknowns.filter(
    ({ place }) => !(place[1] === 'paths' || place[1] === 'methods' || place[1] === 'components'),
  )

const begins = (place: readonly string[], start: readonly string[]): boolean =>
  start.every((name, at) => place[at] === name)

function placeOf({ api }: Site, operation: Operation) {
  const { kind } = operation
  const document = api[kind]?.bundled
  if (document === undefined) return undefined
  if (kind === 'http') {
    const { path, method } = operation
    const item = isObject(document.paths) ? document.paths[path] : undefined
    const node = isObject(item) ? item[method.toLowerCase()] : undefined
    return { node, place: [kind, 'paths', path, method.toLowerCase()] }
  }
  const methods = Array.isArray(document.methods) ? document.methods : []
  const at = methods.findIndex((one) => isObject(one) && one.name === operation.method)
  return at < 0 ? undefined : { node: methods[at], place: [kind, 'methods', String(at)] }
}

/** The places of the components that a node refers to, and those to others, schemas apart. */
function referred(node: unknown, { api }: Site, kind: Operation['kind']) {
  const found = new Map<string, readonly string[]>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if (isReference(value) && !found.has(value.$ref)) {
      const [, , section = '', name = ''] = value.$ref.split('/')
      const components = api[kind]?.bundled.components
      const shelf = isObject(components) ? components[section] : undefined
      if (section === 'schemas' || !isObject(shelf)) return
      found.set(value.$ref, [kind, 'components', section, name])
      visit(shelf[name])
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(node)
  return [...found.values()]
}
