import { codecOf, holdsValue } from '../../runtime/shared/codecs.js'
import { essence } from '../../runtime/shared/media-type.js'
import { REDACTED, type Redact, redactor } from '../../runtime/shared/redact.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { declaredContent } from '../../runtime/wire/content.js'
import { declaredResponse, isErrorDefault, isSuccessOf } from '../../runtime/wire/status.js'
import { jsonOf, tryParseJson } from '../../text/json-text.js'
import {
  contentTypeOf,
  type Exchange,
  type ReceivedResponse,
  type Sent,
  textOf,
} from '../../traffic/exchange.js'
import type { CheckContext, ResponseCheck } from '../case.js'
import { quoted } from '../report/shown.js'
import { decoded } from '../target.js'
import { appliedSchemas } from './declared.js'
import { type ParsedRequest, readReceivedBody, receivedMedia } from './read.js'

/** Reports what no response may contain: a key, a stack trace, a path of the server's file system, a page instead of JSON. */
export const checkLeaks = (check: ResponseCheck, reading: ParsedRequest): void => {
  const { target, exchange, report } = check
  const { answer, sent } = exchange
  if (!answer) return
  const body = readReceivedBody(answer)
  const text = body.kind === 'text' ? body.text : textOf(answer.body)
  const holder = keyHolder(target.secrets, answer, withoutIssued(check, exchange, reading, text))
  if (holder !== undefined)
    report('api-key-leaked', `the key is in ${holder}`, 'a key in no response', { aspect: holder })
  const reported = begun(errorTexts(reading, answer, text))
  const first = (find: (text: string) => string | undefined) =>
    reported.map(find).find((one) => one !== undefined && !isEchoed(sent, one))
  const trace = first(stackTrace)
  const path = first((one) => PATH.exec(one)?.[1])
  if (trace !== undefined) {
    const message = `an error shows a stack trace: ${quoted(trace.trim())}`
    report('stack-trace-leaked', message, 'a sentence')
  } else if (path !== undefined)
    report('filesystem-path-leaked', `an error shows a path of the machine: ${path}`, 'a sentence')
  const type = contentTypeOf(answer) ?? ''
  // JSON that is sent as text/html is reported as a wrong Content-Type.
  const isHtml =
    (essence(type) === 'text/html' && tryParseJson(text) === undefined) ||
    /^\s*<(!doctype html|html)\b/i.test(text)
  if (isHtml && text.trim() !== '' && asksForJson(sent) && isDueAsJson(reading, answer)) {
    const { status } = answer
    report('html-instead-of-json', `${status} is an HTML page`, 'JSON', { aspect: String(status) })
  }
}

/**
 * The body of a login without the credentials that it issues. These are declared properties with the name of a credential, in a
 * successful response of an operation that needs none and was not sent the key.
 */
const withoutIssued = (
  context: CheckContext,
  { sent, answer }: Exchange,
  reading: ParsedRequest,
  text: string,
): string => {
  const { secrets } = context.target
  if (reading.kind !== 'http' || secrets.length === 0) return text
  const { operation } = reading
  const isOpen = operation.security.every((names) => names.length === 0)
  const sentText = [sent.url, textOf(sent.body ?? ''), ...Object.values(sent.headers)].join('\n')
  if (!isOpen || secrets.some((secret) => sentText.includes(secret))) return text
  if (answer === undefined || !isSuccessOf(operation.responses, answer.status)) return text
  const schema = receivedMedia(operation, answer)?.schema
  const body = tryParseJson(text)?.value
  if (typeof schema !== 'object' || !isObject(body)) return text
  const schemas = [...appliedSchemas(context, schema, body)]
  const isDeclared = (name: string) =>
    schemas.some(({ properties = {} }) => Object.hasOwn(properties, name))
  const members = Object.entries(body)
  const kept = members.filter(
    ([name, value]) =>
      !(isDeclared(name) && CREDENTIAL.test(name) && secrets.some((one) => one === value)),
  )
  return kept.length === members.length ? text : jsonOf(Object.fromEntries(kept))
}

const CREDENTIAL = /token|key|secret|session|jwt|credential|bearer/i

/**
 * The part of a response that contains a key, in any encoding. A short key may be a word, so it must not be part of a longer
 * word.
 */
const keyHolder = (
  secrets: readonly string[],
  { headers }: ReceivedResponse,
  body: string,
): string | undefined => {
  const holds = (text: string) =>
    secrets.some((secret) => {
      const parts = redactorOf(secret)(text.replaceAll(REDACTED, ' ')).split(REDACTED)
      return parts.some((part, index) => {
        const next = parts[index + 1]
        if (next === undefined) return false
        return secret.length >= LONG || !(/\w$/.test(part) || /^\w/.test(next))
      })
    })
  const header = headers.find(([name, value]) => holds(name) || holds(value))
  if (header) return `the header ${header[0].toLowerCase()}`
  return holds(body) ? 'the body' : undefined
}

const LONG = 8

/** Cached, because a redactor is slow to create, and each header of each response is searched. */
const redactorOf = (secret: string): Redact => {
  const redact = redactors.get(secret) ?? redactor([secret])
  redactors.set(secret, redact)
  return redact
}

const redactors = new Map<string, Redact>()

/** The texts of an error response; texts of a successful response are not searched. */
const errorTexts = (
  reading: ParsedRequest,
  { status }: ReceivedResponse,
  text: string,
): readonly string[] => {
  const parsed = tryParseJson(text)
  const { responses = [] } = reading.kind === 'http' ? reading.operation : {}
  const isError = status >= 400 || isErrorDefault(responses, declaredResponse(responses, status))
  if (!parsed) return isError || reading.kind === 'rpc' ? [text] : []
  if (isError) return textsIn(parsed.value)
  const answers = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  return answers.flatMap((one: unknown) =>
    isObject(one) && Object.hasOwn(one, 'error') ? textsIn(one.error) : [],
  )
}

/** The non-empty texts up to a total length, because searching many megabytes for a trace takes minutes. */
const begun = (texts: readonly string[]): readonly string[] => {
  const found: string[] = []
  let left = MOST_SEARCHED
  for (const text of texts) {
    if (left <= 0) break
    if (text !== '') found.push(text.slice(0, left))
    left -= text.length
  }
  return found
}

const MOST_SEARCHED = 256 * 1024

const textsIn = (value: unknown): readonly string[] => {
  const texts: string[] = []
  const left = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one === 'string') texts.push(one)
    if (typeof one === 'object' && one !== null)
      for (const part of Object.values(one)) if (part != null) left.push(part)
  }
  return texts
}

/** A response that repeats text of the request leaks nothing. */
const isEchoed = ({ url, body, headers }: Sent, found: string): boolean => {
  const sent = textOf(body ?? '')
  const texts = [sent, url, decoded(url), ...Object.values(headers)]
  return texts.some(
    (text) => text.includes(found) || text.includes(JSON.stringify(found).slice(1, -1)),
  )
}

/** A client that accepts any type may get a page. */
const asksForJson = ({ headers }: Sent): boolean =>
  Object.entries(headers).some(
    ([name, value]) =>
      /^accept$/i.test(name) && value.split(',').some((range) => holdsValue(codecOf(range))),
  )

const isDueAsJson = (reading: ParsedRequest, { status }: ReceivedResponse): boolean => {
  if (reading.kind === 'rpc') return true
  if (reading.kind === 'other') return false
  const { responses } = reading.operation
  const isHtml = responses.some(
    ({ content }) => declaredContent(content, 'text/html') !== undefined,
  )
  return !isHtml && (status >= 400 || responses.some(({ content }) => content.length > 0))
}

/** The first line of a stack trace of Node, Python, Java and other JVM languages, Go, Rust, .NET, Ruby or PHP. */
const stackTrace = (text: string): string | undefined =>
  TRACES.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined)

const TRACES: readonly RegExp[] = [
  // at handle (/app/server.js:10:5), at async file:///app/server.js:10:5
  /\bat (?:async )?(?:[\w$.<>[\] ]{1,100} \()?(?:file:\/\/|node:|[A-Za-z]:\\|\/)[^\s()]{1,300}:\d+:\d+\)?/,
  /Traceback \(most recent call last\)/,
  /\bFile "[^"\n]{1,300}", line \d+, in /,
  // at com.example.Orders.find(Orders.java:42)
  /\bat [\w$]+(?:\.[\w$<>]+)+\((?:\w+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
  /\bgoroutine \d+ \[[a-z ]+\]:/,
  /\bthread '[^'\n]{1,100}' (?:\(\d+\) )?panicked at /,
  /\bstack backtrace:\s+\d+:/,
  // at Shop.Orders.MakeFinding() in C:\src\Orders.cs:line 42
  /\bat [\w.`<>[\]]+\([^)\n]{0,200}\) in [^\n]{1,300}:line \d+/,
  /(?<![\w./-])[\w.-]{0,100}\/[\w./-]{1,300}\.rb:\d+:in [`']/,
  /#\d+ \/[\w./-]{1,300}\.php\(\d+\):/,
]

/**
 * A path of the server's file system: it begins with a folder that only an operating system has, or contains `node_modules`. A
 * service may have a page `/home` and users under `/Users`.
 */
const ROOTS = [
  'home/[\\w.-]+/[\\w.-]+',
  'usr/(?:local|lib|src|share|bin)',
  'var/(?:www|lib|task|run|log|folders)',
  'private/(?:tmp|var)',
  'etc/(?:ssl|nginx|passwd|hosts)',
  '(?:[\\w.-]+/){1,12}node_modules/[\\w@.-]+',
]

/**
 * The path must follow a blank, a quote, a bracket or `file://`; within a URL or a longer pointer, other characters precede it.
 */
const PATH = new RegExp(
  [
    '(?:^|[\\s"\'`(\\[=,]|file://)',
    `(/(?:${ROOTS.join('|')})(?:/[\\w@+.-]+)*`,
    '|[A-Za-z]:\\\\(?:[\\w .-]+\\\\)+[\\w.-]+)',
  ].join(''),
)
