import type { Api } from '../model/api.js'
import { type Html, html } from './html.js'

/** What a caller may prove who it is by, and where each goes. */
export function credentials(api: Api): readonly Credential[] {
  const found = new Map<string, Credential>()
  const add = (name: string, key: string, where: Html) => {
    if (!found.has(`${name} ${key}`)) found.set(`${name} ${key}`, { name, where })
  }
  for (const operation of api.operations) {
    if (operation.kind !== 'http') continue
    for (const { name, in: place, secret } of operation.parameters)
      if (secret && place === 'path')
        add(name, operation.path, html`in the path, <code>${operation.path}</code>`)
      else if (secret) add(name, place, html`in the ${place} of HTTP requests`)
    for (const [name, scheme] of Object.entries(operation.schemes))
      switch (scheme.kind) {
        case 'key':
          add(name, 'scheme', html`in the ${scheme.in}, as <code>${scheme.parameter}</code>`)
          break
        case 'basic':
          add(name, 'scheme', html`user and password, in <code>Authorization: Basic …</code>`)
          break
        case 'bearer':
          add(name, 'scheme', html`a token, in <code>Authorization: Bearer …</code>`)
          break
        case 'outside':
          add(name, 'scheme', html`${scheme.type}, which no field of a request carries`)
      }
  }
  for (const document of [api.http, api.rpc])
    for (const { url, variables } of document?.servers ?? [])
      for (const [name, { secret }] of Object.entries(variables))
        if (secret) {
          const protocol = document?.kind === 'http' ? 'HTTP' : 'JSON-RPC'
          add(name, url, html`in the address of ${protocol}, <code>${url}</code>`)
        }
  return [...found.values()]
}

type Credential = { readonly name: string; readonly where: Html }
