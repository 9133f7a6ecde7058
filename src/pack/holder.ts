import type { Api } from '../model/api.js'
import type { JsonObject } from '../runtime/validate/json-value.js'

/** `info` of the first document. */
export const infoOf = ({ http, rpc }: Api): Info =>
  ((http ?? rpc)?.bundled as { readonly info?: Info } | undefined)?.info ?? {}

type Info = { readonly license?: JsonObject; readonly contact?: JsonObject }

/** Who holds the rights of a package: the contact of its document, else its authors. */
export const copyrightHolder = (api: Api, name: string): string => {
  const { contact } = infoOf(api)
  return typeof contact?.name === 'string' ? contact.name : `the authors of ${name}`
}
