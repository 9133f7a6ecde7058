import { httpService, rpcService } from '../../../generated/operations.js'
import type { Policy } from '../access/limits.js'

/** The documented endpoint of a request target, for every HTTP method; undefined for any other path. */
export const endpointOf = (target: string): Endpoint | undefined => {
  const segments = targetPath(target)
    .split('/')
    .map((segment) => (segment.includes('%') ? decoded(segment) : segment))
  return ENDPOINTS.find(({ template }) => matches(template, segments))?.endpoint
}

/**
 * The path of a request target, as written. A target may begin with scheme and host (RFC 9112 §3.2.2). They are ignored: the
 * service has one site under any name, and does not read credentials from there.
 */
export const targetPath = (target: string): string =>
  /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? ''

/** The request target without a trailing slash, which people often write after a key. */
export const withoutTrailingSlash = (target: string): string =>
  /^[^?#]*[^/?#]\/($|[?#])/.test(target) ? target.replace(/\/(?=$|[?#])/, '') : target

export type Endpoint = {
  /** The id of an HTTP operation, `rpc` for JSON-RPC. */
  readonly name: string
  /** The documented path with its parameters: logs show it in place of the path, which contains a key. */
  readonly route: string
  readonly policy: Policy
}

/** The counters of HTTP operations. */
export const POLICIES: Readonly<Record<string, Policy>> = {
  tryZkt: 'try-it-out',
  submitZkt: 'zkt',
  getZktTransaction: 'status',
} satisfies Record<keyof typeof httpService.operations, Policy>

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) =>
    part.startsWith('{') ? segments[index] !== '' : part === segments[index],
  )

/** Literal paths are before those with parameters. */
const ENDPOINTS = [
  { name: 'rpc', route: rpcService.path, policy: 'rpc' as Policy },
  ...Object.values(httpService.operations).map(({ id, path }) => ({
    name: id,
    route: path,
    policy: POLICIES[id] ?? 'zkt',
  })),
]
  .sort((one, other) => one.route.split('{').length - other.route.split('{').length)
  .map((endpoint): { readonly template: readonly string[]; readonly endpoint: Endpoint } => ({
    template: endpoint.route.split('/'),
    endpoint,
  }))
