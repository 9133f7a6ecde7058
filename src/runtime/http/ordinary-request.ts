import { chooseServer } from '../shared/choose-server.js'
import { isJson } from '../shared/json-type.js'
import { isPlainJson, isScalar } from '../shared/plain-json.js'
import { encodeStrictly } from '../shared/spelling.js'
import type { CallOptions } from './call.js'
import type { AnyInput } from './request.js'
import { type CallContext, isChecked, type Located, serversOf } from './send.js'

/**
 * The request of an input that fits and holds nothing unusual: scalars in path and query, JSON, to an address that stands in the
 * document or was given. Undefined for any other, which `writeRequest` writes or refuses; what both write is the same.
 */
export const ordinaryRequest = (
  context: CallContext,
  input: AnyInput,
  options: CallOptions,
): Located | undefined => {
  const { operation, service, validators, options: client } = context
  const { body: declared, variants, sameAs, security } = operation
  if (variants || sameAs || security.length > 0 || input.contentType) return undefined
  const checks = isChecked(context, options, 'input')
  const path: Record<string, string> = {}
  const query: string[] = []
  const headers: Record<string, string> = { accept: context.accept }
  try {
    const { url } = chooseServer(serversOf(context), client.server?.toString())
    if (url.includes('{')) return undefined
    for (const [name, value] of Object.entries({ ...client.headers, ...options.headers })) {
      // openapi-fetch leaves out what is null.
      if (typeof value !== 'string') return undefined
      headers[name.toLowerCase()] = value
    }
    const unknown = new Set(
      PLACES.flatMap((place) => Object.keys(input[place] ?? {}).map((name) => `${place}.${name}`)),
    )
    for (const parameter of operation.parameters) {
      const { name, in: place } = parameter
      const key = `${place}.${name}`
      const value = input[place]?.[name] ?? undefined
      unknown.delete(key)
      if (value === undefined && !parameter.required && !parameter.secret) continue
      const isSimple = parameter.style === STYLES[place] && !parameter.mediaType
      if (!isSimple || parameter.allowReserved || !isScalar(value)) return undefined
      if (checks && validators?.parameters?.[key]?.check(value) === false) return undefined
      const text = encodeStrictly(String(value))
      if (place === 'query') query.push(`${encodeStrictly(name)}=${text}`)
      // Segments of dots alone would reach another operation.
      else if (/^\.{0,2}$/.test(text)) return undefined
      else path[name] = text
    }
    if (checks && unknown.size > 0) return undefined
    const { body } = input
    let text: string | undefined
    if (body === undefined && declared?.required) return undefined
    if (body !== undefined) {
      const json = declared?.mediaTypes.find(isJson)
      if (!json || !isPlainJson(body)) return undefined
      if (checks && validators?.request?.check(body) === false) return undefined
      text = JSON.stringify(body)
      const most = operation.limits?.payloadBytes ?? service.limits.payloadBytes
      // A character takes three bytes at most.
      if (most !== undefined && text.length * 3 > most) return undefined
      headers['content-type'] = json
    }
    const request = { path, query: query.join('&'), headers, body: text, variant: undefined }
    return { baseUrl: url.replace(/\/+$/, ''), request }
  } catch {
    // It is told by the careful way, which comes to the same.
    return undefined
  }
}

const PLACES = ['path', 'query', 'header', 'cookie'] as const

const STYLES: Readonly<Record<string, string>> = { path: 'simple', query: 'form' }
