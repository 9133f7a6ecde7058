import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, JsonObject } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { entriesOf } from '../model/json.js'
import { objects } from '../model/reading.js'
import { change } from './change.js'
import { both, type Comparison } from './comparison.js'
import { renamedSchemes } from './security-schemes.js'
import { writtenOperation } from './written.js'

/** Whom an operation lets in: whatever was enough before must be enough after. */
export function* securityChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { name } = comparison
  const [was, is] = [alternatives(comparison, 'before'), alternatives(comparison, 'after')]
  const places = placesOf(comparison)
  for (const one of was) {
    if (is.some((other) => isEnough(one, other))) continue
    if (one.size === 0) {
      const ways = is.map(said).join(' or ')
      const message = `${name} needs ${ways} now; it needed no credentials: callers without them are rejected`
      yield change('security-became-required', places, message)
      continue
    }
    const sameSchemes = is.find((other) => [...other.keys()].every((key) => one.has(key)))
    if (sameSchemes) {
      const message = `${name} needs ${said(sameSchemes)} now; ${said(one)} was enough: existing tokens are rejected`
      yield change('security-scope-added', places, message)
    } else {
      const message = `${name} no longer accepts ${said(one)}: callers with no other credentials are rejected`
      yield change('security-alternative-removed', places, message)
    }
  }
  const added = is.find((one) => !was.some((other) => isEnough(one, other)))
  if (added) {
    const way = added.size === 0 ? 'without credentials' : `with ${said(added)}`
    yield change('security-relaxed', places, `${name} can be called ${way} now`)
  }
  yield* schemeChanges(comparison)
}

/** Scheme -> scopes, all of which must be met; no scheme is nobody kept out. */
type Alternative = ReadonlyMap<string, readonly string[]>

/** By the names of the version after. */
const alternatives = (
  { context, ...versions }: Comparison<HttpOperation>,
  which: 'before' | 'after',
): readonly Alternative[] => {
  const renamed = renamedSchemes(context.before.http, context.after.http)
  const bundled: JsonObject = context[which].http?.bundled ?? {}
  const written = writtenOperation(context[which], versions[which]).security ?? bundled.security
  const nameIn = (scheme: string) => (which === 'before' ? (renamed.get(scheme) ?? scheme) : scheme)
  return alternativesOf(written, nameIn)
}

/** What `security` lists; nothing is one alternative without credentials. */
export function alternativesOf(
  security: unknown,
  nameOf: (scheme: string) => string = (scheme) => scheme,
): readonly Alternative[] {
  const list = objects(security).map(
    (one) =>
      new Map(
        entriesOf(one).map(([scheme, scopes]) => [
          nameOf(scheme),
          Array.isArray(scopes) ? scopes.map(String) : [],
        ]),
      ),
  )
  return list.length === 0 ? [new Map()] : list
}

/** What operations have from their document is reported once, at its place there. */
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

/** Whether who presents `given` meets `asked`. */
const isEnough = (given: Alternative, asked: Alternative) =>
  [...asked].every(
    ([scheme, scopes]) =>
      scopes.every((scope) => given.get(scheme)?.includes(scope)) && given.has(scheme),
  )

/** `apiKey and oauth (read, write)`. */
export const said = (alternative: Alternative) =>
  [...alternative]
    .map(([scheme, scopes]) => (scopes.length === 0 ? scheme : `${scheme} (${scopes.join(', ')})`))
    .join(' and ')

/** Schemes that both versions of an operation name, and that are no longer the same. */
function* schemeChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, context } = comparison
  for (const [scheme, is] of Object.entries(after.schemes)) {
    const was = before.schemes[scheme]
    if (!was || isDeepStrictEqual(was, is)) continue
    const members = ['components', 'securitySchemes', scheme]
    const places = {
      before: context.before.http?.source.locate(...members),
      after: context.after.http?.source.locate(...members),
    }
    const message = `the security scheme \`${scheme}\` is ${presented(is)} now, and was ${presented(was)}: the service does not read the old credentials`
    yield change('security-scheme-changed', places, message)
  }
}

const presented = (scheme: HttpOperation['schemes'][string]) =>
  scheme.kind === 'key'
    ? `the ${scheme.in} ${scheme.parameter}`
    : scheme.kind === 'outside'
      ? scheme.type
      : scheme.kind
