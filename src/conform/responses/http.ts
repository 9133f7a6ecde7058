import type { HttpOperation, HttpResponse, MediaType } from '../../model/api.js'
import { covers, essence, isJson } from '../../runtime/shared/media-type.js'
import { open } from '../../runtime/validate.js'
import type { CheckContext, Finding } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { type Answer, type Exchange, headerOf } from '../wire/exchange.js'
import { parseJson, type Reading, readBody } from './read.js'
import { checkValue } from './value.js'
import { checkAliases, checkVariant, fittingVariant } from './variant.js'

/** What is due of every answer of a documented operation. */
export const HTTP_ANSWER_RULES: readonly Rule[] = [
  {
    id: 'status-is-undeclared',
    level: 'error',
    purpose: 'Every status that is answered is declared: itself, its range, or as the default.',
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
    purpose: 'A response that declares a body has one.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-undeclared',
    level: 'warning',
    purpose: 'A response that declares no body has none.',
    clause: 'OpenAPI, Response Object, content',
    checks: ['H36'],
  },
  {
    id: 'body-is-not-allowed',
    level: 'error',
    purpose: 'An answer to HEAD, and one of the status 204, 205 or 304, has no body.',
    clause: 'RFC 9110, 9.3.2, 15.3.5, 15.3.6 and 15.4.5',
    checks: ['H36'],
  },
  {
    id: 'body-invalid',
    level: 'error',
    purpose:
      'A body, of an error too, matches the schema that the document declares for its status.',
    clause: 'OpenAPI, Media Type Object, schema',
    checks: ['H36', 'H40'],
  },
  {
    id: 'response-of-other-variant',
    level: 'error',
    purpose: 'The variant of a request decides the variant of its answer.',
    clause: 'x-variants',
    checks: ['H17', 'H36'],
    needsState: true,
  },
  {
    id: 'aliased-properties-differ',
    level: 'error',
    purpose: 'Properties that may carry the same value carry the same value where both are given.',
    clause: 'x-same-as',
  },
  {
    id: 'header-missing',
    level: 'error',
    purpose: 'A header that a response requires is there.',
    clause: 'OpenAPI, Header Object, required',
    checks: ['H39'],
  },
  {
    id: 'header-invalid',
    level: 'error',
    purpose: 'A header that a response declares is of its schema wherever it is sent.',
    clause: 'OpenAPI, Header Object, schema',
    checks: ['H39'],
  },
]

/** What is due of every answer of a documented operation. */
export const checkHttp = (
  context: CheckContext,
  exchange: Exchange,
  reading: HttpReading,
): readonly Finding[] => {
  const { answer } = exchange
  if (!answer) return []
  const { operation } = reading
  const { status } = answer
  const declared = declaredFor(operation.responses, status)
  const finding = (rule: string, message: string, expected: string): Finding[] => [
    {
      rule,
      message,
      expected,
      exchange,
      operation,
      source: declared?.source,
      aspect: String(status),
    },
  ]
  if (!declared) {
    if (isUnchanged(exchange, status)) return []
    const statuses = operation.responses.map((one) => one.status).join(', ')
    return status >= 500
      ? finding('server-fails', `the server fails: HTTP ${status}, which is not declared`, statuses)
      : finding('status-is-undeclared', `it answers ${status}, which is not declared`, statuses)
  }
  const headers = checkHeaders(context, exchange, declared, operation)
  const body = checkBody(context, exchange, reading, declared, finding)
  const findings = [...headers, ...body.findings]
  if (findings.every(({ rule }) => HARMLESS.has(rule))) {
    context.cover('status', `${operation.id} ${declared.status}`)
    if (body.variant !== undefined) context.cover('variant', `${operation.id} ${body.variant}`)
    if (status < 300 && !body.isError) context.cover('operation', ownName(operation))
  }
  return findings
}

/** What a caller reads all the same. */
const HARMLESS = new Set(['response-property-undeclared', 'format-invalid'])

type HttpReading = Extract<Reading, { kind: 'http' }>

type MakeFinding = (rule: string, message: string, expected: string) => Finding[]

type JudgedBody = {
  readonly findings: readonly Finding[]
  /** The request variant that was answered as it asks for. */
  readonly variant?: string | undefined
  /** An error under a 2xx, as `x-variants` names them. */
  readonly isError?: boolean
}

const checkBody = (
  context: CheckContext,
  exchange: Exchange,
  { operation, body: sent }: HttpReading,
  { status: declared, content, source }: HttpResponse,
  finding: MakeFinding,
): JudgedBody => {
  const answer = exchange.answer as Answer
  const { status } = answer
  const isBodiless = BODILESS.has(status) || operation.method === 'HEAD'
  if (answer.body.length === 0) {
    if (isBodiless || content.length === 0) return { findings: [] }
    const expected = content.map(({ type }) => type).join(' or ')
    return {
      findings: finding('body-is-missing', `it answers ${status} without a body`, expected),
    }
  }
  if (isBodiless) {
    const message = `it answers ${operation.method === 'HEAD' ? 'HEAD' : status} with a body`
    return { findings: finding('body-is-not-allowed', message, 'no body') }
  }
  if (content.length === 0) {
    const message = `it answers ${status} with a body that is not declared`
    return { findings: finding('body-is-undeclared', message, 'no body') }
  }
  const type = headerOf(answer, 'content-type')
  const media = type === undefined ? undefined : mediaTypeOf(content, type)
  const wrongType = (): readonly Finding[] => {
    const expected = content.map((one) => one.type).join(' or ')
    const message = `the Content-Type of ${status} is ${type ?? 'absent'}`
    return finding('content-type-is-undeclared', message, expected).map((one) => ({
      ...one,
      cause: type ?? 'absent',
    }))
  }
  if (!media) return { findings: wrongType() }
  if (!isJson(type ?? '')) return { findings: [] }
  const text = readBody(answer)
  if (text.kind === 'bytes')
    return { findings: finding('response-not-json', `the body ${text.why}`, 'UTF-8') }
  const parsed = parseJson(text.text)
  if (!parsed) {
    const message = `the body is no JSON: ${quoted(text.text)}`
    return { findings: finding('response-not-json', message, 'a JSON text') }
  }
  const { value } = parsed
  const { schema } = media
  const findings = [
    // JSON of another kind can be read all the same, and is judged.
    ...(isDeclaredType(media, type ?? '') ? [] : wrongType()),
    ...checkValue(context, exchange, {
      ...{ value, schema, operation, source, root: '', aspect: declared },
      rule: 'body-invalid',
    }),
    ...checkAliases(context, exchange, { value, schema, operation, source }),
  ]
  const isBroken = findings.some(({ rule }) => rule === 'body-invalid')
  const variant = status < 300 ? fittingVariant(context, operation, sent) : undefined
  if (!variant || isBroken) return { findings }
  const judged = checkVariant(context, exchange, { operation, variant, value, source })
  return { ...judged, findings: [...findings, ...judged.findings] }
}

/** RFC 9110, 15.3.5, 15.3.6 and 15.4.5. */
const BODILESS = new Set([204, 205, 304])

/** The status itself before its range, and `default` for whatever is left (OpenAPI, Responses Object). */
export const declaredFor = (
  responses: readonly HttpResponse[],
  status: number,
): HttpResponse | undefined =>
  [String(status), `${Math.floor(status / 100)}XX`, 'DEFAULT']
    .map((key) => responses.find((one) => one.status.toUpperCase() === key))
    .find((one) => one !== undefined)

/** HTTP itself answers a conditional request that nothing changed (RFC 9110, 15.4.5). */
const isUnchanged = ({ sent }: Exchange, status: number): boolean =>
  (status === 304 || status === 412) && Object.keys(sent.headers).some((name) => /^if-/i.test(name))

/** The headers that a response declares: there where they are required, and of their schema where they are there. */
const checkHeaders = (
  { checker }: CheckContext,
  exchange: Exchange,
  { headers, source, status }: HttpResponse,
  operation: HttpOperation,
): readonly Finding[] => {
  const answer = exchange.answer as Answer
  return headers.flatMap(({ name, required, schema }): Finding[] => {
    // OpenAPI, Response Object: a Content-Type that is declared here is ignored.
    if (name.toLowerCase() === 'content-type') return []
    const common = { exchange, operation, source, aspect: `${status} ${name}` }
    const values = answer.headers.flatMap(([one, value]) =>
      one.toLowerCase() === name.toLowerCase() ? [value] : [],
    )
    if (values.length === 0) {
      const message = `${status} comes without the header ${name}`
      return required ? [{ ...common, rule: 'header-missing', message, expected: name }] : []
    }
    const validator = open(checker.schema(schema))
    const texts = [...new Set([values.join(', '), ...values])]
    const readings = texts.flatMap(readingsOf)
    if (readings.some(validator.check)) return []
    const [fault] = validator.explain(readings[0])
    const message = `the header ${name} ${fault?.message ?? 'is not as declared'}`
    return [{ ...common, rule: 'header-invalid', message, expected: 'what is declared of it' }]
  })
}

/** All that a text may mean (OpenAPI, style simple): itself, a number or a flag, a list, an object. */
const readingsOf = (text: string): readonly unknown[] => {
  const scalar = (part: string): unknown => {
    const parsed = parseJson(part.trim())
    return parsed ? parsed.value : part.trim()
  }
  const parts = text.split(',')
  const pairs = parts.map((part) => part.split('='))
  const isObject = pairs.every(({ length }) => length === 2)
  const flat = parts.flatMap((part, index) =>
    index % 2 === 0 ? [[part.trim(), scalar(parts[index + 1] ?? '')] as const] : [],
  )
  return [
    text,
    scalar(text),
    parts.map((part) => part.trim()),
    parts.map(scalar),
    Object.fromEntries(flat),
    ...(isObject
      ? [Object.fromEntries(pairs.map(([name = '', value = '']) => [name.trim(), scalar(value)]))]
      : []),
  ]
}

/**
 * What a response declares for a Content-Type: the most specific key where several fit (OpenAPI, Response Object, content), so
 * the type itself, its range, any type at all; and JSON of any kind for JSON of another where nothing else does. Undefined
 * where none fits.
 */
export const mediaTypeOf = (content: readonly MediaType[], sent: string): MediaType | undefined =>
  content
    .filter(({ type }) => covers(type, sent))
    .toSorted((one, other) => farness(one.type, sent) - farness(other.type, sent))[0]

/** Whether it is declared by what it is, or by its range, and not as JSON of another kind alone. */
const isDeclaredType = ({ type }: MediaType, sent: string): boolean => farness(type, sent) < 4

const farness = (declared: string, sent: string): number => {
  const [want, got] = [essence(declared), essence(sent)]
  if (want === got) return plain(declared) === plain(sent) ? 0 : 1
  if (want === '*/*') return 3
  return want.endsWith('/*') ? 2 : 4
}

/** With its parameters, so that two versions of one type differ. */
const plain = (type: string): string => type.replace(/\s+/g, '').toLowerCase()
