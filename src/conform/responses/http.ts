import type { HttpResponse } from '../../model/api.js'
import { isJson } from '../../runtime/shared/media-type.js'
import type { Complaint } from '../case.js'
import { ownName } from '../operation-name.js'
import { quoted } from '../report/quoted.js'
import { type Answer, type Exchange, headerOf } from '../wire/exchange.js'
import { readBody } from './body.js'
import type { CheckContext } from './check-context.js'
import { checkHeaders } from './headers.js'
import { isDeclaredType, mediaTypeOf } from './media-type-of.js'
import { parseJson, type Reading } from './read.js'
import { checkValue } from './value.js'
import { checkAliases, checkVariant, fittingVariant } from './variant.js'

/** What is due of every answer of a documented operation. */
export const judgeHttp = (
  judging: CheckContext,
  exchange: Exchange,
  reading: HttpReading,
): readonly Complaint[] => {
  const { answer } = exchange
  if (!answer) return []
  const { operation } = reading
  const { status } = answer
  const declared = declaredFor(operation.responses, status)
  const complain = (rule: string, message: string, due: string): Complaint[] => [
    { rule, message, due, exchange, operation, source: declared?.source, aspect: String(status) },
  ]
  if (!declared) {
    if (isUnchanged(exchange, status)) return []
    const statuses = operation.responses.map((one) => one.status).join(', ')
    return status >= 500
      ? complain(
          'server-fails',
          `the server fails: HTTP ${status}, which is not declared`,
          statuses,
        )
      : complain('status-is-undeclared', `it answers ${status}, which is not declared`, statuses)
  }
  const headers = checkHeaders(judging, exchange, declared, operation)
  const body = checkBody(judging, exchange, reading, declared, complain)
  const complaints = [...headers, ...body.complaints]
  if (complaints.every(({ rule }) => HARMLESS.has(rule))) {
    judging.cover('status', `${operation.id} ${declared.status}`)
    if (body.variant !== undefined) judging.cover('variant', `${operation.id} ${body.variant}`)
    if (status < 300 && !body.isError) judging.cover('operation', ownName(operation))
  }
  return complaints
}

/** What a caller reads all the same. */
const HARMLESS = new Set(['response-property-undeclared', 'format-invalid'])

type HttpReading = Extract<Reading, { kind: 'http' }>

type Complain = (rule: string, message: string, due: string) => Complaint[]

type JudgedBody = {
  readonly complaints: readonly Complaint[]
  /** The request variant that was answered as it asks for. */
  readonly variant?: string | undefined
  /** An error under a 2xx, as `x-variants` names them. */
  readonly isError?: boolean
}

const checkBody = (
  judging: CheckContext,
  exchange: Exchange,
  { operation, body: sent }: HttpReading,
  { status: declared, content, source }: HttpResponse,
  complain: Complain,
): JudgedBody => {
  const answer = exchange.answer as Answer
  const { status } = answer
  const isBodiless = BODILESS.has(status) || operation.method === 'HEAD'
  if (answer.body.length === 0) {
    if (isBodiless || content.length === 0) return { complaints: [] }
    const due = content.map(({ type }) => type).join(' or ')
    return { complaints: complain('body-is-missing', `it answers ${status} without a body`, due) }
  }
  if (isBodiless) {
    const message = `it answers ${operation.method === 'HEAD' ? 'HEAD' : status} with a body`
    return { complaints: complain('body-is-not-allowed', message, 'no body') }
  }
  if (content.length === 0) {
    const message = `it answers ${status} with a body that is not declared`
    return { complaints: complain('body-is-undeclared', message, 'no body') }
  }
  const type = headerOf(answer, 'content-type')
  const media = type === undefined ? undefined : mediaTypeOf(content, type)
  const wrongType = (): readonly Complaint[] => {
    const due = content.map((one) => one.type).join(' or ')
    const message = `the Content-Type of ${status} is ${type ?? 'absent'}`
    return complain('content-type-is-undeclared', message, due).map((one) => ({
      ...one,
      cause: type ?? 'absent',
    }))
  }
  if (!media) return { complaints: wrongType() }
  if (!isJson(type ?? '')) return { complaints: [] }
  const text = readBody(answer)
  if (text.kind === 'bytes')
    return { complaints: complain('response-not-json', `the body ${text.why}`, 'UTF-8') }
  const parsed = parseJson(text.text)
  if (!parsed) {
    const message = `the body is no JSON: ${quoted(text.text)}`
    return { complaints: complain('response-not-json', message, 'a JSON text') }
  }
  const { value } = parsed
  const { schema } = media
  const complaints = [
    // JSON of another kind can be read all the same, and is judged.
    ...(isDeclaredType(media, type ?? '') ? [] : wrongType()),
    ...checkValue(judging, exchange, {
      ...{ value, schema, operation, source, root: '', aspect: declared },
      rule: 'body-invalid',
    }),
    ...checkAliases(judging, exchange, { value, schema, operation, source }),
  ]
  const isBroken = complaints.some(({ rule }) => rule === 'body-invalid')
  const variant = status < 300 ? fittingVariant(judging, operation, sent) : undefined
  if (!variant || isBroken) return { complaints }
  const judged = checkVariant(judging, exchange, { operation, variant, value, source })
  return { ...judged, complaints: [...complaints, ...judged.complaints] }
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

/** Who asks on a condition is told by HTTP itself that nothing changed (RFC 9110, 15.4.5). */
const isUnchanged = ({ sent }: Exchange, status: number): boolean =>
  (status === 304 || status === 412) && Object.keys(sent.headers).some((name) => /^if-/i.test(name))
