import { markdownCode, markdownText } from '../text/escape.js'
import type { Api, Operation } from './api.js'

/** The credentials of an Api and the place of each in a request, as Markdown. */
export function credentialsOf(api: Api): readonly Credential[] {
  const found = new Map<string, Credential>()
  const add = (name: string, key: string, where: string) => {
    if (!found.has(`${name} ${key}`)) found.set(`${name} ${key}`, { name, where })
  }
  for (const operation of api.operations) {
    if (operation.kind !== 'http') continue
    for (const { name, in: place, secret } of operation.parameters)
      if (secret && place === 'path')
        add(name, operation.path, `in the path, ${markdownCode(operation.path)}`)
      else if (secret) add(name, place, `in the ${place} of HTTP requests`)
    for (const [name, scheme] of Object.entries(operation.schemes))
      switch (scheme.kind) {
        case 'key':
          add(name, 'scheme', `in the ${scheme.in}, as ${markdownCode(scheme.parameter)}`)
          break
        case 'basic':
          add(name, 'scheme', 'user and password, in `Authorization: Basic …`')
          break
        case 'bearer':
          add(name, 'scheme', 'a token, in `Authorization: Bearer …`')
          break
        case 'outside':
          add(
            name,
            'scheme',
            `${markdownText(scheme.type)}, which is not sent in a field of the request`,
          )
      }
  }
  for (const document of [api.http, api.rpc])
    for (const { url, variables } of document?.servers ?? [])
      for (const [name, { secret }] of Object.entries(variables))
        if (secret) {
          const protocol = document?.kind === 'http' ? 'HTTP' : 'JSON-RPC'
          add(name, url, `in the URL of ${protocol}, ${markdownCode(url)}`)
        }
  return [...found.values()]
}

type Credential = { readonly name: string; readonly where: string }

/** The alternative security schemes of an operation; an empty alternative makes them optional. Undefined without schemes. */
export const securityWords = (operation: Operation): string | undefined => {
  if (operation.kind === 'rpc') return undefined
  const schemes = operation.security.map((all) => all.join(' and ')).filter((one) => one !== '')
  if (schemes.length === 0) return undefined
  return `${needsNoCredential(operation) ? 'optional: ' : 'needs '}${schemes.join(', or ')}`
}

/** Whether the document requires no security scheme for an operation. */
export const needsNoCredential = (operation: Operation): boolean =>
  operation.kind === 'rpc' ||
  operation.security.length === 0 ||
  operation.security.some((all) => all.length === 0)
