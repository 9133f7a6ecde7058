import type { Api, Example, HttpOperation, HttpParameter, RpcOperation } from '../model/api.js'
import { isJson } from '../runtime/ground/media-type.js'
import type { Mock } from './mock.js'

/** A line of curl for each operation's first example, secrets as `$NAME` for the shell to fill. */
export const curlLines = (api: Api, { httpUrl, rpcUrl }: Mock): readonly string[] =>
  api.operations.flatMap((operation) => {
    if (operation.kind === 'http')
      return httpUrl === undefined ? [] : [httpLine(httpUrl, operation)]
    return rpcUrl === undefined ? [] : [rpcLine(rpcUrl, operation)]
  })

const httpLine = (base: string, operation: HttpOperation): string => {
  const { method, path, parameters, body } = operation
  const filled = path.replace(/\{([^}]*)\}/g, (_, name: string) =>
    textOf(
      parameters.find((one) => one.in === 'path' && one.name === name),
      name,
    ),
  )
  const given = parameters.filter((one) => one.required && one.in !== 'path')
  const query = given
    .filter((one) => one.in === 'query')
    .map((one) => `${encodeURIComponent(one.name)}=${textOf(one, one.name)}`)
  const headers = given
    .filter((one) => one.in === 'header')
    .map((one) => ` -H "${one.name}: ${textOf(one, one.name, String)}"`)
  const target = `"${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  const content = body?.content[0]
  const example = content?.examples[0]
  const data = content && example ? dataOf(content.type, example) : ''
  const verb = method === 'GET' || (method === 'POST' && data !== '') ? '' : ` -X ${method}`
  return `curl -s${verb} ${target}${headers.join('')}${data}`
}

const rpcLine = (url: string, { method, paramStructure, examples }: RpcOperation): string => {
  const shown = examples.find(({ outcome }) => outcome.kind === 'result') ?? examples[0]
  const params = paramStructure === 'by-name' ? shown?.namedParams : shown?.params
  const body = { jsonrpc: '2.0', id: 1, method, params: params ?? [] }
  const target = url.replace(/\{([^}]*)\}/g, (_, name: string) => shellVariable(name))
  return `curl -s "${target}"${jsonData(body)}`
}

const textOf = (
  parameter: HttpParameter | undefined,
  name: string,
  encode: (text: string) => string = encodeURIComponent,
): string => {
  const value = parameter?.examples[0]?.value
  if (parameter?.secret || value === undefined) return shellVariable(name)
  return encode(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `apiKey` -> `$API_KEY`. */
const shellVariable = (name: string): string =>
  `$${name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase()}`

const dataOf = (type: string, { value }: Example): string =>
  isJson(type)
    ? jsonData(value, type)
    : ` -H ${quoted(`content-type: ${type}`)} -d ${quoted(String(value))}`

const jsonData = (value: unknown, type = 'application/json'): string =>
  ` -H ${quoted(`content-type: ${type}`)} -d ${quoted(JSON.stringify(value))}`

// Nothing is special to a shell within single quotes but their end.
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
