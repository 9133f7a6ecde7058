import { httpService, rpcService } from '../../../generated/operations.js'
import type { Policy } from '../access/limits.js'

/** Which of the documented endpoints a request target names, whatever its HTTP method; undefined for every other path. */
export const endpointOf = (target: string): Endpoint | undefined => {
  const segments = pathOf(target)
    .split('/')
    .map((segment) => (segment.includes('%') ? decoded(segment) : segment))
  return ENDPOINTS.find(({ template }) => matches(template, segments))?.endpoint
}

/**
 * The path of a request target, as it was written. A target may begin with scheme and host (RFC 9112 §3.2.2). They are not
 * read: the service has one site, whatever its name, and takes no credentials from there.
 */
export const pathOf = (target: string): string =>
  /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] ?? ''

/** The request target with the one slash removed that people leave behind a key. */
export const withoutTrailingSlash = (target: string): string =>
  /^[^?#]*[^/?#]\/($|[?#])/.test(target) ? target.replace(/\/(?=$|[?#])/, '') : target

export type Endpoint = {
  /** The id of an HTTP operation, `rpc` for JSON-RPC. */
  readonly name: string
  /** As documented, with its parameters unfilled: what logs show in place of the path, which holds a key. */
  readonly route: string
  readonly policy: Policy
}

/** What counts the requests of an HTTP operation. */
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

/** Literal paths stand before those with parameters. */
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
