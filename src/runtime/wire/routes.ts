import type { Server } from '../operation.js'
import { cached } from '../shared/cached.js'
import { fillTemplate, templateNames, withoutNames } from '../shared/template.js'
import { withoutTrailingSlashes } from '../shared/trailing.js'
import { pathPattern } from './path-pattern.js'

/**
 * Finds the target of a method on a path. Literal segments take precedence over parameters, from left to right, and more
 * literal text over less. OpenAPI: "concrete definitions are matched before their templated counterparts". Throws for two
 * targets with the same method and path.
 */
export const createRoutes = <T>(entries: readonly RouteEntry<T>[]): Routes<T> => {
  const table = new Map<string, Route<T>>()
  for (const { method, path, target } of entries) {
    const segments = path.split('/').slice(1).map(compileSegment)
    const shape = segments.map((segment) => segment.shape).join('/')
    const route = cached(table, shape, () => ({ segments, targets: new Map() }))
    if (route.targets.has(method)) throw new Error(`${method} ${path} is served twice`)
    route.targets.set(method, { names: segments.flatMap((segment) => segment.names), target })
  }
  const bySize = new Map<number, Route<T>[]>()
  for (const route of table.values()) {
    cached(bySize, route.segments.length, () => []).push(route)
  }
  for (const routes of bySize.values()) routes.sort(bySpecificity)
  return (method, path) => {
    const raw = path.split('/').slice(1)
    for (const route of bySize.get(raw.length) ?? []) {
      const values = matchSegments(route.segments, raw)
      if (values === undefined) continue
      const found = route.targets.get(method)
      const hit = found ?? (method === 'HEAD' ? route.targets.get('GET') : undefined)
      if (hit === undefined)
        return { kind: 'wrong-method', allow: allowedOn(route), target: first(route) }
      const named = hit.names.map((name, index) => [name, values[index] ?? ''])
      return { kind: 'found', target: hit.target, path: Object.fromEntries(named) }
    }
    return { kind: 'unknown' }
  }
}

export type RouteEntry<T> = {
  /** The method on the wire: `GET`. */
  readonly method: string
  /** A template: `/orders/{id}`, `/files/{name}.json`. */
  readonly path: string
  readonly target: T
}

export type Routes<T> = (method: string, path: string) => RouteMatch<T>

type RouteMatch<T> =
  /** `path` contains the parameters, still percent-encoded. */
  | { readonly kind: 'found'; readonly target: T; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[]; readonly target: T }
  | { readonly kind: 'unknown' }

/**
 * The paths of the documented servers, with the defaults of variables: `/v2`, mostly an empty text. A variable that is secret
 * or has no default remains a path parameter.
 */
export const basePaths = (servers: readonly Server[]): readonly string[] => {
  const paths = servers.map((server) => {
    const [, path = ''] = /^(?:[^/?#]*:\/\/[^/?#]*)?([^?#]*)/.exec(withDefaults(server)) ?? []
    return withoutTrailingSlashes(path.replace(/^(?!\/)(?=.)/, '/'))
  })
  return paths.length === 0 ? [''] : [...new Set(paths)]
}

/** The URL of a server with the defaults of its variables; one that is secret or has no default remains. */
export const withDefaults = ({ url, variables }: Server): string =>
  fillTemplate(url, (name, whole) => {
    const { default: usual = '', secret } = variables[name] ?? {}
    return secret || usual === '' ? whole : usual
  })

/** A URL without its query and fragment, as it is written. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*/s, '')

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
  /** The length of its literal text. */
  readonly literal: number
  /** Equal for two templates that match the same segments. */
  readonly shape: string
  readonly names: readonly string[]
  readonly match: (raw: string) => readonly string[] | undefined
}

type Route<T> = {
  readonly segments: readonly Segment[]
  readonly targets: Map<string, { readonly names: readonly string[]; readonly target: T }>
}

const compileSegment = (text: string): Segment => {
  const names = templateNames(text)
  const shape = withoutNames(text)
  // Compiled for the first request that needs it: hundreds of routes would delay the start of a server.
  let compiled: RegExp | undefined
  const exec = (raw: string) => {
    compiled ??= new RegExp(`^${pathPattern(text, '[^/]')}$`)
    return compiled.exec(raw)?.slice(1)
  }
  if (names.length === 0) {
    // Without percent-encoding, the pattern matches nothing else.
    const isEncoded = (raw: string) => raw.includes('%') || text.includes('%')
    const match = (raw: string) => (raw === text ? NONE : isEncoded(raw) ? exec(raw) : undefined)
    return { rank: 0, literal: text.length, shape, names, match }
  }
  const literal = shape.length - 2 * names.length
  return literal === 0 && names.length === 1
    ? { rank: 2, literal, shape, names, match: (raw) => (raw === '' ? undefined : [raw]) }
    : { rank: 1, literal, shape, names, match: exec }
}

const matchSegments = (
  segments: readonly Segment[],
  raw: readonly string[],
): readonly string[] | undefined => {
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

/** Compares two routes with the same number of segments. */
const bySpecificity = <T>(left: Route<T>, right: Route<T>): number => {
  for (const [index, segment] of left.segments.entries()) {
    const other = right.segments[index]
    if (other === undefined) continue
    const difference = segment.rank - other.rank
    if (difference !== 0) return difference
    // `{name}.tar.json` is more specific than `{name}.json`; of two literals at most one matches.
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
