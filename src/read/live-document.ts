import { DocumentError } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { redirectLocation } from '../runtime/link/redirects.js'
import { matchById } from '../runtime/rpc/match.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { withoutQuery } from '../runtime/wire/routes.js'
import { withoutMark } from '../runtime/wire/text.js'

/**
 * The text of a document of a server: the file at a URL, or the result of `rpc.discover` (OpenRPC, Service Discovery
 * Method). `kind` and the end of the URL decide which one is requested first; if it fails, the other one is
 * requested. Rejects with DocumentError.
 */
export const fetchDocument = async (
  address: string,
  kind: LiveKind | undefined,
  { headers = [], timeout = 30_000, mostBytes = 64 * 2 ** 20 }: LiveOptions = {},
): Promise<LiveDocument> => {
  const name = nameOfAddress(address)
  const url = readAddress(address, name)
  const limits = { headers, mostBytes, signal: AbortSignal.timeout(timeout), timeout }
  const isFile = /\.(json|ya?ml)$/i.test(url.pathname)
  const file = () => fetchFile(url, isFile || kind === 'openapi' || kind === 'arazzo', limits)
  const node = () => discover(url, limits)
  const attempts =
    kind === 'openapi' || kind === 'arazzo'
      ? [file]
      : kind === 'openrpc' && !isFile
        ? [node, file]
        : [file, node]
  const problems: string[] = []
  for (const attempt of attempts) {
    const outcome = await attempt()
    if ('text' in outcome) return { name, text: outcome.text }
    problems.push(outcome.problem)
    if (outcome.isFinal) break
  }
  throw unreadable(name, problems.join('; '))
}

export type LiveDocument = {
  /** The name in messages: the URL without its user, query and fragment, which may contain secrets. */
  readonly name: string
  readonly text: string
}

export type LiveKind = 'openapi' | 'openrpc' | 'arazzo'

export type LiveOptions = {
  /** Sent to this server only, not to servers that it redirects to. */
  readonly headers?: Headers
  /** Milliseconds for all requests together. */
  readonly timeout?: number
  readonly mostBytes?: number
}

type Headers = readonly (readonly [name: string, value: string])[]

export const isAddress = (word: string): boolean => /^https?:\/\//i.test(word)

export const nameOfAddress = (address: string): string =>
  withoutQuery(address).replace(/^(https?:\/\/)[^/]*@/i, '$1')

const unreadable = (name: string, why: string, options?: ErrorOptions): DocumentError =>
  new DocumentError(
    {
      rule: 'document-is-unreadable',
      level: 'error',
      location: { file: name, line: 1, column: 1, pointer: '' },
      message: `no document was found at the URL: ${why}`,
    },
    options,
  )

const readAddress = (address: string, name: string): URL => {
  let url: URL
  try {
    url = new URL(address)
  } catch (cause) {
    throw unreadable(name, 'it is not a valid URL', { cause })
  }
  if (url.username === '' && url.password === '') return url
  throw unreadable(
    name,
    "the URL must not contain a user and a password: send them with --header 'authorization: Basic …'",
  )
}

/** `isFinal` if another request would have the same problem. */
type Outcome = { readonly text: string } | { readonly problem: string; readonly isFinal?: boolean }

type Limits = {
  readonly headers: Headers
  readonly mostBytes: number
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Errors in a document are reported by its reader. Any other response is rejected here, because another request may succeed. */
const fetchFile = async (url: URL, isTrusted: boolean, limits: Limits): Promise<Outcome> => {
  const accept = 'application/json, application/yaml, text/yaml, */*;q=0.1'
  const got = await send(url, { headers: { accept } }, limits)
  if ('problem' in got) return got
  const { status, text } = got
  if (status < 200 || status > 299) return { problem: `GET responded ${statusText(status)}` }
  if (isPage(text)) {
    return {
      problem: 'GET responded with an HTML page: name the JSON or YAML document that it shows',
    }
  }
  return isTrusted || KEYS.test(text)
    ? { text }
    : { problem: 'GET responded, but not with an OpenAPI, OpenRPC or Arazzo document' }
}

const KEYS = /(^|[{,\s"'])(openapi|openrpc|swagger|arazzo)["']?\s*:/

const isPage = (text: string): boolean => /^\s*<(!doctype|html|head|body|\?xml)/i.test(text)

const statusText = (status: number): string =>
  status === 401 || status === 403
    ? `${status}: send credentials, for example with --header 'authorization: Bearer …'`
    : String(status)

const discover = async (url: URL, limits: Limits): Promise<Outcome> => {
  const got = await send(
    url,
    {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ID, method: 'rpc.discover', params: [] }),
    },
    limits,
  )
  if ('problem' in got) return got
  const { status, text } = got
  const match = matchById([ID], parsed(text), 'single')(ID)
  if (match.kind === 'unusable') {
    const what = isPage(text)
      ? 'an HTML page'
      : `a body that is not a JSON-RPC response of it (${match.message})`
    const how = status < 200 || status > 299 ? statusText(status) : what
    const path =
      status === 404 ? `: the URL needs the path of the endpoint, as in ${url.origin}/rpc` : ''
    return { problem: `rpc.discover responded with ${how}${path}` }
  }
  if (match.kind === 'rejected') {
    const { code, message } = match.error
    const details = message === '' ? '' : ` (${message.slice(0, 200)})`
    return {
      isFinal: true,
      problem:
        code === METHOD_NOT_FOUND
          ? `the server has no method rpc.discover${details}: save its OpenRPC document in a file and name that`
          : `rpc.discover responded with the error ${code}${details}`,
    }
  }
  if (!isObject(match.value) || !('openrpc' in match.value)) {
    return { problem: 'the result of rpc.discover is not an OpenRPC document' }
  }
  return { text: memberText(text, 'result') }
}

const ID = 1
const METHOD_NOT_FOUND = -32601

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Got =
  | { readonly status: number; readonly text: string }
  | { readonly problem: string; readonly isFinal?: boolean }

/** Sends a request and follows redirects of GET, with credentials only until the first redirect to another origin. */
const send = async (first: URL, request: RequestInit, limits: Limits): Promise<Got> => {
  const { headers, mostBytes, signal, timeout } = limits
  const method = request.method ?? 'GET'
  let url = first
  let own = headers
  try {
    for (let redirects = 0; ; redirects++) {
      const sent = { ...(request.headers as Record<string, string>), ...Object.fromEntries(own) }
      const response = await fetch(url, { ...request, headers: sent, redirect: 'manual', signal })
      const { status, body } = response
      const target = redirectLocation({ status, header: (name) => response.headers.get(name) })
      if (target === undefined) {
        const text = await readText(body, mostBytes)
        if (text !== undefined) return { status, text }
        const problem = `${method} responded with more than ${mostBytes / 2 ** 20} MiB`
        return { problem, isFinal: true }
      }
      await body?.cancel()
      const next = URL.canParse(target, url) ? new URL(target, url) : undefined
      if (method !== 'GET' || next === undefined || !isAddress(next.href)) {
        return {
          problem: `${method} was redirected to ${nameOfAddress(target)}: name that address`,
        }
      }
      if (redirects === MOST_REDIRECTS)
        return { problem: `GET was redirected more than ${MOST_REDIRECTS} times` }
      if (next.origin !== url.origin) own = []
      url = next
    }
  } catch (error) {
    if (signal.aborted) return { problem: `no response within ${timeout} ms`, isFinal: true }
    const { cause } = error as Error
    const why = (cause as NodeJS.ErrnoException | undefined)?.code ?? messageOf(cause ?? error)
    return { problem: `the server cannot be reached (${why})`, isFinal: true }
  }
}

const MOST_REDIRECTS = 5

/** Undefined if the body is larger than `mostBytes`. */
const readText = async (
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<string | undefined> => {
  const parts: Uint8Array[] = []
  let total = 0
  const reader = body?.getReader()
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) break
    total += value.length
    if (total > mostBytes) {
      await reader?.cancel()
      return undefined
    }
    parts.push(value)
  }
  return withoutMark(Buffer.concat(parts).toString('utf8'))
}

/**
 * The text of a member of a JSON object, indented by two spaces and otherwise as written: each number keeps its digits. `text`
 * must be valid JSON with the member at its top level.
 */
const memberText = (text: string, name: string): string => {
  const tokens = text.match(TOKENS) ?? []
  const quoted = JSON.stringify(name)
  let depth = 0
  const start = tokens.findIndex((token, at) => {
    depth += depthOf(token)
    return depth === 1 && token === quoted && tokens[at + 1] === ':'
  })
  let printed = ''
  depth = 0
  for (let at = start + 2; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const step = depthOf(token)
    const isEmpty = step < 0 && depthOf(tokens[at - 1] ?? '') > 0
    depth += step
    if (depth < 0 || (depth === 0 && token === ',')) break
    if (step < 0 && !isEmpty) printed += newLine(depth)
    printed += token === ':' ? ': ' : token
    const isOpened = step > 0 && depthOf(tokens[at + 1] ?? '') >= 0
    if (isOpened || token === ',') printed += newLine(depth)
  }
  return `${printed}\n`
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs

const depthOf = (token: string): number =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0

const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`
