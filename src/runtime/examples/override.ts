import type { HttpOperation, HttpValidators } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import type {
  HttpContext,
  HttpInput,
  HttpReply,
  RpcContext,
  VariantHandlers,
} from '../server/handlers.js'
import { holdsItems } from '../shared/codecs.js'
import { declaredResponse, ofContent } from '../wire/status.js'
import { fault, overrideRemedy } from './policy.js'

/**
 * Replaces the documented example of an HTTP operation: a response, a function of the request, or a list with one for each
 * request. The last of a list is repeated.
 */
export type HttpOverride<O, Examples extends string> =
  | Override<HttpInput<O>, HttpContext, HttpAnswer<HttpReply<O>, Examples>>
  | undefined

/** Replaces the documented example of an HTTP operation with variants: for all of them, or for each by its name. */
export type VariantOverride<O, Variants, Examples extends string> =
  | HttpOverride<O, Examples>
  | {
      readonly variants: {
        readonly [F in keyof Variants]?:
          | Override<
              Parameters<VariantHandlers<O, Variants>[F]>[0],
              HttpContext,
              HttpAnswer<Awaited<ReturnType<VariantHandlers<O, Variants>[F]>>, Examples>
            >
          | undefined
      }
    }

/** Replaces the documented example of a JSON-RPC method. `Errors` are the codes and the messages of its declared errors. */
export type RpcOverride<
  M extends { readonly params: unknown; readonly result: unknown },
  Examples extends string,
  Errors extends number | string,
> = Override<M['params'], RpcContext, RpcResponse<M['result'], Examples, Errors>> | undefined

/** A response of a server, one example by its name, or the first example of a status. */
export type HttpAnswer<Reply, Examples extends string> =
  | Reply
  | Listed<Reply>
  | {
      readonly example: Examples
      readonly headers?: Headers
      readonly status?: never
      readonly body?: never
    }
  | {
      readonly status: StatusOf<Reply>
      readonly example?: Examples
      readonly headers?: Headers
      readonly body?: never
    }

/** The items of a stream as a list. */
type Listed<Reply> = Reply extends { readonly body: AsyncIterable<infer Item> }
  ? Omit<Reply, 'body'> & { readonly body: readonly Item[] }
  : never

/** A result, an error (a declared one by its code or message, or any), or one example by its name. */
export type RpcResponse<Result, Examples extends string, Errors extends number | string> =
  | { readonly result: Result; readonly error?: never; readonly example?: never }
  | { readonly error: Errors | ErrorObject; readonly result?: never; readonly example?: never }
  | { readonly example: Examples; readonly result?: never; readonly error?: never }

/** If a function returns `undefined`, the documented response is sent. */
export type Override<Input, Context, Answer> =
  | Answer
  | OverrideCall<Input, Context, Answer>
  | readonly (Answer | OverrideCall<Input, Context, Answer>)[]

export type OverrideCall<Input, Context, Answer> = (
  input: Input,
  context: Context,
) => Answer | undefined | Promise<Answer | undefined>

/** Any override, for documents without types. */
export type LooseOverride = Override<unknown, unknown, LooseAnswer>
export type LooseAnswer = {
  readonly status?: number
  readonly headers?: Headers
  readonly body?: unknown
  readonly example?: string
  readonly result?: unknown
  readonly error?: number | string | ErrorObject
  readonly variants?: Readonly<Record<string, LooseOverride | undefined>>
}

/** Returns the response of an override for each call; undefined for the documented one. */
export const responsesInTurn = (
  override: LooseOverride | undefined,
): ((input: unknown, context: unknown) => Promise<LooseAnswer | undefined>) => {
  let turn = 0
  const list = listOf(override)
  return async (input, context) => {
    const next = list[Math.min(turn, list.length - 1)]
    turn += 1
    return typeof next === 'function' ? next(input, context) : next
  }
}

/** The constant responses of an override. */
export const constantsOf = (override: LooseOverride | undefined): readonly LooseAnswer[] =>
  listOf(override).filter((one) => typeof one !== 'function')

const listOf = (override: LooseOverride | undefined): readonly (LooseAnswer | LooseCall)[] =>
  override === undefined ? [] : isList(override) ? override : [override]

type Headers = Readonly<Record<string, string | number>>

type StatusOf<Reply> = Reply extends { readonly status: infer Status } ? Status : never

const isList = (override: LooseOverride): override is readonly (LooseAnswer | LooseCall)[] =>
  Array.isArray(override)

type LooseCall = OverrideCall<unknown, unknown, LooseAnswer>

/** The items of an override that is a list, if its status declares only streams. */
export const itemsIn = (
  { status, body }: LooseAnswer,
  { responses }: HttpOperation,
): readonly unknown[] | undefined => {
  if (!Array.isArray(body) || status === undefined) return undefined
  const content = declaredResponse(responses, status)?.content ?? []
  const isStreamed = content.length > 0 && content.every(({ codec }) => holdsItems(codec))
  return isStreamed ? body : undefined
}

/** Throws a TypeError for an item that is invalid by its schema. */
export const assertItems = (
  items: readonly unknown[],
  { status = 200 }: LooseAnswer,
  { id, responses }: HttpOperation,
  validators: HttpValidators,
): void => {
  const response = declaredResponse(responses, status)
  const content = response?.content.find(({ codec }) => holdsItems(codec))
  const validator = ofContent(validators.items, response?.status, content?.type)
  for (const [at, item] of items.entries()) {
    const [first] = validator?.explain(item, 1) ?? []
    if (first !== undefined)
      throw fault(`${id}: item ${at + 1} of the override ${first.message}`, overrideRemedy)
  }
}

export async function* streamItems(items: readonly unknown[]): AsyncGenerator<unknown, undefined> {
  yield* items
}
