import type { HttpOperation } from '../../model/api.js'
import type { HttpResponse, MediaType } from '../../model/http-content.js'
import {
  holdsValue,
  type ImportedCodec,
  isXml,
  responseCodec,
  sentCodec,
} from '../../runtime/shared/codecs.js'
import { declaredContent, isRange } from '../../runtime/wire/content.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { declaredResponse, isRedirectOf, isSuccessOf } from '../../runtime/wire/status.js'
import { type Parsed, tryParseJson } from '../../text/json-text.js'
import {
  contentTypeOf,
  type Exchange,
  type ReceivedResponse,
  textOf,
} from '../../traffic/exchange.js'
import type { ResponseCheck } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { decodedBytes } from '../wire/exchange.js'
import { checkHeaders } from './headers.js'
import { NOT_IMPLEMENTED } from './not-offered.js'
import { notJsonWords, type ParsedRequest, readReceivedBody } from './read.js'
import { checkStream, STREAM_ANSWER_RULES } from './stream.js'
import { checkAliases, checkValue, checkVariant, fittingVariant } from './value.js'

/** The rules for every response of a documented operation. */
export const HTTP_ANSWER_RULES: readonly Rule[] = [
  ...STREAM_ANSWER_RULES,
  {
    id: 'status-is-undeclared',
    level: 'error',
    purpose:
      'Every status that the server returns is declared: as itself, its range or the default.',
    clause: 'OpenAPI, Responses Object',
    checks: ['H35'],
  },
  {
    id: 'content-type-is-undeclared',
    level: 'error',
    purpose: 'The Content-Type of a body is one that the response declares.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-missing',
    level: 'error',
    purpose: 'A response whose content is declared has a body.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-undeclared',
    level: 'warning',
    purpose: 'A response without declared content has no body.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-not-allowed',
    level: 'error',
    purpose: 'A response to HEAD, and one with status 204, 205 or 304, has no body.',
    clause: 'RFC 9110, 9.3.2, 15.3.5, 15.3.6 and 15.4.5',
    checks: ['H36'],
  },
  {
    id: 'body-invalid',
    level: 'error',
    purpose:
      'A body, including an error body, matches the schema that the document declares for its status.',
    clause: 'OpenAPI, Media Type Object, schema',
    checks: ['H36', 'H40'],
  },
  {
    id: 'response-of-other-variant',
    level: 'error',
    purpose: 'The variant of a request determines the variant of its response.',
    clause: 'x-variants',
    checks: ['H17', 'H36'],
    needsState: true,
  },
  {
    id: 'aliased-properties-differ',
    level: 'error',
    purpose:
      'Properties that x-same-as declares equal have the same value wherever both are present.',
    clause: 'x-same-as',
  },
  {
    id: 'header-missing',
    level: 'error',
    purpose: 'A response has each header that the document requires.',
    clause: 'OpenAPI, Header Object, required',
    checks: ['H39'],
  },
  {
    id: 'header-invalid',
    level: 'error',
    purpose: 'A header that a response declares matches its schema wherever it is sent.',
    clause: 'OpenAPI, Header Object, schema',
    checks: ['H39'],
  },
]

/** The checks of a response of a documented operation. */
export const checkHttp = (
  check: ResponseCheck,
  { operation, body: sent }: Extract<ParsedRequest, { kind: 'http' }>,
): void => {
  const { answer } = check.exchange
  if (!answer) return
  const { status } = answer
  const declared = declaredResponse(operation.responses, status)
  const report: ResponseCheck['report'] = (rule, message, expected, more) =>
    check.report(rule, message, expected, {
      ...{ source: declared?.source, aspect: String(status) },
      ...more,
    })
  if (!declared) {
    if (isUnchanged(check.exchange, status)) return
    if (status === NOT_IMPLEMENTED) {
      check.notOffered(operation)
      return
    }
    // OpenAPI 3.1 lets an operation declare no responses, and then none is wrong but a failure.
    if (operation.responses.length === 0 && status < 500) {
      if (isSuccessOf([], status)) check.cover('operation', ownName(operation))
      return
    }
    const statuses = operation.responses.map((one) => one.status).join(', ') || 'no failure'
    if (status >= 500)
      report('server-fails', `the server fails: HTTP ${status}, which is not declared`, statuses)
    else
      report(
        'status-is-undeclared',
        `the response has the status ${status}, which is not declared`,
        statuses,
      )
    return
  }
  const before = check.found.length
  checkHeaders({ ...check, report }, answer, declared)
  const value = checkBody({ ...check, report }, answer, operation, declared)
  const isBroken = check.found.slice(before).some(({ rule }) => rule === 'body-invalid')
  const isSuccess = isSuccessOf(operation.responses, status)
  const variant = isSuccess && value ? fittingVariant(check, operation, sent) : undefined
  const met = variant && value && !isBroken ? { operation, variant, value: value.value } : undefined
  const fitting = met && checkVariant({ ...check, report }, met)
  if (!check.found.slice(before).every(({ rule }) => HARMLESS.has(rule))) return
  check.cover('status', `${operation.id} ${declared.status}`)
  if (fitting === 'response') check.cover('variant', `${operation.id} ${variant?.name}`)
  const isExpected = isSuccess || isRedirectOf(operation.responses, status)
  if (isExpected && fitting !== 'error') check.cover('operation', ownName(operation))
}

/** Rules whose violation does not prevent a client from reading the response. */
const HARMLESS = new Set(['response-property-undeclared', 'format-invalid'])

/** Checks the body. Returns its JSON value; undefined if there is none. */
const checkBody = (
  check: ResponseCheck,
  answer: ReceivedResponse,
  operation: HttpOperation,
  response: HttpResponse,
): Parsed | undefined => {
  const { status: declared, content, source } = response
  const { report } = check
  const { status } = answer
  const types = content.map(({ type }) => type).join(' or ')
  const isBodiless = BODILESS.has(status) || operation.method === 'HEAD'
  const sent = contentTypeOf(answer)
  const media = declaredContent(content, sent)
  const type = media && !isRange(media.type) ? media.type : (sent ?? '')
  const isEmpty = answer.body.length === 0
  if (isEmpty && (isBodiless || content.length === 0 || answer.isPartial)) return undefined
  if (isEmpty && !(media && canBeEmpty(media))) {
    report('body-is-missing', `the ${status} response has no body`, types)
    return undefined
  }
  if (isBodiless || content.length === 0) {
    const subject = operation.method === 'HEAD' ? 'to HEAD' : `with the status ${status}`
    if (isBodiless) report('body-is-not-allowed', `the response ${subject} has a body`, 'no body')
    else
      report(
        'body-is-undeclared',
        `the ${status} response has a body, which is not declared`,
        'no body',
      )
    return undefined
  }
  const reportType = () =>
    report(
      'content-type-is-undeclared',
      `the Content-Type of ${status} is ${sent ?? 'absent'}`,
      types,
      { cause: sent ?? 'absent' },
    )
  // Without a Content-Type, the only declared type is still validated.
  if (!media || (sent === undefined && media.type !== '*/*')) reportType()
  if (!media) return undefined
  if (media.stream) {
    checkStream(check, answer, operation, response, media)
    return undefined
  }
  // A range of bytes is a value only by chance (RFC 9110, 14.4).
  const codec = sentCodec(media, type, responseCodec)
  if (!holdsValue(codec) || isPart(answer)) return undefined
  const parsed = codec === 'json' ? jsonIn(check, answer) : decoded(check, answer, codec)
  if (!parsed) return undefined
  const { value } = parsed
  const { schema } = media
  checkValue(check, {
    ...{ value, schema, operation, source, root: '', aspect: declared },
    rule: 'body-invalid',
  })
  checkAliases(check, { value, schema, operation })
  return parsed
}

const jsonIn = ({ report }: ResponseCheck, answer: ReceivedResponse): Parsed | undefined => {
  const text = readReceivedBody(answer)
  const parsed = text.kind === 'text' ? tryParseJson(text.text) : undefined
  if (text.kind === 'bytes') report('response-not-json', `the body ${text.why}`, 'UTF-8')
  else if (!parsed) report('response-not-json', notJsonWords(text.text), 'a JSON text')
  return parsed
}

const decoded = (
  { report }: ResponseCheck,
  answer: ReceivedResponse,
  kind: ImportedCodec,
): Parsed | undefined => {
  if (answer.value) return answer.value
  const read = decodedBytes(answer)
  const name = kind.toUpperCase()
  const why = 'why' in read ? read.why : `is not valid ${name}: ${quoted(textOf(read.bytes))}`
  report(`response-not-${kind}`, `the body ${why}`, `one complete value in ${name}`)
  return undefined
}

const isPart = (answer: ReceivedResponse): boolean =>
  answer.status === 206 && /^bytes\b/i.test(headerOf(answer.headers, 'content-range') ?? '')

/** An empty body can be a stream without items, a text or a file; JSON and XML have at least one character. */
const canBeEmpty = ({ type, codec, stream }: MediaType): boolean =>
  stream !== undefined || !(holdsValue(codec) || isXml(type))

/** RFC 9110, 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS = new Set([204, 205, 304])

/** HTTP defines the response to a conditional request whose condition is false (RFC 9110, 15.4.5). */
const isUnchanged = ({ sent }: Exchange, status: number): boolean =>
  (status === 304 || status === 412) && Object.keys(sent.headers).some((name) => /^if-/i.test(name))
