import { isDeepStrictEqual } from 'node:util'
import type { HttpDocument, JsonObject, RpcDocument } from '../../model/api.js'
import type { Finding } from '../../model/finding.js'
import { entriesOf } from '../../model/json.js'
import { change } from './change.js'
import { asObject } from './written.js'

/** Schemes that are declared no more, and those that are under another name. */
export function* schemeNameChanges(before: Written, after: Written): Generator<Finding> {
  const renamed = renamedSchemes(before, after)
  const is = declared(after)
  for (const name of Object.keys(declared(before))) {
    if (Object.hasOwn(is, name)) continue
    const now = renamed.get(name)
    const place = (document: Written, key: string) =>
      document.source.locate('components', 'securitySchemes', key)
    const places = { before: place(before, name), after: place(after, now ?? name) }
    yield now === undefined
      ? change('security-scheme-removed', places, `the security scheme ${name} is gone`)
      : change(
          'security-scheme-renamed',
          places,
          `the security scheme ${name} is called ${now}: what callers present is the same`,
        )
  }
}

type Written = HttpDocument | RpcDocument

/**
 * Old name -> new one, of schemes that are the same but for the name. Of two that are alike nobody
 * can tell which is which: tokens of users and of administrators may both be bearer's.
 */
export function renamedSchemes(
  before: Written | undefined,
  after: Written | undefined,
): ReadonlyMap<string, string> {
  const [was, is] = [declared(before), declared(after)]
  const gone = Object.keys(was).filter((name) => !Object.hasOwn(is, name))
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name))
  const isSame = (one: string, other: string) =>
    isDeepStrictEqual(essence(was[one]), essence(is[other]))
  return new Map(
    gone.flatMap((name) => {
      const [twin, ...others] = added.filter((one) => isSame(name, one))
      if (twin === undefined || others.length > 0) return []
      return gone.filter((one) => isSame(one, twin)).length === 1 ? [[name, twin] as const] : []
    }),
  )
}

const declared = (document: Written | undefined): JsonObject =>
  asObject(asObject(document?.bundled.components).securitySchemes)

/** What callers have to know of a scheme; names of headers and of HTTP schemes know no case (RFC 9110, 5.1 and 11.1). */
const essence = (value: unknown) => {
  const { type, scheme, name, in: place, flows, openIdConnectUrl } = asObject(value)
  return {
    ...{ type, place, openIdConnectUrl },
    scheme: lowered(scheme),
    name: place === 'header' ? lowered(name) : name,
    flows: entriesOf(asObject(flows)).map(([kind, flow]) => {
      const { authorizationUrl, tokenUrl, refreshUrl, scopes } = asObject(flow)
      const names = Object.keys(asObject(scopes)).sort()
      return { kind, authorizationUrl, tokenUrl, refreshUrl, names }
    }),
  }
}

const lowered = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
