import type { Parameter, SecurityScheme } from '../runtime/operation.js'
import { holdsFields, isText, sentCodec } from '../runtime/shared/codecs.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { concreteOf, isRange } from '../runtime/wire/content.js'
import { serializeParameter } from '../runtime/wire/serialize.js'
import { formFields, formParts } from '../runtime/wire/write-body.js'
import { jsonText, shellText, shellVariable, shellWord } from '../text/escape.js'
import type { HttpOperation } from './api.js'
import { type Example, type HttpParameter, hasJsonValue, type MediaType } from './http-content.js'
import { isObject } from './json.js'
import type { ChosenExample } from './sample-request.js'
import { isSocketUrl } from './servers.js'
import { isStreamed, itemsText } from './streams.js'

/** The arguments of a curl command that calls an operation at the address `base`. Secrets are shell variables, `${NAME}`. */
export function httpCurl(
  base: string,
  operation: HttpOperation,
  sent: ChosenExample | undefined,
  options: CurlOptions = {},
): readonly string[] {
  const { unknown = shellVariable } = options
  const { method, path, parameters } = operation
  const filled = pieces(path, (name) =>
    inPath(
      parameters.find((one) => one.in === 'path' && one.name === name),
      name,
      unknown,
    ),
  )
  const inputs = parameters.filter((one) => one.required && one.in !== 'path')
  const pairsOf = (place: HttpParameter['in']) => [
    ...inputs
      .filter((one) => one.in === place)
      .map((one) => textOf(one) ?? unknownText(one, unknown(one.name))),
    ...keysOf(operation, place).map(({ name, parameter }) =>
      unknownText({ ...KEY, in: place, name: parameter }, unknown(name)),
    ),
  ]
  const query = pairsOf('query')
  const cookies = pairsOf('cookie')
  const headers = [
    ...inputs
      .filter((one) => one.in === 'header')
      .flatMap((one) => header(one.name, textOf(one) ?? unknown(one.name))),
    ...keysOf(operation, 'header').flatMap(({ name, parameter }) =>
      header(parameter, unknown(name)),
    ),
    ...shownSchemes(operation).flatMap(([, { kind }]) => authorization(kind, unknown)),
    ...(cookies.length > 0 ? [`-b "${cookies.join('; ')}"`] : []),
  ]
  const target = `"${pieces(base, unknown)}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  const data =
    sent && canBeShown(sent)
      ? dataOf(sent.media, sent.example, options)
      : unknownBody(operation, options)
  const verb = verbOf(method, data)
  // With -N, curl prints items as they arrive.
  const unbuffered = isStreamed(operation, sent?.example.value) ? ' -N' : ''
  const curl = `curl -s${unbuffered}${globbing(target.replace(FILLED_IN, ''))}`
  return [curl, ...verb, target, ...headers, ...data]
}

/** Without `-g`, curl reads braces and brackets of an address as several addresses. */
const globbing = (url: string): string => (/[[\]{}]/.test(url) ? ' -g' : '')

/** Variables, which the shell replaces before curl reads the address. */
const FILLED_IN = /\$\{\w+\}/g

/**
 * The credentials that a sample shows, name -> scheme: the first alternative that a request can carry. Empty if the
 * operation can be called without credentials.
 */
export function shownSchemes({
  security,
  schemes,
}: HttpOperation): readonly (readonly [string, SecurityScheme])[] {
  if (security.some((all) => all.length === 0)) return []
  for (const all of security) {
    const known = all.flatMap((name) => {
      const scheme = schemes[name]
      return scheme && scheme.kind !== 'outside' ? [[name, scheme] as const] : []
    })
    if (known.length === all.length) return known
  }
  return []
}

/** The API keys that belong in a place, without those that are also a required parameter. */
const keysOf = (operation: HttpOperation, place: HttpParameter['in']) =>
  shownSchemes(operation).flatMap(([name, scheme]) => {
    if (scheme.kind !== 'key' || scheme.in !== place) return []
    const { parameter } = scheme
    const isThere = operation.parameters.some(
      (one) => one.required && one.in === place && sameName(place, one.name, parameter),
    )
    return isThere ? [] : [{ name, parameter }]
  })

const sameName = (place: string, one: string, other: string): boolean =>
  place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other

const authorization = (kind: SecurityScheme['kind'], unknown: Unknown): readonly string[] => {
  if (kind === 'basic') return [`-u "${unknown('user')}:${unknown('password')}"`]
  return kind === 'bearer' ? [`-H "Authorization: Bearer ${unknown('token')}"`] : []
}

/** Empty for an invalid header name: curl would read a file for a name that begins with `@`. */
const header = (name: string, value: string): readonly string[] =>
  isHeaderName(name) ? [`-H "${shellText(name)}: ${onOneLine(value)}"`] : []

const contentType = (type: string): string => `-H ${shellWord(`content-type: ${onOneLine(type)}`)}`

/** A line break would begin another header. */
const onOneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ')

/** RFC 9110, 5.1 */
const isHeaderName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~\w]+$/.test(name)

/** The same for a JSON-RPC request; of wscat for a WebSocket. */
export const rpcCurl = (
  url: string,
  request: JsonObject,
  { indent = 0, unknown = shellVariable }: CurlOptions = {},
): readonly string[] => {
  const address = `"${pieces(url, unknown)}"`
  if (isSocketUrl(url)) {
    const text = jsonText(request)
    return wscat({ url, texts: [text] }, (word) => (word === url ? address : shellWord(word)))
  }
  return [
    `curl -s${globbing(pieces(url, unknown).replace(FILLED_IN, ''))}`,
    address,
    ...jsonData(request, indent),
  ]
}

type CurlOptions = {
  /** The indentation of JSON. */
  readonly indent?: number
  /** The replacement of a secret or an unknown value, as shell text in double quotes. */
  readonly unknown?: Unknown
  /** The path of a file that is sent; its name in the document by default. */
  readonly fileAt?: (name: string) => string
}

type Unknown = (name: string) => string

/**
 * The arguments of a command that sends texts to a WebSocket, which curl does not speak, and prints what arrives within 3 seconds.
 * `word` writes a word for the shell.
 */
export const wscat = (
  { url, headers = {}, texts }: SocketTexts,
  word: (text: string) => string = shellWord,
): readonly string[] => [
  `npx wscat -c ${word(url)}`,
  ...Object.entries(headers).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
  ...(texts.length === 0 ? [] : ['-w 3', ...texts.map((one) => `-x ${word(one)}`)]),
]

type SocketTexts = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly texts: readonly string[]
}

/** The arguments of a command for a request without unknown values: of curl, or of wscat for a WebSocket. */
export const requestCommand = ({ method, url, headers, ...sent }: Known): readonly string[] => {
  if (isSocketUrl(url)) return wscat({ url, texts: [sent.body ?? ''] })
  const fields = (sent.fields ?? []).map(({ name, ...field }) =>
    'file' in field ? fileField(name, field.file) : textField(name, field.text, field.type),
  )
  const data = [
    ...(sent.body === undefined ? [] : [`--data-raw ${shellWord(sent.body)}`]),
    ...(sent.file === undefined ? [] : [`--data-binary ${shellWord(`@${sent.file}`)}`]),
    ...fields,
  ]
  return [
    `curl -sS${globbing(url)}`,
    ...verbOf(method, data),
    shellWord(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...data,
  ]
}

type Known = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The path of a file that is the whole body. */
  readonly file?: string
  readonly fields?: readonly (
    | { readonly name: string; readonly text: string; readonly type?: string | undefined }
    | { readonly name: string; readonly file: string }
  )[]
}

/** A file of a form, by its path. */
const fileField = (name: string, path: string): string => `-F ${shellWord(`${name}=@${path}`)}`

/** A field of a form. Within quotes, curl reads a semicolon literally, and a backslash escapes a quote. */
const textField = (name: string, text: string, type: string | undefined): string =>
  type === undefined
    ? `--form-string ${shellWord(`${name}=${text}`)}`
    : `-F ${shellWord(`${name}="${text.replace(/["\\]/g, '\\$&')}";type=${type}`)}`

/** An address for a shell, with its variables filled in. */
const pieces = (template: string, fill: (name: string) => string): string =>
  template
    .split(/\{([^{}]*)\}/)
    .map((piece, index) => (index % 2 === 0 ? shellText(piece) : fill(piece)))
    .join('')

/** Serialized for its place and style; undefined if the value is secret or unknown. */
const textOf = (parameter: HttpParameter | undefined): string | undefined => {
  const value = parameter?.examples[0]?.value
  if (!parameter || parameter.secret || value === undefined) return undefined
  const text = serializeParameter(parameter, value)
  return text === undefined ? undefined : shellText(text)
}

const inPath = (parameter: HttpParameter | undefined, name: string, unknown: Unknown): string =>
  textOf(parameter) ?? (parameter ? unknownText(parameter, unknown(name)) : unknown(name))

/** A parameter whose value is shell text, in its style. */
const unknownText = ({ codec: _, ...parameter }: Parameter, value: string): string =>
  (serializeParameter(parameter, UNKNOWN) ?? UNKNOWN).split(UNKNOWN).map(shellText).join(value)

/** Is in no name of a parameter, and is not percent-encoded. */
const UNKNOWN = 'twinspec-unknown-value'

const KEY = { required: true, style: 'form', explode: true } as const

/** With `-X HEAD`, curl would wait for a body. */
const verbOf = (method: string, data: readonly string[]): readonly string[] => {
  if (method === (data.length > 0 ? 'POST' : 'GET')) return []
  return [method === 'HEAD' && data.length === 0 ? '-I' : `-X ${method}`]
}

/** An unpaired surrogate, which has no encoding, becomes U+FFFD. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))

/** A required body of which only the type is known. */
const unknownBody = (
  { body }: HttpOperation,
  { unknown = shellVariable, fileAt = plainName }: CurlOptions,
): readonly string[] => {
  const [media] = body?.required ? body.content : []
  if (media === undefined) return []
  const { type, codec } = media
  const isBytes = !isText(codec) && !isRange(type)
  return [
    contentType(concreteOf(type, '') ?? type),
    isBytes
      ? `--data-binary ${shellWord(`@${fileAt('body')}`)}`
      : `--data-raw "${unknown('body')}"`,
  ]
}

/** An object in XML, or a list of parts, has no text here. */
const canBeShown = ({ media, example: { value } }: ChosenExample): boolean =>
  hasJsonValue(media) ? isText(media.codec) : typeof value !== 'object' || holdsFields(media.codec)

/** A path without characters that are special in a shell. */
const plainName = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '')

const dataOf = (
  media: MediaType,
  { value }: Example,
  { indent = 0, fileAt = plainName }: CurlOptions,
): readonly string[] => {
  const type = concreteOf(media.type, value) ?? media.type
  const codec = sentCodec(media, type)
  if (codec === 'json') return jsonData(value, indent, type)
  const items = itemsText(media, value, jsonText)
  if (items !== undefined) return [contentType(type), `--data-raw ${shellWord(items)}`]
  if (!holdsFields(codec) || !isObject(value))
    return [contentType(type), `--data-raw ${shellWord(String(value))}`]
  const encodings = media.encoding ?? {}
  if (codec === 'form')
    return formFields(value, encodings).map((field) =>
      'raw' in field
        ? `--data-raw ${shellWord(field.raw)}`
        : `--data-urlencode ${shellWord(`${encoded(field.name)}=${field.text}`)}`,
    )
  return Object.entries(value).flatMap(([name, one]) =>
    encodings[name]?.isFile
      ? [one].flat().map(() => fileField(name, fileAt(name)))
      : formParts({ [name]: one }, encodings).map((part) =>
          textField(part.name, String(part.value), part.type),
        ),
  )
}

const jsonData = (value: unknown, indent: number, type = 'application/json'): readonly string[] => [
  contentType(type),
  `--data-raw ${shellWord(jsonText(value, indent))}`,
]
