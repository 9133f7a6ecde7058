import type { CallError, HttpError, RpcError } from './errors.js'
import type { HttpService } from './http/call.js'
import { parameterOf, withParameters } from './http/pages.js'
import type { AnyInput } from './http/request.js'
import type { RpcService } from './rpc/call.js'
import type { Method, MethodType, Requester } from './rpc/caller.js'
import { paramOf, withParams } from './rpc/pages.js'
import { nextPage } from './shared/pages.js'

/** An HTTP operation as a query, which TanStack Query may refetch. `Tag` marks keys with the type of their data. */
export type HttpQuery<Tag, C extends Call> = Query<Tag, HttpInput<C>, Data<C>, HttpErrors>

/** An HTTP operation with pages. */
export type HttpPages<Tag, C extends Call> = Pages<Tag, HttpInput<C>, Data<C>, HttpErrors>

export type HttpMutation<C extends Call> = Mutation<Variables<HttpInput<C>>, Result<C>, HttpErrors>

/** A JSON-RPC method as a query: `queryOptions` takes the params of the method. */
export type RpcQuery<Tag, M extends MethodType> = Query<
  Tag,
  Parameters<Method<M>>,
  Defined<M['result']>,
  RpcErrors
>

/** A JSON-RPC method with pages. */
export type RpcPages<Tag, M extends MethodType> = Pages<
  Tag,
  Parameters<Method<M>>,
  Defined<M['result']>,
  RpcErrors
>

/** A JSON-RPC method as a mutation. The variables are the params: a tuple, or an object of named params. */
export type RpcMutation<M extends MethodType> = Mutation<
  M['params'] extends readonly unknown[]
    ? [] extends M['params']
      ? OrNone<Readonly<M['params']>>
      : Readonly<M['params']>
    : Variables<Parameters<Method<M>>>,
  M['result'],
  RpcErrors
>

export type QueriesOptions = {
  /** The first part of every key, for several servers or users in one QueryClient: `testnet`. */
  readonly prefix?: string | undefined
}

/** A placeholder for the type of data in TanStack Query's types in a generated file. */
export type Marked = { readonly [marked]: true }

/** Query, infinite-query and mutation options of each HTTP operation, by its id; the keys begin with `title`. */
export const httpQueriesOf = <Queries>(
  { operations }: HttpService,
  client: object,
  title: string,
  options: QueriesOptions = {},
): Queries => {
  // Generated code declares the types of calls.
  const calls = client as Readonly<Record<string, UntypedCall>>
  return collect(title, options, Object.entries(operations), (operation) => ({
    call: async ([input], signal) => calls[operation.id]?.(input, { signal }),
    inputOf: ([input = {}]) => input,
    argsOf: (variables) => [variables],
    current: ([input = {}], name) => parameterOf(operation, input as AnyInput, name),
    withNext: ([input = {}], next) => [withParameters(operation, input as AnyInput, next)],
  }))
}

/**
 * Query, infinite-query and mutation options of each JSON-RPC method, by its id. Calls are sent by `client`, which batches
 * those of one tick with `batch: 'auto'`.
 */
export const rpcQueriesOf = <Queries>(
  { operations }: RpcService,
  client: object,
  title: string,
  options: QueriesOptions = {},
): Queries => {
  // Generated code declares the types of params and results.
  const { request } = client as Requester
  return collect(title, options, Object.entries(operations), (operation) => {
    const { method } = operation
    const isNamed = operation.paramStructure === 'by-name'
    return {
      call: (args, signal) => request({ method, params: isNamed ? args[0] : args }, { signal }),
      inputOf: (args) => (isNamed ? (args[0] ?? {}) : withoutEnd(args)),
      // The variables of a method with positional params are the list of its params.
      argsOf: (variables) => (isNamed ? [variables] : ((variables ?? []) as readonly unknown[])),
      current: (args, name) => paramOf(operation, args, name),
      withNext: (args, next) => withParams(operation, args, next),
    }
  })
}

type Call = (...args: never) => unknown

type UntypedCall = (input: unknown, options: { signal: AbortSignal | undefined }) => unknown

type HttpErrors = HttpError | CallError
type RpcErrors = RpcError | HttpError | CallError

type Query<Tag, Input extends readonly unknown[], Data, Failure> = {
  /** The start of the keys of all queries of the operation: `queryClient.invalidateQueries({ queryKey: order.key })`. */
  readonly key: QueryKey
  readonly queryKey: (...input: Input) => Tagged<Tag, Data>
  readonly queryOptions: (...input: Input) => {
    queryKey: Tagged<Tag, Data>
    queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
    /** Exists in the type only, to declare the type of the error. */
    retry?: RetryOf<Failure>
  }
}

type Pages<Tag, Input extends readonly unknown[], Page, Failure> = {
  readonly infiniteQueryKey: (...input: Input) => Tagged<Tag, PagesData<Page>>
  readonly infiniteQueryOptions: (...input: Input) => {
    queryKey: Tagged<Tag, PagesData<Page>>
    queryFn: (context: {
      readonly signal: AbortSignal
      readonly pageParam: PageParam
    }) => Promise<Page>
    initialPageParam: PageParam
    getNextPageParam: (page: Page, pages: Page[], pageParam: PageParam) => PageParam | undefined
    retry?: RetryOf<Failure>
  }
}

type Mutation<Variables, Data, Failure> = {
  readonly key: QueryKey
  readonly mutationOptions: () => {
    mutationKey: QueryKey
    mutationFn: (variables: Variables) => Promise<Data>
    retry?: RetryOf<Failure>
  }
}

type QueryKey = readonly unknown[]

/** TanStack Query's `DataTag`, whose symbols differ between its versions. */
type Tagged<Tag, Data> = QueryKey & {
  [Key in keyof Tag]: Tag[Key] extends Marked ? Data : Tag[Key]
}

type RetryOf<Failure> = boolean | number | ((failures: number, error: Failure) => boolean)

/** The parameters that lead from the first page to this one. */
type PageParam = Readonly<Record<string, unknown>>

type PagesData<Page> = { pages: Page[]; pageParams: PageParam[] }

/** The arguments of a call, without its options. */
type HttpInput<C extends Call> =
  Parameters<C> extends [input: infer Input, options?: unknown]
    ? [input: Input]
    : Parameters<C> extends [input?: infer Input, options?: unknown]
      ? [input?: Input]
      : never

type Variables<Input extends readonly unknown[]> = Input extends [unknown]
  ? Input[0]
  : OrNone<Input[0]>

// biome-ignore lint/suspicious/noConfusingVoidType: `mutate()` needs no argument where void is one of its types
type OrNone<T> = T | void

type Result<C extends Call> = Awaited<ReturnType<C>>

type Data<C extends Call> = Defined<Result<C>>

/** TanStack Query does not accept `undefined` as data. */
type Defined<T> = T extends undefined ? null : T

declare const marked: unique symbol

type Sending = {
  readonly call: (args: Args, signal: AbortSignal | undefined) => Promise<unknown>
  /** The part of the arguments in the key. */
  readonly inputOf: (args: Args) => unknown
  readonly argsOf: (variables: unknown) => Args
  readonly current: (args: Args, name: string) => unknown
  readonly withNext: (args: Args, next: PageParam) => Args
}

type Args = readonly unknown[]

const collect = <Operation extends { readonly pages?: Parameters<typeof nextPage>[0] }, Queries>(
  title: string,
  { prefix }: QueriesOptions,
  operations: readonly (readonly [string, Operation])[],
  sendingOf: (operation: Operation) => Sending,
): Queries =>
  Object.fromEntries(
    operations.map(([id, operation]) => {
      const key = [...(prefix === undefined ? [] : [prefix]), title, id]
      return [id, queriesOf(key, operation.pages, sendingOf(operation))]
    }),
    // Generated code declares the types of operations.
  ) as Queries

const queriesOf = (
  key: QueryKey,
  pages: Parameters<typeof nextPage>[0] | undefined,
  { call, inputOf, argsOf: args, current, withNext }: Sending,
) => {
  const queryKey = (...input: Args) => [...key, keyPart(inputOf(input))]
  const infiniteQueryKey = (...input: Args) => [...queryKey(...input), 'pages']
  return {
    key,
    queryKey,
    queryOptions: (...input: Args) => ({
      queryKey: queryKey(...input),
      queryFn: async ({ signal }: Context) => (await call(input, signal)) ?? null,
    }),
    mutationOptions: () => ({
      mutationKey: key,
      mutationFn: (variables: unknown) => call(args(variables), undefined),
    }),
    ...(pages && {
      infiniteQueryKey,
      infiniteQueryOptions: (...input: Args) => ({
        queryKey: infiniteQueryKey(...input),
        queryFn: async ({ signal, pageParam }: Context & { readonly pageParam: PageParam }) =>
          (await call(withNext(input, pageParam), signal)) ?? null,
        initialPageParam: {},
        getNextPageParam: (body: unknown, _pages: readonly unknown[], pageParam: PageParam) => {
          const sent = withNext(input, pageParam)
          return nextPage(pages, { body }, (name) => current(sent, name))
        },
      }),
    }),
  }
}

type Context = { readonly signal: AbortSignal }

/** Keys are compared as JSON, which has no bigint. */
const keyPart = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(keyPart)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, keyPart(one)]))
}

/** Omitted params at the end are not sent. */
const withoutEnd = (args: Args): Args =>
  args.slice(0, args.findLastIndex((one) => one !== undefined) + 1)
