import type { Api } from '../../model/api.js'
import { authOf, httpSecrets, rpcSecrets, serverOf } from './place.js'
import { importing, section, snippet } from './section.js'

/** Where credentials go; nothing where the documents know none. */
export const keys = (
  api: Api,
  name: string,
  has: (entry: string) => boolean,
): readonly string[] => {
  const http = has('./http')
    ? authOf(httpSecrets(api.operations.filter((one) => one.kind === 'http')))
    : undefined
  const rpc = has('./rpc') ? authOf(rpcSecrets(api, 'all')) : undefined
  if (http === undefined && rpc === undefined) return []
  const lines = [
    ...(http === undefined ? [] : [importing('createHttpClient', `${name}/http`)]),
    ...(rpc === undefined ? [] : [importing('createRpcClient', `${name}/rpc`)]),
    '',
    ...(http === undefined
      ? []
      : [
          `export const http = createHttpClient({ server: ${serverOf(api, 'http')}, auth: ${http} })`,
        ]),
    ...(rpc === undefined
      ? []
      : [`export const rpc = createRpcClient({ server: ${serverOf(api, 'rpc')}, auth: ${rpc} })`]),
  ]
  return [
    section(
      'Where a key goes',
      'Into `auth`, by the name that the documents have for it, as it is or as a function that gives it (asked anew for each call). No error shows it. Who needs none leaves it out.',
      snippet(...lines),
    ),
  ]
}
