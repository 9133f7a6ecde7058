import type { Api, HttpOperation } from '../../model/api.js'
import { escapePattern } from '../../runtime/ground/spelling.js'
import { fillTemplate, templateNames } from '../../runtime/ground/template.js'
import { headerSecrets } from '../../runtime/ground/written-secrets.js'
import type { Server } from '../../runtime/operation.js'
import { readExchange } from '../answers/read.js'
import type { Sent } from '../exchange.js'
import type { Target } from '../target.js'

/**
 * Where a recorded request went, told by its path alone: the host may be any. Of its secrets the keys must stand in no
 * answer; cookies and the like may, and are shown in no report.
 */
export const addressOf = (api: Api, sent: Sent): Address | undefined => {
  for (const target of candidates(api, sent.url)) {
    const reading = readExchange(api, target, { sent, answer: undefined, failure: undefined })
    if (reading.kind === 'other') continue
    const operation = reading.kind === 'http' ? reading.operation : undefined
    const keys = [...target.secrets, ...(operation ? operationKeys(operation, target, sent) : [])]
    const headers = Object.entries(sent.headers)
    const given = headerSecrets(headers.filter(([name]) => /authorization$/i.test(name)))
    const secrets = [...new Set([...keys, ...given])].filter((one) => one !== '')
    const hidden = [...new Set([...secrets, ...headerSecrets(headers), ...userInfo(sent.url)])]
    return { target: { ...target, secrets }, hidden: hidden.filter((one) => one !== '') }
  }
  return undefined
}

export type Address = { readonly target: Target; readonly hidden: readonly string[] }

/** What stands for the address of JSON-RPC where none was recorded: the reserved name belongs to nobody (RFC 2606). */
export const NOWHERE = 'http://recorded.invalid'

function* candidates(api: Api, url: string): Generator<Target> {
  const none = {
    http: undefined,
    rpc: undefined,
    rpcWithKey: undefined,
    key: undefined,
    secrets: [],
  }
  if (url === NOWHERE) {
    if (api.rpc) yield { ...none, rpc: NOWHERE }
    return
  }
  for (const server of api.rpc?.servers ?? []) {
    const found = within(server, url, '/*(?=[?#]|$)')
    if (found) yield { ...none, rpc: found.base, secrets: found.secrets }
  }
  const own = api.operations.flatMap((one) => (one.kind === 'http' ? one.servers : []))
  const servers = [...(api.http?.servers ?? []), ...own]
  for (const server of [...servers, ROOT]) {
    const found = within(server, url, '(?=/|$)')
    if (found) yield { ...none, http: found.base, secrets: found.secrets }
  }
}

/** What OpenAPI takes where a document names no server. */
const ROOT: Server = { name: '', url: '/', variables: {} }

const within = (
  { url: declared, variables }: Server,
  url: string,
  end: string,
): { readonly base: string; readonly secrets: readonly string[] } | undefined => {
  const path = declared
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*|^\{[^{}]+\}/i, '')
    .replace(/\/+$/, '')
  const names = templateNames(path)
  const marked = fillTemplate(path, () => '\u0000')
  const pattern = escapePattern(marked).replaceAll('\u0000', '([^/?#]+)')
  const [, base, ...values] = new RegExp(`^(https?://[^/?#]*${pattern})${end}`, 'i').exec(url) ?? []
  if (base === undefined) return undefined
  const secrets = names.flatMap((name, index) => {
    const { secret, default: usual } = variables[name] ?? {}
    const value = decoded(values[index] ?? '')
    return secret === true && value !== usual ? [value] : []
  })
  return { base, secrets }
}

/** What an operation says is a key, wherever in the request it stands. */
const operationKeys = (
  { path, parameters, schemes }: HttpOperation,
  { http = '' }: Target,
  { url, headers }: Sent,
): readonly string[] => {
  const names = templateNames(path)
  const pattern = escapePattern(fillTemplate(path, () => '\u0000')).replaceAll(
    '\u0000',
    '([^/?#]+)',
  )
  const [, ...segments] = new RegExp(`^${pattern}`).exec(url.slice(http.length)) ?? []
  const query = new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*$/, ''))
  const read = (place: string, name: string): readonly string[] => {
    if (place === 'path') return [decoded(segments[names.indexOf(name)] ?? '')]
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

const userInfo = (url: string): readonly string[] => {
  const [, pair = ''] = /^[a-z]+:\/\/([^/?#@]+)@/i.exec(url) ?? []
  return [pair, pair.slice(pair.indexOf(':') + 1)]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
