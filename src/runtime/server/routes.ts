import type { Server } from '../operation.js'
import { escapePattern, fillTemplate } from '../shared/template.js'

/**
 * Finds what answers a method on a path. Literal segments win over parameters, left to right, as OpenAPI has it
 * ("concrete definitions are matched before their templated counterparts"), and more literal text over less. Throws on two targets for one method and path.
 */
export const createRoutes = <T>(entries: readonly RouteEntry<T>[]): Routes<T> => {
  const table = new Map<string, Route<T>>()
  for (const { method, path, target } of entries) {
    const segments = path.split('/').slice(1).map(compileSegment)
    const shape = segments.map((segment) => segment.shape).join('/')
    const route = table.get(shape) ?? {
      segments,
      prefix: prefixOf(segments, path),
      targets: new Map(),
    }
    if (route.targets.has(method)) throw new Error(`${method} ${path} is served twice`)
    route.targets.set(method, { names: segments.flatMap((segment) => segment.names), target })
    table.set(shape, route)
  }
  const routes = [...table.values()].sort(bySpecificity)
  const arePlain = routes.every(({ prefix }) => prefix !== undefined)
  return (method, path) => {
    // A literal that is percent-encoded is the same literal, which only the segments tell.
    const isPlain = !path.includes('%')
    const raw = isPlain && arePlain ? NONE : path.split('/').slice(1)
    for (const route of routes) {
      const values =
        isPlain && route.prefix !== undefined
          ? matchPrefix(route, route.prefix, path)
          : matchSegments(route.segments, raw)
      if (values === undefined) continue
      const found = route.targets.get(method)
      const hit = found ?? (method === 'HEAD' ? route.targets.get('GET') : undefined)
      if (hit === undefined)
        return { kind: 'wrong-method', allow: allowedOn(route), target: first(route) }
      return { kind: 'found', target: hit.target, path: named(hit.names, values) }
    }
    return { kind: 'unknown' }
  }
}

export type RouteEntry<T> = {
  /** Upper case. */
  readonly method: string
  /** A template: `/orders/{id}`, `/files/{name}.json`. */
  readonly path: string
  readonly target: T
}

type Routes<T> = (method: string, path: string) => RouteMatch<T>

type RouteMatch<T> =
  /** `path` holds the parameters as they stand in the URL, percent-encoding and all. */
  | { readonly kind: 'found'; readonly target: T; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[]; readonly target: T }
  | { readonly kind: 'unknown' }

/** The text behind percent-encoding, or undefined where that is broken. */
export const decodePercent = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The paths of the documented addresses, variables at their defaults: `/v2`, mostly none at all. */
export const basePaths = (servers: readonly Server[]): readonly string[] => {
  const paths = servers.map(({ url, variables }) => {
    const filled = fillTemplate(url, (name) => variables[name]?.default ?? '')
    return splitUrl(filled)[0].replace(/\/+$/, '')
  })
  return paths.length === 0 ? [''] : [...new Set(paths)]
}

/** Path and query of a request target, which a proxy may send with scheme and host (RFC 9112 §3.2.2). */
export const splitUrl = (url: string): readonly [string, string] => {
  if (url.startsWith('/') && !/[?#]/.test(url)) return [url, '']
  const [, path = '', query = ''] =
    /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/is.exec(url) ?? []
  return [path === '' ? '/' : path, query]
}

const NONE: readonly string[] = []

type Segment = {
  /** 0 a literal, 1 a parameter with text around it, 2 a parameter alone. */
  readonly rank: 0 | 1 | 2
  /** How much of it is literal text. */
  readonly literal: number
  /** Equal where two templates match the same segments. */
  readonly shape: string
  readonly names: readonly string[]
  readonly match: (raw: string) => readonly string[] | undefined
}

type Route<T> = {
  readonly segments: readonly Segment[]
  /** All of the path, or all before the parameter that ends it, where there is none but that. */
  readonly prefix: string | undefined
  readonly targets: Map<string, { readonly names: readonly string[]; readonly target: T }>
}

const compileSegment = (text: string): Segment => {
  const parts = text.split(/\{([^{}]*)\}/)
  const names = parts.filter((_, index) => index % 2 === 1)
  const shape = text.replace(/\{[^{}]*\}/g, '{}')
  if (names.length === 0) {
    const literal = decodePercent(text) ?? text
    const match = (raw: string) =>
      raw === text || (raw.includes('%') && decodePercent(raw) === literal) ? NONE : undefined
    return { rank: 0, literal: text.length, shape, names, match }
  }
  const literal = shape.length - 2 * names.length
  if (literal === 0 && names.length === 1)
    return { rank: 2, literal, shape, names, match: (raw) => (raw === '' ? undefined : [raw]) }
  const pattern = parts.map((part, index) => (index % 2 === 1 ? '(.+?)' : escapePattern(part)))
  const regex = new RegExp(`^${pattern.join('')}$`)
  return { rank: 1, literal, shape, names, match: (raw) => regex.exec(raw)?.slice(1) }
}

const prefixOf = (segments: readonly Segment[], path: string): string | undefined => {
  const before = segments.at(-1)?.rank === 2 ? segments.slice(0, -1) : segments
  if (path.includes('%') || before.some(({ rank }) => rank !== 0)) return undefined
  return before === segments ? path : path.slice(0, path.lastIndexOf('/') + 1)
}

const matchPrefix = <T>(
  { segments }: Route<T>,
  prefix: string,
  path: string,
): readonly string[] | undefined => {
  if (!path.startsWith(prefix)) return undefined
  if (segments.at(-1)?.rank === 0) return path.length === prefix.length ? NONE : undefined
  return path.length === prefix.length || path.includes('/', prefix.length)
    ? undefined
    : [path.slice(prefix.length)]
}

const matchSegments = (
  segments: readonly Segment[],
  raw: readonly string[],
): readonly string[] | undefined => {
  if (segments.length !== raw.length) return undefined
  const values: string[] = []
  let index = 0
  for (const segment of segments) {
    const found = segment.match(raw[index] ?? '')
    if (found === undefined) return undefined
    for (const value of found) values.push(value)
    index += 1
  }
  return values
}

const allowedOn = <T>({ targets }: Route<T>): readonly string[] => {
  const methods = [...targets.keys()]
  return methods.includes('GET') ? [...new Set([...methods, 'HEAD'])] : methods
}

const named = (
  names: readonly string[],
  values: readonly string[],
): Readonly<Record<string, string>> => {
  const [name] = names
  // Most paths have one parameter at most, and this is a tenth of what fromEntries costs.
  if (name !== undefined && names.length === 1 && name !== '__proto__') {
    const only: Record<string, string> = {}
    only[name] = values[0] ?? ''
    return only
  }
  return Object.fromEntries(names.map((each, index) => [each, values[index] ?? '']))
}

const bySpecificity = <T>(left: Route<T>, right: Route<T>): number => {
  // No path matches both; without an order between them, sorting would leave others in a wrong one.
  if (left.segments.length !== right.segments.length)
    return left.segments.length - right.segments.length
  for (const [index, segment] of left.segments.entries()) {
    const other = right.segments[index]
    if (other === undefined) continue
    const difference = segment.rank - other.rank
    if (difference !== 0) return difference
    // `{name}.tar.json` says more than `{name}.json`; of two literals at most one matches.
    if (segment.rank === 1 && segment.literal !== other.literal)
      return other.literal - segment.literal
  }
  return 0
}

const first = <T>(route: Route<T>): T => {
  const [entry] = route.targets.values()
  if (entry === undefined) throw new Error('A route without targets')
  return entry.target
}
