import { isObject } from '../runtime/validate/json-value.js'
import type { HeaderPairs } from '../runtime/wire/headers.js'
import { NO_HOST, type Recording, recordingOf } from './recording.js'

/**
 * Reads the requests in `resourceSpans` of OpenTelemetry (OTLP/JSON, one line of a file): server spans with attributes of HTTP
 * or RPC. Client spans are ignored, because the server has a span of the same request. Spans have no bodies.
 */
export const readSpans = (
  file: string,
  line: number,
  resources: readonly unknown[],
): readonly Recording[] =>
  resources
    .flatMap((one) => listIn(one, 'scopeSpans'))
    .flatMap((one) => listIn(one, 'spans'))
    .flatMap((span) => {
      const recording = isObject(span) ? readSpan(file, line, span) : undefined
      return recording ? [recording] : []
    })

type Json = Readonly<Record<string, unknown>>

const readSpan = (file: string, line: number, span: Json): Recording | undefined => {
  if (!SERVER.has(span.kind)) return undefined
  const attributes = attributesOf(span.attributes)
  // The second name is from the conventions before 1.21.
  const read = (...names: readonly string[]) =>
    names.map((name) => attributes.get(name)).find((one) => one !== undefined)
  const method = read('http.request.method', 'http.method')
  const called = read('rpc.method')
  const isRpc =
    called !== undefined && /^jsonrpc$/i.test(read('rpc.system.name', 'rpc.system') ?? '')
  if (method === undefined && !isRpc) return undefined
  const query = read('url.query')
  const path = read('url.path', 'http.target')
  const url =
    read('url.full', 'http.url') ??
    (path === undefined ? undefined : `${NO_HOST}${path}${query ? `?${query}` : ''}`)
  if (!isRpc && url === undefined) return undefined
  const agent = read('user_agent.original', 'http.user_agent')
  const headers: HeaderPairs = [
    ...(agent === undefined ? [] : [['user-agent', agent] as const]),
    ...[...attributes].flatMap(([name, value]) =>
      name.startsWith(HEADER) ? [[name.slice(HEADER.length), value] as const] : [],
    ),
  ]
  const status = Number(read('http.response.status_code', 'http.status_code'))
  const code = Number(read('rpc.jsonrpc.error_code', 'rpc.response.status_code') ?? Number.NaN)
  const nanoseconds = Number(textOf(span.startTimeUnixNano))
  const none = { wire: () => undefined, json: () => undefined }
  const recording = recordingOf(
    { file, line, time: nanoseconds > 0 ? nanoseconds / 1e6 : undefined },
    {
      method: (method ?? 'POST').toUpperCase(),
      url,
      headers,
      hasBody: undefined,
      lacksHeaders: true,
      ...none,
    },
    Number.isInteger(status) ? { status, headers: [], lacksHeaders: true, ...none } : undefined,
  )
  if (!isRpc) return recording
  const call = { method: called, code: Number.isInteger(code) ? code : undefined }
  return { ...recording, facts: { ...recording.facts, call } }
}

/** `SPAN_KIND_SERVER`, by its number and by its name. */
const SERVER: ReadonlySet<unknown> = new Set([2, '2', 'SPAN_KIND_SERVER'])

const HEADER = 'http.request.header.'

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}

/** A text, or a number as text; undefined for any other value. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const attributesOf = (list: unknown): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const one of Array.isArray(list) ? list : []) {
    if (!isObject(one) || typeof one.key !== 'string' || !isObject(one.value)) continue
    const { stringValue, intValue, arrayValue } = one.value
    const [first] = listIn(arrayValue, 'values')
    const text = textOf(
      stringValue ?? intValue ?? (isObject(first) ? first.stringValue : undefined),
    )
    if (text !== undefined) found.set(one.key, text)
  }
  return found
}
