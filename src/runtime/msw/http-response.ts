import { HttpError } from '../errors.js'
import type { HttpOperation, HttpValidators } from '../operation.js'
import type { AnyHandler, HttpContext } from '../server/handlers.js'
import { checkReply, declaredKey, encodeReply, type LooseReply } from '../server/reply.js'
import { headerOf } from '../server/request.js'
import { preferred } from '../shared/prefer.js'
import { canonical } from '../validate/json-value.js'
import {
  type Asked,
  answerOfRequest,
  type DocumentedAnswer,
  type DocumentedHttp,
  isSuccess,
  statesOf,
  successesFirst,
} from './documented.js'
import { constantsOf, createTurns, type LooseAnswer, type LooseOverride } from './override.js'
import { endSentence, fault, type MockPolicy, namesOf } from './policy.js'

/**
 * Answers one HTTP operation: by its override, else by the documents' examples. Throws a TypeError where a constant of the
 * override is not what the document allows.
 */
export const mockHttp = (
  operation: HttpOperation,
  validators: HttpValidators,
  documented: DocumentedHttp,
  override: LooseOverride | undefined,
  policy: MockPolicy,
): AnyHandler | Readonly<Record<string, AnyHandler>> => {
  const own = createOwnAnswers(operation, validators, documented)
  const checked = (answer: LooseAnswer, variant?: string): LooseReply => {
    const reply = replyOf(answer, operation, documented)
    if (policy.validate) assertReply(reply, operation, validators, variant)
    return reply
  }
  const handler = (given: LooseOverride | undefined, variant?: string): AnyHandler => {
    for (const answer of constantsOf(given)) checked(answer, variant)
    const next = createTurns(given)
    const answer = async (input: Input, context: HttpContext): Promise<LooseReply> => {
      const turn = await next(input, context)
      return turn === undefined ? own(input, context, variant) : checked(turn, variant)
    }
    return async (input: Input, context: HttpContext) => {
      try {
        return await answer(input, context)
      } catch (error) {
        if (error instanceof HttpError) return checkedRefusal(error, operation, validators, policy)
        const { id } = operation
        throw new HttpError({
          operation: id,
          status: 500,
          body: undefined,
          message: policy.wrong(error),
        })
      }
    }
  }
  const { variants } = operation
  if (variants === undefined) return handler(override)
  const byVariant = variantsOf(override)
  for (const name of Object.keys(byVariant ?? {}))
    if (!Object.hasOwn(variants, name))
      throw fault(
        `${operation.id} has no variant '${name}'`,
        `it has ${namesOf(Object.keys(variants))}`,
      )
  return Object.fromEntries(
    Object.keys(variants).map((variant) => [
      variant,
      handler(byVariant ? byVariant[variant] : override, variant),
    ]),
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

/** What the documents themselves answer: what `Prefer` asks for, what belongs to the request, the next state, the first. */
const createOwnAnswers = (
  operation: HttpOperation,
  validators: HttpValidators,
  documented: DocumentedHttp,
): ((input: Input, context: HttpContext, variant?: string) => LooseReply) => {
  const states = operation.poll ? statesOf(documented, operation.poll) : []
  const asked = new Map<string, number>()
  const nextState = (input: Input): DocumentedAnswer | undefined => {
    const key = canonical([input.path, input.query, input.body])
    const turn = asked.get(key) ?? 0
    asked.set(key, turn + 1)
    return states[Math.min(turn, states.length - 1)]
  }
  return (input, context, variant) => {
    const wish = preferenceOf(context)
    if (wish !== undefined) return replyOf(wish, operation, documented)
    const parts = variant === undefined ? undefined : validators.variants?.[variant]
    const fit = variant !== undefined && parts && { name: variant, fits: parts.response.check }
    const answer = answerOfRequest(documented, askedOf(input), fit || undefined) ?? nextState(input)
    return answer ? shown(answer) : replyOf({}, operation, documented)
  }
}

const askedOf = ({ body, ...places }: Input): Asked => ({
  body,
  parameters: Object.fromEntries(
    Object.entries(places).flatMap(([place, values]) =>
      Object.entries(values ?? {}).map(([name, value]) => [`${place}.${name}`, value]),
    ),
  ),
})

/** `Prefer: code=404, example=name`, which the mock of the command line takes too. */
const preferenceOf = ({ headers }: HttpContext): LooseAnswer | undefined => {
  const { code, example } = preferred(headerOf(headers, 'prefer'))
  if (example === undefined && code === undefined) return undefined
  return { ...(code && { status: Number(code) }), ...(example && { example }) }
}

/** An answer in full. Throws a TypeError where the document shows nothing of it. */
const replyOf = (
  { status, headers, body, example }: LooseAnswer,
  operation: HttpOperation,
  { answers }: DocumentedHttp,
): LooseReply => {
  const { id, responses } = operation
  const keys = Object.keys(responses)
  const withHeaders = (reply: LooseReply): LooseReply =>
    headers === undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } }
  if (body !== undefined && status !== undefined) return withHeaders({ status, body })
  const key = status === undefined ? undefined : declaredKey(keys, status)
  const sorted = successesFirst(answers)
  if (example !== undefined) {
    const found = sorted.find(
      (one) => one.name === example && (status === undefined || one.status === key),
    )
    if (found) return withHeaders(shown(found, status))
    const where = status === undefined ? id : `${id} for ${status}`
    const known = sorted.filter((one) => status === undefined || one.status === key)
    const names = namesOf([...new Set(known.map(({ name }) => name))])
    throw fault(`the document has no example '${example}' of ${where}`, `it has ${names}`)
  }
  if (status !== undefined && key === undefined)
    throw fault(`${id} declares no answer ${status}`, `it declares ${keys.join(', ')}`)
  const first = sorted.find((one) =>
    key === undefined ? isSuccess(one.status) : one.status === key,
  )
  if (first) return withHeaders(shown(first, status))
  const empty = keys.find((one) =>
    key === undefined ? isSuccess(one) && responses[one]?.length === 0 : one === key,
  )
  if (empty !== undefined && responses[empty]?.length === 0)
    return withHeaders({ status: status ?? numberOf(empty) })
  const of = status === undefined ? id : `${id} for ${status}`
  throw fault(
    `the document has no example of an answer of ${of}`,
    'give it an override with a body',
  )
}

const shown = ({ status, value, type }: DocumentedAnswer, exact?: number): LooseReply => ({
  status: exact ?? numberOf(status),
  ...(type !== undefined && { headers: { 'content-type': type } }),
  body: value,
})

/** A status that a key stands for. */
const numberOf = (key: string): number =>
  /^\d{3}$/.test(key) ? Number(key) : /^[1-5]xx$/i.test(key) ? Number(key[0]) * 100 : 500

const assertReply = (
  reply: LooseReply,
  operation: HttpOperation,
  validators: HttpValidators,
  variant: string | undefined,
): void => {
  const sent = encodeReply(reply, operation)
  const wrong = checkReply(sent, operation, validators, variant, 'the override')
  if (wrong) throw fault(`${operation.id}: ${wrong.message}`, endSentence)
}

const checkedRefusal = (
  error: HttpError,
  operation: HttpOperation,
  validators: HttpValidators,
  policy: MockPolicy,
): never => {
  if (error.body === undefined || !policy.validate) throw error
  const { status, body } = error
  try {
    assertReply({ status, body }, operation, validators, undefined)
  } catch (wrong) {
    const message = policy.wrong(wrong)
    throw new HttpError({ operation: operation.id, status: 500, body: undefined, message })
  }
  throw error
}
