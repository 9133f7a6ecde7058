import type { Api } from '../model/api.js'
import { isObject } from '../model/json.js'
import { memberName } from '../text/escape.js'
import { code, commented, doc, type File, file, join, literal } from './file.js'

/**
 * `oauth2.ts`: the addresses of the OAuth 2.0 flows for programs (RFC 6749, 4.4 and 6), by the name of the security scheme;
 * undefined if the document has none. Flows with a user need a page of the server, which no client opens.
 */
export function emitOauth2({ http }: Api): File | undefined {
  const components = http?.bundled.components
  const schemes =
    isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {}
  const rows = Object.entries(schemes).flatMap(([name, scheme]) => {
    if (!isObject(scheme) || scheme.type !== 'oauth2' || !isObject(scheme.flows)) return []
    const { clientCredentials, ...others } = scheme.flows
    const own = isObject(clientCredentials)
      ? [row('clientCredentials', clientCredentials, 'tokenUrl')]
      : []
    // A program with a secret gets no refresh token (RFC 6749, 4.4.3).
    const flows = Object.values(others).filter(isObject)
    const refreshing =
      flows.find(({ refreshUrl }) => refreshUrl) ?? flows.find(({ tokenUrl }) => tokenUrl)
    const again = refreshing ? [row('refreshToken', refreshing, 'refreshUrl')] : []
    const members = [...own, ...again].flat()
    if (members.length === 0) return []
    return [code`${memberName(name)}: {\n  ${join(members)}\n},`]
  })
  if (rows.length === 0) return undefined
  const comment = doc(
    'The flows of OAuth 2.0, for `clientCredentials` and `refreshToken` of `twinspec/runtime/oauth`.',
  )
  return file(
    'oauth2.ts',
    commented(comment, code`export const oauth2 = {\n  ${join(rows)}\n} as const`),
  )
}

/** The options of one grant. Its comment has the scopes. */
const row = (name: string, flow: Readonly<Record<string, unknown>>, address: string) => {
  const tokenUrl = flow[address] ?? flow.tokenUrl
  if (typeof tokenUrl !== 'string') return []
  const scopes = isObject(flow.scopes) ? Object.entries(flow.scopes) : []
  const lines = scopes.map(([scope, text]) => `- \`${scope}\`: ${text}`)
  const comment = doc(lines.length > 0 ? ['Scopes:', ...lines].join('\n') : undefined)
  return [commented(comment, code`${name}: { tokenUrl: ${literal(tokenUrl)} },`)]
}
