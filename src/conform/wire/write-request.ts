import type { HttpOperation } from '../../model/api.js'
import { itemsText } from '../../model/streams.js'
import { authorize } from '../../runtime/http/security.js'
import { codecNamed, codecOf, isImported, type ValueCodecs } from '../../runtime/shared/codecs.js'
import { essence } from '../../runtime/shared/media-type.js'
import { fillTemplate } from '../../runtime/shared/template.js'
import { concreteOf } from '../../runtime/wire/content.js'
import { serializeParameter } from '../../runtime/wire/serialize.js'
import { formParts, listParts, writeBody } from '../../runtime/wire/write-body.js'
import { type Part, writePieces } from '../../runtime/wire/write-multipart.js'
import type { Sent } from '../../traffic/exchange.js'
import { baseFor } from '../../traffic/route.js'
import type { Target } from '../target.js'

/** Values for an operation, valid or not: nothing is validated, because the server must do that. */
export type HttpValues = {
  /** `path.id`, `query.limit` -> value; secret parameters get the key. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly body?: { readonly type: string; readonly value: unknown } | undefined
}

/** The request of an operation with these values; undefined if a value of the path is missing, such as the key. */
export const writeHttp = (
  operation: HttpOperation,
  { parameters = {}, body }: HttpValues,
  target: Target,
): Sent | undefined => {
  const { key } = target
  const base = baseFor(target, operation)
  if (base === undefined) return undefined
  // Credentials of one gateway are not sent to another host.
  const isThere = target.http !== undefined && new URL(base).host === new URL(target.http).host
  const user = isThere ? target.authorization?.http : undefined
  const texts = operation.parameters.flatMap((parameter) => {
    const id = `${parameter.in}.${parameter.name}`
    const supplied = Object.hasOwn(parameters, id) ? parameters[id] : undefined
    const value = supplied ?? (parameter.secret === true ? key : undefined)
    const text = serializeParameter(parameter, value)
    return text === undefined ? [] : [{ parameter, text }]
  })
  const of = (place: string) => texts.filter(({ parameter }) => parameter.in === place)
  let isWhole = true
  const path = fillTemplate(operation.path, (name) => {
    const text = of('path').find(({ parameter }) => parameter.name === name)?.text
    if (text === undefined) isWhole = false
    return text ?? ''
  })
  const credentials = Object.fromEntries(
    Object.entries(operation.schemes).flatMap(([name, { kind }]) => {
      const secret = kind === 'basic' && user !== undefined ? decodedUser(user) : key
      if (secret === undefined) return []
      return [[name, kind === 'basic' ? basicOf(secret) : secret] as const]
    }),
  )
  const authorization = authorize(operation, credentials)
  if (!isWhole || authorization.faults.length > 0) return undefined
  const query = [...of('query').map(({ text }) => text), ...authorization.query].join('&')
  const cookies = [...of('cookie').map(({ text }) => text), ...authorization.cookies]
  const supplied = of('header').map(({ parameter, text }) => [parameter.name, text] as const)
  const own = authorization.headers
  const isFree = ![...supplied.map(([name]) => name), ...Object.keys(own)].some(isAuthorization)
  const written = body === undefined ? undefined : bodyOf(operation, body, target.codecs)
  return {
    method: operation.method,
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: '*/*',
      ...(user === undefined || !isFree ? {} : { authorization: user }),
      ...(body === undefined ? {} : { 'content-type': typeOf(body) }),
      ...Object.fromEntries(supplied),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...own,
    },
    ...(written === undefined ? {} : { body: written }),
  }
}

/** `name:password` (RFC 7617); a key without a colon is the name. */
const basicOf = (pair: string): { readonly username: string; readonly password: string } => {
  const [username = '', ...password] = pair.split(':')
  return { username, password: password.join(':') }
}

const decodedUser = (authorization: string): string =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()

const isAuthorization = (name: string): boolean => /^authorization$/i.test(name)

type Body = NonNullable<HttpValues['body']>

/** The body on the wire: JSON, a form for an object, and any other text unchanged. */
const bodyOf = (
  { body: declared }: HttpOperation,
  body: Body,
  codecs: ValueCodecs = {},
): string | Uint8Array => {
  const { value } = body
  const type = sentType(body)
  const codec = codecOf(type)
  if (isImported(codec)) return codecNamed(codec, codecs).encode(value)
  if (typeof value === 'string' && codec !== 'json') return value
  const media = declared?.content.find((one) => one.type === body.type)
  const items = media && itemsText(media, value, JSON.stringify)
  if (items !== undefined) return items
  const encoding = media?.encoding ?? {}
  if (isMultipart(body))
    return multipartBytes(
      Array.isArray(value) ? listParts(value, encoding) : formParts(value, encoding),
    )
  if (codec !== 'form') return JSON.stringify(value)
  return String(writeBody(value, { type, codec, encoding }).body)
}

/** Whether a body has fields, or a list of parts without names. A text is already an encoded body with its boundary. */
const isMultipart = ({ type, value }: Body): boolean => {
  const codec = codecOf(type)
  if (codec === 'multipart') return typeof value === 'object' && value !== null
  return codec === 'parts' && Array.isArray(value)
}

const typeOf = (body: Body): string =>
  isMultipart(body) ? `${essence(body.type)}; boundary=${BOUNDARY}` : sentType(body)

/** A range is no media type of a body. */
const sentType = ({ type, value }: Body): string => concreteOf(type, value) ?? type

/** Constant, so that a run with the same seed sends the same bytes. */
export const BOUNDARY = 'twinspec-conform-7d3f'

const multipartBytes = (parts: readonly Part[]): Uint8Array => {
  const pieces = writePieces(parts, BOUNDARY)
  return Buffer.concat(
    pieces.map((one) => (one instanceof Uint8Array ? one : Buffer.from(`${one}`))),
  )
}

/** A POST of a text, which need be neither JSON nor JSON-RPC. */
export const postRpc = (
  { rpc, authorization: { rpc: authorization } = NONE }: Target,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Sent => ({
  method: 'POST',
  url: rpc ?? '',
  headers: {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...headers,
  },
  body,
})

const NONE = { http: undefined, rpc: undefined }

/** The text of a call. `id` is JSON text, so that any id can be sent; null makes a notification. */
export const callText = (method: string, params?: unknown, id: string | null = '1'): string => {
  const members = [
    '"jsonrpc":"2.0"',
    `"method":${JSON.stringify(method)}`,
    ...(params === undefined ? [] : [`"params":${JSON.stringify(params)}`]),
    ...(id === null ? [] : [`"id":${id}`]),
  ]
  return `{${members.join(',')}}`
}
