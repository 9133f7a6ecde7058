import { essence, isForm, isJson } from '../runtime/ground/media-type.js'
import { serializeParameter } from '../runtime/http/serialize.js'
import type { SecurityScheme } from '../runtime/operation.js'
import type { Example, HttpOperation, HttpParameter, JsonObject, MediaType } from './api.js'
import { isObject } from './json.js'

/**
 * The words of a line of curl that calls an operation at the address `base`, secrets as `$NAME` for the shell to fill.
 * `indent` is how deep JSON is indented.
 */
export function httpCurl(
  base: string,
  operation: HttpOperation,
  sent: { readonly media: MediaType; readonly example: Example } | undefined,
  indent = 0,
): readonly string[] {
  const { method, path, parameters } = operation
  const filled = pieces(
    path,
    (name) =>
      textOf(parameters.find((one) => one.in === 'path' && one.name === name)) ??
      shellVariable(name),
  )
  const given = parameters.filter((one) => one.required && one.in !== 'path')
  const pairsOf = (place: HttpParameter['in']) => [
    ...given
      .filter((one) => one.in === place)
      .map((one) => textOf(one) ?? pair(one.name, one.name)),
    ...keysOf(operation, place).map(({ name, parameter }) => pair(parameter, name)),
  ]
  const query = pairsOf('query')
  const cookies = pairsOf('cookie')
  const headers = [
    ...given
      .filter((one) => one.in === 'header')
      .map((one) => header(one.name, textOf(one) ?? shellVariable(one.name))),
    ...keysOf(operation, 'header').map(({ name, parameter }) =>
      header(parameter, shellVariable(name)),
    ),
    ...shownSchemes(operation).flatMap(([, { kind }]) => AUTHORIZATION[kind] ?? []),
    ...(cookies.length > 0 ? [`-b "${cookies.join('; ')}"`] : []),
  ]
  const target = `"${address(base)}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  const data = sent ? dataOf(sent.media.type, sent.example, indent) : unknownBody(operation)
  const verb = method === (data.length > 0 ? 'POST' : 'GET') ? [] : [`-X ${method}`]
  return ['curl -s', ...verb, target, ...headers, ...data]
}

/**
 * The credentials that a sample shows, name -> scheme: of several alternatives the first that a request can carry, none where
 * the operation can be called without any.
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

/** The keys that go to a place; one that is a required parameter too is there already. */
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

const AUTHORIZATION: Readonly<Partial<Record<SecurityScheme['kind'], string>>> = {
  basic: '-u "$USER:$PASSWORD"',
  bearer: '-H "Authorization: Bearer $TOKEN"',
}

const header = (name: string, value: string): string => `-H "${inDoubleQuotes(name)}: ${value}"`

/** The same of a JSON-RPC request. */
export const rpcCurl = (url: string, request: JsonObject, indent = 0): readonly string[] => [
  'curl -s',
  `"${address(url)}"`,
  ...jsonData(request, indent),
]

/** The words of a line of curl for a request of which everything is known. */
export const requestCurl = ({ method, url, headers, ...sent }: Known): readonly string[] => {
  const fields = (sent.fields ?? []).map(({ name, ...field }) =>
    'file' in field
      ? `-F ${quoted(`${name}=@${field.file}`)}`
      : `--form-string ${quoted(`${name}=${field.text}`)}`,
  )
  const data = [
    ...(sent.body === undefined ? [] : [`--data-raw ${quoted(sent.body)}`]),
    ...(sent.file === undefined ? [] : [`--data-binary ${quoted(`@${sent.file}`)}`]),
    ...fields,
  ]
  const usual = data.length > 0 ? 'POST' : 'GET'
  return [
    // Without it, curl reads braces and brackets of an address as several.
    /[[\]{}]/.test(url) ? 'curl -sS -g' : 'curl -sS',
    ...(method === usual ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]),
    quoted(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...data,
  ]
}

type Known = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The name of a file that is the whole body. */
  readonly file?: string
  readonly fields?: readonly (
    | { readonly name: string; readonly text: string }
    | { readonly name: string; readonly file: string }
  )[]
}

/** An address for a shell, its variables as `$NAME`. */
const address = (url: string): string => pieces(url, shellVariable)

const pieces = (template: string, fill: (name: string) => string): string =>
  template
    .split(/\{([^}]*)\}/)
    .map((piece, index) => (index % 2 === 0 ? inDoubleQuotes(piece) : fill(piece)))
    .join('')

/** As its place and style want it, undefined where its value is secret or not known. */
const textOf = (parameter: HttpParameter | undefined): string | undefined => {
  const value = parameter?.examples[0]?.value
  if (!parameter || parameter.secret || value === undefined) return undefined
  const text = serializeParameter(parameter, value)
  return text === undefined ? undefined : inDoubleQuotes(text)
}

const pair = (parameter: string, variable: string): string =>
  `${inDoubleQuotes(encodeURIComponent(parameter))}=${shellVariable(variable)}`

/** `apiKey` -> `$API_KEY`. */
const shellVariable = (name: string): string =>
  `$${name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase()}`

/** A body that has to be sent, and of which nothing is known but its type. */
const unknownBody = ({ body }: HttpOperation): readonly string[] => {
  const type = body?.required ? body.content[0]?.type : undefined
  if (type === undefined) return []
  return [`-H ${quoted(`content-type: ${type}`)}`, '--data-raw "$BODY"']
}

const dataOf = (type: string, { value }: Example, indent: number): readonly string[] => {
  if (isJson(type)) return jsonData(value, indent, type)
  if (isForm(type) && isObject(value)) {
    const flag = essence(type) === 'multipart/form-data' ? '--form-string' : '--data-urlencode'
    return Object.entries(value).map(([name, field]) => `${flag} ${quoted(`${name}=${field}`)}`)
  }
  return [`-H ${quoted(`content-type: ${type}`)}`, `-d ${quoted(String(value))}`]
}

const jsonData = (value: unknown, indent: number, type = 'application/json'): readonly string[] => [
  `-H ${quoted(`content-type: ${type}`)}`,
  `-d ${quoted(JSON.stringify(value, null, indent))}`,
]

// Nothing is special to a shell within single quotes but their end.
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const inDoubleQuotes = (text: string): string => text.replace(/[\\"$`]/g, '\\$&')
