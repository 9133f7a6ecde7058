import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpDocument, HttpOperation, RpcDocument } from '../model/api.js'
import type { Finding, Location } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { withOnePerHeader } from '../model/security.js'
import { objects } from '../read/reading.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { both, type Comparison, change, type Places } from './change.js'
import { asObject, dereferenced, writtenOperation } from './written.js'

/** Changes of the security of an operation: credentials that were sufficient must stay sufficient. */
export function* securityChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { name } = comparison
  const [was, is] = [alternatives(comparison, 'before'), alternatives(comparison, 'after')]
  const places = placesOf(comparison)
  for (const one of was) {
    if (is.some((other) => isEnough(one, other))) continue
    if (one.size === 0) {
      const ways = is.map(credentialsText).join(' or ')
      const message = `${name} needs ${ways} now; it needed no credentials: callers without them are rejected`
      yield change('security-became-required', places, message)
      continue
    }
    const sameSchemes = is.find((other) => [...other.keys()].every((key) => one.has(key)))
    if (sameSchemes) {
      const message = `${name} needs ${credentialsText(sameSchemes)} now; ${credentialsText(one)} was enough: existing tokens are rejected`
      yield change('security-scope-added', places, message)
    } else {
      const message = `${name} no longer accepts ${credentialsText(one)}: callers with no other credentials are rejected`
      yield change('security-alternative-removed', places, message)
    }
  }
  for (const one of is) {
    if (was.some((other) => isEnough(one, other))) continue
    const way = one.size === 0 ? 'without credentials' : `with ${credentialsText(one)}`
    yield change('security-relaxed', places, `${name} can be called ${way} now`)
  }
  yield* schemeChanges(comparison)
}

/** Scheme -> scopes, all of which are required; an empty map requires no credentials. */
type Alternative = ReadonlyMap<string, readonly string[]>

/** The alternatives, with the scheme names of the new version. */
const alternatives = (
  { context, ...versions }: Comparison<HttpOperation>,
  which: 'before' | 'after',
): readonly Alternative[] => {
  const renamed = renamedSchemes(context.before.http, context.after.http)
  const bundled: JsonObject = context[which].http?.bundled ?? {}
  const written = writtenOperation(context[which], versions[which]).security ?? bundled.security
  const nameIn = (scheme: string) => (which === 'before' ? (renamed.get(scheme) ?? scheme) : scheme)
  const { schemes } = versions[which]
  return alternativesOf(written).flatMap((one) =>
    withOnePerHeader([...one.keys()], schemes).map(
      (names) => new Map(names.map((name) => [nameIn(name), one.get(name) ?? []])),
    ),
  )
}

/** The alternatives in `security`; an empty list is one alternative without credentials. */
export function alternativesOf(security: unknown): readonly Alternative[] {
  const list = objects(security).map(
    (one) =>
      new Map(
        entriesOf(one).map(([scheme, scopes]) => [
          scheme,
          Array.isArray(scopes) ? scopes.map(String) : [],
        ]),
      ),
  )
  return list.length === 0 ? [new Map()] : list
}

/** Security that operations inherit from their document is reported once, at its place there. */
const placesOf = (comparison: Comparison<HttpOperation>) => {
  const { context, before, after } = comparison
  const isOwn = (api: Api, operation: HttpOperation) =>
    writtenOperation(api, operation).security !== undefined
  const { http: was } = context.before
  const { http: is } = context.after
  return !was || !is || isOwn(context.before, before) || isOwn(context.after, after)
    ? both(comparison, 'security')
    : both({ before: was, after: is }, 'security')
}

/** Whether the credentials `offered` meet the alternative `required`. */
const isEnough = (offered: Alternative, required: Alternative) =>
  [...required].every(
    ([scheme, scopes]) =>
      scopes.every((scope) => offered.get(scheme)?.includes(scope)) && offered.has(scheme),
  )

/** Whether two lists of alternatives ask for the same credentials, in any order. */
export const isSameSecurity = (
  before: readonly Alternative[],
  after: readonly Alternative[],
): boolean => {
  const isIn = (one: Alternative, others: readonly Alternative[]) =>
    others.some((other) => isEnough(one, other) && isEnough(other, one))
  return before.every((one) => isIn(one, after)) && after.every((one) => isIn(one, before))
}

/** `apiKey and oauth (read, write)`. */
export const credentialsText = (alternative: Alternative) =>
  [...alternative]
    .map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} (${scopes.join(', ')})`))
    .join(' and ')

/** Schemes that an operation uses in both versions, and that have changed. */
function* schemeChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, context } = comparison
  for (const [scheme, is] of Object.entries(after.schemes)) {
    const was = Object.hasOwn(before.schemes, scheme) ? before.schemes[scheme] : undefined
    if (!was || isDeepStrictEqual(essential(was), essential(is))) continue
    const places = {
      before: context.before.http && schemePlace(context.before.http, scheme),
      after: context.after.http && schemePlace(context.after.http, scheme),
    }
    const message = `the security scheme \`${scheme}\` is ${presented(is)} now, and was ${presented(was)}: the service does not read the old credentials`
    yield change('security-scheme-changed', places, message)
  }
}

/** RFC 9110, 5.1: names of header fields are case-insensitive. */
const essential = (scheme: HttpOperation['schemes'][string]) =>
  scheme.kind === 'key' && scheme.in === 'header'
    ? { ...scheme, parameter: scheme.parameter.toLowerCase() }
    : scheme

const presented = (scheme: HttpOperation['schemes'][string]) =>
  scheme.kind === 'key'
    ? `the ${scheme.in} ${scheme.parameter}`
    : scheme.kind === 'outside'
      ? scheme.type
      : scheme.kind

/** Schemes that are removed or renamed. */
export function* schemeNameChanges(before: Written, after: Written): Generator<Finding> {
  const renamed = renamedSchemes(before, after)
  const is = declared(after)
  for (const name of Object.keys(declared(before))) {
    if (Object.hasOwn(is, name)) continue
    const now = renamed.get(name)
    const places = { before: schemePlace(before, name), after: schemePlace(after, now ?? name) }
    yield now === undefined
      ? change('security-scheme-removed', places, `the security scheme \`${name}\` is removed`)
      : change(
          'security-scheme-renamed',
          places,
          `the security scheme \`${name}\` is named \`${now}\` now: callers send the same credentials`,
        )
  }
}

/** Changes within schemes that both versions declare, of how callers get a token. */
export function* flowChanges(before: Written, after: Written): Generator<Finding> {
  const is = declared(after)
  for (const [name, value] of Object.entries(declared(before))) {
    const [old, young] = [
      dereferenced(before.bundled, value),
      dereferenced(after.bundled, is[name]),
    ]
    if (old.type !== young.type) continue
    const what = `the security scheme \`${name}\``
    const places = (...members: readonly string[]) => ({
      before: schemePlace(before, name, ...members),
      after: schemePlace(after, name, ...members),
    })
    yield* urlChanges(what, SCHEME_URLS, old, young, places)
    const [flows, others] = [asObject(old.flows), asObject(young.flows)]
    for (const kind of new Set([...Object.keys(flows), ...Object.keys(others)])) {
      const at = (...members: readonly string[]) => places('flows', kind, ...members)
      if (!Object.hasOwn(others, kind)) {
        const message = `${what} no longer has the OAuth flow ${kind}: callers who use it get no token`
        yield change('oauth-flow-removed', at(), message)
      } else if (!Object.hasOwn(flows, kind)) {
        yield change('oauth-flow-added', at(), `${what} has the new OAuth flow ${kind}`)
      } else {
        const [flow, other] = [asObject(flows[kind]), asObject(others[kind])]
        const owner = `the OAuth flow ${kind} of ${what}`
        yield* urlChanges(owner, FLOW_URLS, flow, other, at)
        yield* scopeChanges(owner, asObject(flow.scopes), asObject(other.scopes), at)
      }
    }
  }
}

const SCHEME_URLS = ['openIdConnectUrl', 'oauth2MetadataUrl'] as const

const FLOW_URLS = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'] as const

function* urlChanges(
  owner: string,
  keys: readonly string[],
  before: JsonObject,
  after: JsonObject,
  places: (...members: readonly string[]) => Places,
): Generator<Finding> {
  for (const key of keys) {
    if (before[key] === after[key]) continue
    const shown = (value: unknown) => (value === undefined ? 'missing' : String(value))
    const message = `the ${key} of ${owner} is ${shown(after[key])} now, and was ${shown(before[key])}`
    yield change('oauth-url-changed', places(key), message)
  }
}

function* scopeChanges(
  owner: string,
  before: JsonObject,
  after: JsonObject,
  places: (...members: readonly string[]) => Places,
): Generator<Finding> {
  for (const scope of Object.keys(before)) {
    if (Object.hasOwn(after, scope)) continue
    const message = `${owner} no longer has the scope \`${scope}\`: callers get no token with it`
    yield change('oauth-scope-removed', places('scopes', scope), message)
  }
  for (const scope of Object.keys(after)) {
    if (Object.hasOwn(before, scope)) continue
    yield change(
      'oauth-scope-added',
      places('scopes', scope),
      `${owner} has the new scope \`${scope}\``,
    )
  }
}

type Written = HttpDocument | RpcDocument

/**
 * Old name -> new name of schemes that are equal except for the name. Of several equal schemes none is matched,
 * because they may differ in use: bearer tokens of users and of administrators.
 */
function renamedSchemes(
  before: Written | undefined,
  after: Written | undefined,
): ReadonlyMap<string, string> {
  const [was, is] = [essences(before), essences(after)]
  const gone = [...was.keys()].filter((name) => !is.has(name))
  const added = [...is.keys()].filter((name) => !was.has(name))
  const isSame = (one: string, other: string) => isDeepStrictEqual(was.get(one), is.get(other))
  return new Map(
    gone.flatMap((name) => {
      const [match, ...others] = added.filter((one) => isSame(name, one))
      if (match === undefined || others.length > 0) return []
      return gone.filter((one) => isSame(one, match)).length === 1 ? [[name, match] as const] : []
    }),
  )
}

/** The place of a scheme, which may be in another file than the operations. */
const schemePlace = (document: Written, name: string, ...members: readonly string[]): Location => {
  const scheme = declared(document)[name]
  return isObject(scheme)
    ? document.sourceOf(scheme).locate(...members)
    : document.source.locate('components', 'securitySchemes', name, ...members)
}

const declared = (document: Written | undefined): JsonObject =>
  asObject(asObject(document?.bundled.components).securitySchemes)

/** The members of each scheme that affect callers; names of headers and schemes are case-insensitive (RFC 9110, 5.1 and 11.1). */
const essences = (document: Written | undefined) =>
  new Map(
    entriesOf(declared(document)).map(([name, value]) => [
      name,
      essence(dereferenced(document?.bundled ?? {}, value)),
    ]),
  )

const essence = ({ type, scheme, name, in: place, flows, ...others }: JsonObject) => ({
  type,
  place,
  urls: SCHEME_URLS.map((key) => others[key]),
  scheme: lowered(scheme),
  name: place === 'header' ? lowered(name) : name,
  flows: new Map(
    entriesOf(asObject(flows)).map(([kind, value]) => {
      const flow = asObject(value)
      const scopes = new Set(Object.keys(asObject(flow.scopes)))
      return [kind, { urls: FLOW_URLS.map((key) => flow[key]), scopes }]
    }),
  ),
})

const lowered = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
