import type { Api, HttpOperation } from '../model/api.js'
import { headerSecrets, isSecretName, urlSecrets } from '../runtime/shared/written-secrets.js'
import { splitUrl } from '../runtime/wire/routes.js'
import { addressesFor } from '../traffic/address.js'
import type { Sent } from '../traffic/exchange.js'
import { type PathTexts, routeOf } from '../traffic/route.js'
import { decoded, type Target } from './target.js'

/**
 * The target of a recorded request, by its path alone: the host may be any. No response may contain the keys of the request. It
 * may contain other secrets such as cookies; reports redact them.
 */
export const recordedTarget = (api: Api, sent: Sent): RequestTarget | undefined => {
  for (const address of addressesFor(api, sent.url)) {
    const route = routeOf(api, address, sent)
    if (route === undefined) continue
    const operation = route.operation === 'rpc' ? undefined : route.operation
    const keys = [...address.secrets, ...(operation ? keysIn(operation, route.path, sent) : [])]
    const headers = Object.entries(sent.headers)
    const headerKeys = headerSecrets(headers.filter(([name]) => /authorization$/i.test(name)))
    const secrets = [...new Set([...keys, ...headerKeys])].filter((one) => one !== '')
    const written = [...headerSecrets(headers), ...querySecrets(operation, sent.url)]
    const hidden = [...new Set([...secrets, ...written, ...userSecrets(sent.url)])]
    return {
      target: { ...NO_TARGET, ...address, secrets },
      hidden: hidden.filter((one) => one !== ''),
    }
  }
  return undefined
}

export type RequestTarget = { readonly target: Target; readonly hidden: readonly string[] }

export const NO_TARGET = { http: undefined, rpc: undefined, rpcWithKey: undefined, key: undefined }

/** The values of all declared keys, anywhere in the request. */
const keysIn = (
  { parameters, schemes }: HttpOperation,
  path: PathTexts,
  { url, headers }: Sent,
): readonly string[] => {
  const query = queryOf(url)
  const read = (place: string, name: string): readonly string[] => {
    if (place === 'path') return [decoded(path[name] ?? '')]
    if (place === 'query') return query.getAll(name)
    return Object.entries(headers).flatMap(([one, value]) =>
      place === 'header' && one.toLowerCase() === name.toLowerCase() ? [value] : [],
    )
  }
  const keys = Object.values(schemes).flatMap((one) =>
    one.kind === 'key' ? read(one.in, one.parameter) : [],
  )
  return [
    ...parameters.flatMap((one) => (one.secret === true ? read(one.in, one.name) : [])),
    ...keys,
  ]
}

/**
 * Values of a query that are keys by their names or lengths, although no document declares them: `?access_token=…`. Declared
 * parameters are excluded.
 */
const querySecrets = (operation: HttpOperation | undefined, url: string): readonly string[] => {
  const declared = new Set(
    operation?.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  )
  return [...queryOf(url)].flatMap(([name, value]) =>
    !declared.has(name) && value.length >= (isSecretName(name) ? SHORT : LONG) ? [value] : [],
  )
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(splitUrl(url)[1])

/**
 * Characters: the length from which `urlSecrets` takes a value for a key. It would also match a long word of a documented path.
 */
const LONG = 16
/** A shorter value is part of many other texts of a report. */
const SHORT = 6

const userSecrets = (url: string): readonly string[] =>
  urlSecrets(/^[^/?#]*\/\/[^/?#]*/.exec(url)?.[0] ?? '', [], [])
