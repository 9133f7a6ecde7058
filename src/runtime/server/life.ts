import type { CommonFields, HttpOperation, RpcOperation } from '../operation.js'
import { instantOf } from '../shared/instant.js'
import { isObject } from '../shared/json.js'
import { fillTemplate, templateNames } from '../shared/template.js'
import type { ServerCall } from './call.js'
import type { ServerReply } from './request.js'

/**
 * Adds headers to the responses of an operation: the date of its deprecation (`Deprecation`, RFC 9745), its end (`Sunset`, RFC
 * 8594) and its successor (`Link`, RFC 5829). The endpoint of an unmarked operation is returned unchanged. Headers of the
 * handler with these names take precedence.
 */
export const announceLife = (
  endpoint: Endpoint,
  operation: HttpOperation,
  operations: Readonly<Record<string, HttpOperation>>,
): Endpoint => {
  const { headers } = lifeOf(operation)
  const link = successorLink(operation, operations)
  if (Object.keys(headers).length === 0 && link === undefined) return endpoint
  return async (call) => {
    const reply = await endpoint(call)
    const target = link?.(call.path)
    const links = [reply.headers.link, target && `<${target}>; rel="successor-version"`]
    const linked = links.filter((one) => one !== undefined).join(', ')
    return {
      ...reply,
      headers: { ...headers, ...reply.headers, ...(linked !== '' && { link: linked }) },
    }
  }
}

type Endpoint = (call: ServerCall) => Promise<ServerReply>

/**
 * The same for JSON-RPC, by the calls of a request. A response has each header once: for a batch, the headers are those of the
 * method that ends first. If none ends, they are those of the one with the longest deprecation. Undefined if no method is
 * marked.
 */
export const createRpcLife = (operations: readonly RpcOperation[]): RpcLife | undefined => {
  const lives = new Map<unknown, Life>()
  for (const operation of operations) {
    const life = lifeOf(operation)
    if (Object.keys(life.headers).length > 0) lives.set(operation.method, life)
  }
  if (lives.size === 0) return undefined
  return (calls) => {
    let first: Life | undefined
    for (const call of calls) {
      const life = isObject(call) ? lives.get(call.method) : undefined
      if (life !== undefined && (first === undefined || isBefore(life, first))) first = life
    }
    return first?.headers
  }
}

/** Returns the headers for the parsed calls of one request. */
export type RpcLife = (calls: readonly unknown[]) => Readonly<Record<string, string>> | undefined

type Life = {
  readonly since: number | undefined
  readonly end: number | undefined
  readonly headers: Readonly<Record<string, string>>
}

const isBefore = (one: Life, other: Life): boolean => {
  const [mine, theirs] = [one.end ?? NEVER, other.end ?? NEVER]
  return mine < theirs || (mine === theirs && (one.since ?? NEVER) < (other.since ?? NEVER))
}

const NEVER = Number.POSITIVE_INFINITY

/** RFC 9745 has no value for a deprecation without a date, so `deprecated: true` alone leads to no header. */
const lifeOf = ({ deprecatedAt, sunset }: CommonFields): Life => {
  const since = deprecatedAt === undefined ? undefined : instantOf(deprecatedAt)
  const end = sunset === undefined ? undefined : instantOf(sunset)
  return {
    since,
    end,
    headers: {
      ...(since !== undefined && { deprecation: `@${Math.floor(since / 1_000)}` }),
      ...(end !== undefined && { sunset: new Date(end).toUTCString() }),
    },
  }
}

/**
 * The address of the successor, by the path parameters of a request. It is relative, so that it is valid under each prefix and
 * behind each proxy. Undefined if the successor is at another server, or needs a parameter that the request does not have.
 */
const successorLink = (
  { replacedBy = '', path, parameters, servers }: HttpOperation,
  operations: Readonly<Record<string, HttpOperation>>,
): ((values: Readonly<Record<string, string>>) => string | undefined) | undefined => {
  const successor = Object.hasOwn(operations, replacedBy) ? operations[replacedBy] : undefined
  if (successor === undefined) {
    if (!/^https?:/.test(replacedBy) || !URL.canParse(replacedBy)) return undefined
    const { href } = new URL(replacedBy)
    return () => href
  }
  if (JSON.stringify(successor.servers) !== JSON.stringify(servers)) return undefined
  const up = '../'.repeat(path.split('/').length - 2) || './'
  const shown = parameters.filter((one) => one.in === 'path' && one.secret !== true)
  return (values) => {
    const isKnown = (name: string) =>
      shown.some((one) => one.name === name) && Object.hasOwn(values, name)
    if (!templateNames(successor.path).every(isKnown)) return undefined
    const target = fillTemplate(successor.path, (name) => values[name] ?? '')
    return up + new URL(`http://host${target}`).pathname.slice(1)
  }
}
