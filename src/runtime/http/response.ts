import type { HttpError } from '../errors.js'
import type { HttpOperation } from '../operation.js'
import { covers, isJson, isText } from '../shared/media-type.js'
import type { Checks, Fault } from '../validate.js'
import type { Failures } from './failure.js'
import type { HttpChecks, Rejection } from './request.js'

/** An answer read; `error` is what a call throws for it. */
export type ReadResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly error: HttpError | undefined
}

type ReadingTerms = {
  readonly variant: string | undefined
  readonly checks: boolean
  readonly fail: Failures
  readonly explain: (rejection: Rejection) => Promise<readonly Fault[]>
}

/** Reads an answer by status, content type and schema. Throws a CallError where it is none of the documented ones. */
export const readResponse = async (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  response: Response,
  how: ReadingTerms,
): Promise<ReadResponse> => {
  const { status, headers } = response
  const refused = (body: unknown, faults: readonly Fault[]): ReadResponse => {
    const error = how.fail.http({ status, headers, body, faults })
    return { status, headers: error.headers, body: error.body, error }
  }
  const key = documentedKey(operation, status)
  if (!response.ok) {
    const body = operation.method === 'HEAD' ? undefined : readErrorBody(await response.text())
    if (key === undefined) return refused(body, [UNDOCUMENTED])
    const pick = (own: HttpChecks) => own.responses[key]
    return refused(body, how.checks && validators ? await explain(validators, body, pick, how) : [])
  }
  if (key === undefined && promisesAnswer(operation))
    throw how.fail.call('malformed-answer', `answered ${status}, which is not documented`)
  const types = key === undefined ? ['*/*'] : (operation.responses[key] ?? [])
  const body = await readBody(response, operation.method, types, how.fail)
  const refusal = variantsOf(validators, how.variant).some(
    ([name, variant]) =>
      operation.variants?.[name]?.errors.length !== 0 && fits(variant.error, body),
  )
  if (refusal) return refused(body, [])
  const pick = (own: HttpChecks) =>
    (how.variant === undefined ? undefined : own.variants?.[how.variant]?.response) ??
    (key === undefined ? undefined : own.responses[key])
  const isBody = types.some((type) => isJson(type) || type === '*/*') && !(body instanceof Blob)
  if (how.checks && validators && isBody && operation.method !== 'HEAD') {
    const faults = await explain(validators, body, pick, how)
    if (faults.length > 0)
      throw how.fail.call('invalid-answer', `the answer (${status}) does not fit`, { faults })
  }
  return { status, headers, body: copyAliases(body, operation.sameAs), error: undefined }
}

/** The key of `responses` that a status belongs to; `default` answers for 2xx only where nothing else does. */
export const documentedKey = (
  operation: Pick<HttpOperation, 'responses'>,
  status: number,
): string | undefined => {
  const { responses } = operation
  const range = `${Math.floor(status / 100)}XX`
  const candidates = [String(status), range, range.toLowerCase()]
  const found = candidates.find((key) => Object.hasOwn(responses, key))
  if (found !== undefined || !Object.hasOwn(responses, 'default')) return found
  const settled = range === '2XX' && Object.keys(responses).some((key) => key.startsWith('2'))
  return settled ? undefined : 'default'
}

const promisesAnswer = (operation: HttpOperation): boolean =>
  Object.keys(operation.responses).some((key) => key.startsWith('2') || key === 'default')

const UNDOCUMENTED: Fault = {
  pointer: '',
  keyword: 'responses',
  message: 'has a status that is not documented',
}

const variantsOf = (validators: HttpChecks | undefined, variant: string | undefined) =>
  Object.entries(validators?.variants ?? {}).filter(
    ([name]) => variant === undefined || name === variant,
  )

const readBody = async (
  response: Response,
  method: string,
  types: readonly string[],
  fail: Failures,
): Promise<unknown> => {
  if (types.length === 0 || method === 'HEAD' || response.status === 204) {
    discard(response)
    return undefined
  }
  const wantsJson = types.some(isJson)
  const sent = response.headers.get('content-type') ?? (wantsJson ? 'application/json' : types[0])
  const type = sent ?? 'application/octet-stream'
  const fits = wantsJson ? isJson(type) : types.some((declared) => covers(declared, type))
  if (!fits) {
    discard(response)
    const wanted = wantsJson ? 'JSON' : types.join(' or ')
    throw fail.call('malformed-answer', `answered ${type} where ${wanted} is documented`)
  }
  if (!isJson(type)) return isText(type) ? response.text() : response.blob()
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    const what = text === '' ? 'nothing' : 'text that is not JSON'
    const cause = parseError(fail.clean(text))
    throw fail.call('malformed-answer', `answered ${what} where JSON is documented`, { cause })
  }
}

/** Faults quote values cut short, so that the redacted value is explained, where it is invalid as well. */
const explain = async (
  validators: HttpChecks,
  body: unknown,
  pick: (own: HttpChecks) => Checks | undefined,
  { explain, fail }: ReadingTerms,
): Promise<readonly Fault[]> => {
  const check = pick(validators)
  if (check === undefined || fits(check, body)) return []
  const faults = await explain({ check, value: fail.clean(body), pick, reading: 'open' })
  return faults.length > 0 ? faults : [{ pointer: '', keyword: 'schema', message: 'does not fit' }]
}

/** The body of an error is JSON or text, whatever its content type says; undefined where it is empty. */
const readErrorBody = (text: string): unknown => {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** In the open reading: a service may add fields. */
const fits = ({ check, open = check }: Checks, body: unknown): boolean => open(body)

/** The platform's message quotes the text, cut anywhere. */
const parseError = (text: string): unknown => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error
  }
}

/** Frees the connection; not awaited, for half of a cloned body is cancelled only with its other half. */
const discard = (response: Response): void => {
  response.body?.cancel().catch(() => undefined)
}

/** `x-same-as`: where one of two properties is absent or null, it gets the value of the other. */
const copyAliases = (body: unknown, pairs: HttpOperation['sameAs'] = []): unknown => {
  if (pairs.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body))
    return body
  const record = body as Readonly<Record<string, unknown>>
  const copies = pairs.flatMap(([one, other]) => {
    const [first, second] = [record[one] ?? undefined, record[other] ?? undefined]
    if (first === undefined && second !== undefined) return [[one, second]]
    return second === undefined && first !== undefined ? [[other, first]] : []
  })
  return copies.length === 0 ? body : { ...record, ...Object.fromEntries(copies) }
}
