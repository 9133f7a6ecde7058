import { HttpError } from '../errors.js'
import type { Content, HttpOperation, HttpValidators } from '../operation.js'
import type { AnyHandler, HttpContext } from '../server/handlers.js'
import { checkReply, encodeReply, type LooseReply } from '../server/reply.js'
import { isStream } from '../server/request.js'
import { holdsItems, responseCodec } from '../shared/codecs.js'
import { canonicalText } from '../validate/json-value.js'
import { isRange } from '../wire/content.js'
import { headerOf } from '../wire/headers.js'
import { declaredResponse } from '../wire/status.js'
import {
  answerOfRequest,
  type DocumentedAnswer,
  type DocumentedHttp,
  isAcceptable,
  ordinaryKeys,
  pageOf,
  preferred,
  type RequestValues,
  sortAnswers,
  statesOf,
} from './documented.js'
import {
  assertItems,
  constantsOf,
  itemsIn,
  type LooseAnswer,
  type LooseOverride,
  responsesInTurn,
  streamItems,
} from './override.js'
import { fault, type MockPolicy, overrideRemedy, quotedNames } from './policy.js'

/**
 * Creates the handler of one HTTP operation. The response is its override, else a documented example, else a sample. Throws a
 * TypeError for a constant override that the document does not allow.
 */
export const mockHttp = (
  operation: HttpOperation,
  validators: HttpValidators,
  documented: DocumentedHttp,
  override: LooseOverride | undefined,
  policy: MockPolicy,
): AnyHandler | Readonly<Record<string, AnyHandler>> => {
  const own = createOwnAnswers(operation, validators, documented, policy)
  const answers = sortAnswers(documented.answers, ordinaryKeys(operation), undefined)
  const checked = (answer: LooseAnswer, variant?: string): LooseReply => {
    const items = itemsIn(answer, operation)
    if (items !== undefined) {
      if (policy.validate) assertItems(items, answer, operation, validators)
      return { ...answer, status: answer.status ?? 200, body: streamItems(items) }
    }
    const reply = replyOf(answer, { operation, documented, answers, policy })
    // The items of a stream exist only when they are sent.
    if (policy.validate && !isStream(reply.body))
      assertReply(reply, operation, validators, variant, policy)
    return reply
  }
  const handler = (chosen: LooseOverride | undefined, variant?: string): AnyHandler => {
    for (const answer of constantsOf(chosen)) checked(answer, variant)
    const next = responsesInTurn(chosen)
    const answer = async (input: Input, context: HttpContext): Promise<LooseReply> => {
      const turn = await next(input, context)
      return turn === undefined ? own(input, context, variant) : checked(turn, variant)
    }
    return async (input: Input, context: HttpContext) => {
      try {
        return await answer(input, context)
      } catch (error) {
        if (error instanceof HttpError)
          return checkedRejection(error, operation, validators, policy)
        throw rejection(operation, 500, policy.wrong(error))
      }
    }
  }
  const { variants } = operation
  if (variants === undefined) return handler(override)
  const byVariant = variantsOf(override)
  const names = variants.map(({ name }) => name)
  for (const name of Object.keys(byVariant ?? {}))
    if (!names.includes(name))
      throw fault(`${operation.id} has no variant '${name}'`, `it has ${quotedNames(names)}`)
  return Object.fromEntries(
    names.map((variant) => {
      const isNamed = byVariant !== undefined && Object.hasOwn(byVariant, variant)
      const own = isNamed ? byVariant[variant] : undefined
      return [variant, handler(byVariant ? own : override, variant)]
    }),
  )
}

type Input = Readonly<
  Record<'path' | 'query' | 'header' | 'cookie', Readonly<Record<string, unknown>>>
> & {
  readonly body: unknown
}

const variantsOf = (
  override: LooseOverride | undefined,
): Readonly<Record<string, LooseOverride | undefined>> | undefined =>
  typeof override === 'object' && 'variants' in override ? override.variants : undefined

/**
 * The documented response, in this order: the one that `Prefer` requests, the example for the request, a state of a polled
 * operation, the first example of success, a sample.
 */
const createOwnAnswers = (
  operation: HttpOperation,
  validators: HttpValidators,
  documented: DocumentedHttp,
  policy: MockPolicy,
): ((input: Input, context: HttpContext, variant?: string) => LooseReply) => {
  const keys = ordinaryKeys(operation)
  const states = operation.poll ? statesOf(documented.answers, operation.poll) : []
  const turns = new Map<string, number>()
  const nextState = (input: Input): DocumentedAnswer | undefined => {
    if (!policy.hasStates) return states.at(-1)
    const key = canonicalText([input.path, input.query, input.body])
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return states[Math.min(turn, states.length - 1)]
  }
  return (input, { headers }, variant) => {
    const accept = chosenTypes(operation, input.body) ?? headerOf(headers, 'accept')
    const answers = sortAnswers(documented.answers, keys, accept)
    const place = { operation, documented, answers, accept, policy }
    const { code: status, example, dynamic } = preferred(headerOf(headers, 'prefer'))
    if (status !== undefined || example !== undefined || dynamic)
      return preferredReply(
        { ...(status !== undefined && { status }), ...(example && { example }) },
        { ...place, answers: dynamic ? [] : answers },
      )
    const parts = variant === undefined ? undefined : validators.variants?.[variant]
    const fit = variant !== undefined && parts && { name: variant, fits: parts.response.check }
    const answer =
      answerOfRequest(documented, answers, valuesOf(input), fit || undefined) ?? nextState(input)
    if (answer && isUsable(answer, place)) return shown(answer, operation)
    const reply = replyOf({}, place)
    const paramValue = (name: string) =>
      operation.parameters.flatMap((one) => (one.name === name ? input[one.in]?.[name] : []))[0]
    return { ...reply, body: pageOf(reply.body, operation.pages, paramValue) }
  }
}

/** The media types that the property `stream` of a request selects; undefined if no such property is declared. */
const chosenTypes = (
  { responses, streamDefault }: HttpOperation,
  body: unknown,
): string | undefined => {
  if (streamDefault === undefined) return undefined
  const isStreamed = (Object(body).stream ?? streamDefault) === true
  const content = responses.flatMap((one) => one.content)
  const chosen = content.filter(({ codec }) => (isStreamed ? holdsItems(codec) : codec === 'json'))
  return chosen.map(({ type }) => type).join(', ')
}

/** A preference that the document does not have leads to a 404, as in Prism. */
const preferredReply = (preference: LooseAnswer, place: Place): LooseReply => {
  try {
    return replyOf(preference, place)
  } catch (error) {
    throw rejection(place.operation, 404, place.policy.wrong(error))
  }
}

const rejection = ({ id }: HttpOperation, status: number, message: string): HttpError =>
  new HttpError({ operation: id, status, body: undefined, message })

const valuesOf = ({ body, ...places }: Input): RequestValues => ({
  body,
  parameters: Object.fromEntries(
    Object.entries(places).flatMap(([place, values]) =>
      Object.entries(values ?? {}).map(([name, value]) => [`${place}.${name}`, value]),
    ),
  ),
})

type Place = {
  readonly operation: HttpOperation
  readonly documented: DocumentedHttp
  /** In the order of preference. */
  readonly answers: readonly DocumentedAnswer[]
  readonly accept?: string | undefined
  readonly policy: MockPolicy
}

/** Whether `Accept` allows an example, or allows neither another example of the status nor a sample. */
const isUsable = (
  answer: DocumentedAnswer,
  { operation, answers, accept, policy }: Place,
): boolean => {
  if (isAcceptable(answer, accept)) return true
  const sample = policy.samples?.response(operation.id, answer.status, { accept })
  const others = [
    ...answers.filter(({ status }) => status === answer.status),
    ...(sample ? [sample] : []),
  ]
  return !others.some((one) => isAcceptable(one, accept))
}

/** A complete reply. Throws a TypeError if the document has no content for it. */
const replyOf = ({ status, headers, body, example }: LooseAnswer, place: Place): LooseReply => {
  const { operation, documented, answers, accept, policy } = place
  const { id, responses } = operation
  const withHeaders = (reply: LooseReply): LooseReply =>
    headers === undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } }
  if (body !== undefined && status !== undefined) return withHeaders({ status, body })
  const key = status === undefined ? undefined : declaredResponse(responses, status)?.status
  if (example !== undefined) {
    const found = answers.find(
      (one) => one.name === example && (status === undefined || one.status === key),
    )
    if (found) return withHeaders(shown(found, operation, status))
    const where = status === undefined ? id : `${id} for ${status}`
    const known = answers.filter((one) => status === undefined || one.status === key)
    const names = quotedNames([...new Set(known.map(({ name }) => name))])
    throw fault(`the document has no example '${example}' of ${where}`, `it has ${names}`)
  }
  if (status !== undefined && key === undefined)
    throw fault(
      `${id} declares no response ${status}`,
      `it declares ${responses.map((one) => one.status).join(', ')}`,
    )
  const wanted = key === undefined ? ordinaryKeys(operation) : [key]
  const first = answers.find((one) => wanted.includes(one.status))
  if (first && isUsable(first, place)) return withHeaders(shown(first, operation, status))
  for (const one of wanted) {
    const sample = policy.samples?.response(id, one, {
      accept,
      status: status ?? statusOf(one, operation),
    })
    if (sample) return withHeaders(shown(sample, operation, status))
    const content = responses.find((each) => each.status === one)?.content
    const own = documented.heads?.[one] ?? {}
    const head = { status: status ?? statusOf(one, operation), headers: own }
    if (content?.length === 0) return withHeaders(head)
    const [media] = content ?? []
    // The content of bytes is unknown.
    if (media !== undefined && content?.every(isBinary))
      return withHeaders({ ...head, headers: { 'content-type': media.type }, body: BYTES })
  }
  // OpenAPI 3.1 lets an operation declare no responses.
  if (responses.length === 0) return withHeaders({ status: 200 })
  const of = status === undefined ? id : `${id} for ${status}`
  if (policy.samples)
    throw fault(
      `the document has no example of a response of ${of} that its schema accepts, and no value was found that it does`,
      'correct the schema, or add an example',
    )
  throw fault(`the document has no example of a response of ${of}`, 'pass an override with a body')
}

const shown = (
  { status: key, value, type, isItems, headers }: DocumentedAnswer,
  operation: HttpOperation,
  exact?: number,
): LooseReply => {
  const status = exact ?? statusOf(key, operation)
  const named = { ...headers, ...(type !== undefined && { 'content-type': type }) }
  // The text of an example becomes the bytes of a file, so that ranges of it can be sent.
  const isFile =
    type !== undefined &&
    typeof value === 'string' &&
    isBinary({ type, codec: responseCodec(type) })
  const bytes = isFile ? new TextEncoder().encode(value) : value
  const body = isItems && Array.isArray(value) ? streamItems(value) : bytes
  return { status, headers: named, ...(!BODILESS.has(status) && { body }) }
}

const isBinary = ({ type, codec }: Content): boolean => codec === 'bytes' && !isRange(type)

const BYTES = new TextEncoder().encode('bytes')

/** RFC 9110, 15: responses without content. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** A status for a key of responses. */
const statusOf = (key: string, operation: HttpOperation): number => {
  if (/^\d{3}$/.test(key)) return Number(key)
  if (/^[2-5]xx$/i.test(key)) return Number(key[0]) * 100
  return ordinaryKeys(operation).includes(key) ? 200 : 500
}

const assertReply = (
  reply: LooseReply,
  operation: HttpOperation,
  validators: HttpValidators,
  variant: string | undefined,
  { codecs = {} }: MockPolicy,
): void => {
  const sent = encodeReply(reply, operation, codecs)
  const wrong = checkReply(sent, operation, validators, variant, codecs, 'the override')
  if (wrong) throw fault(`${operation.id}: ${wrong.message}`, overrideRemedy)
}

const checkedRejection = (
  error: HttpError,
  operation: HttpOperation,
  validators: HttpValidators,
  policy: MockPolicy,
): never => {
  if (error.body === undefined || !policy.validate) throw error
  const { status, body } = error
  try {
    assertReply({ status, body }, operation, validators, undefined, policy)
  } catch (wrong) {
    throw rejection(operation, 500, policy.wrong(wrong))
  }
  throw error
}
