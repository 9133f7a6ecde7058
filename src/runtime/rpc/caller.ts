import { CallError, RpcError } from '../errors.js'
import { isObject, type JsonObject } from '../shared/json.js'
import { pointerOf } from '../shared/pointer.js'
import type { Fault } from '../validate.js'
import { listedParams, type RpcCallOptions, type RpcMethod } from './call.js'

/**
 * The members of every generated JSON-RPC client besides its named methods. `Methods` maps wire names to `{ params, result }`.
 */
export interface RpcCaller<
  Methods extends MethodMap,
  Options extends RpcCallOptions = RpcCallOptions,
> extends RpcCallable {
  /** A call by wire name, as in EIP-1193. */
  request<const Name extends keyof Methods & string>(
    call: { readonly method: Name } & ParamsOf<Methods[Name]>,
    options?: Options,
  ): Promise<Methods[Name]['result']>
  /**
   * The unmodified HTTP response to one call; the caller reads its status and body. Params are validated, credentials and hooks
   * apply. The call is neither retried nor batched.
   */
  raw<const Name extends keyof Methods & string>(
    call: { readonly method: Name } & ParamsOf<Methods[Name]>,
    options?: RpcCallOptions,
  ): Promise<Response>
  /** Sends a notification, which has no response; resolves when it has been accepted. */
  notify<const Name extends keyof Methods & string>(
    method: Name,
    ...rest: NotificationRest<Methods[Name]>
  ): Promise<void>
  /** The same client, with these options for every call. */
  with(options: Options): this
  /**
   * Sends all calls that `collect` makes on its client before it returns as one batch, split by the limits of the document.
   * Each call settles separately. The code for batches is loaded by the first batch, which rejects like `import()` if that
   * fails.
   *
   * ```ts
   * const [chain, block] = await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
   * ```
   */
  batch<T>(collect: (batch: this) => T): Promise<Awaited<T>>
}

/** A client without named methods, for functions of single methods: `ethChainId(connection)`. */
export interface RpcConnection extends RpcCallable {
  /** The same connection, with these options for every call. */
  with(options: RpcCallOptions): this
  /**
   * Sends all calls that `collect` makes through its connection before it returns as one batch.
   *
   * ```ts
   * const [chain, block] = await rpc.batch((b) => Promise.all([ethChainId(b), ethBlockNumber(b)]))
   * ```
   */
  batch<T>(collect: (batch: this) => T): Promise<Awaited<T>>
}

/** Clients and connections. */
export type RpcCallable = {
  readonly [CALL]: (method: RpcMethod, params: unknown) => Promise<unknown>
}

/** The property of a client that functions of single methods use. */
export const CALL: unique symbol = Symbol.for('twinspec.call')

/** A method as a separate function, whose first argument is a client or a connection. */
export type MethodCall<M extends MethodType> = M['params'] extends readonly unknown[]
  ? (client: RpcCallable, ...params: M['params']) => Promise<M['result']>
  : CanOmit<M['params']> extends true
    ? (client: RpcCallable, params?: M['params']) => Promise<M['result']>
    : (client: RpcCallable, params: M['params']) => Promise<M['result']>

/** Params are a tuple, or an object if they are by name; `named` is that object for a method that takes both. */
export type MethodType = {
  readonly params: object
  readonly named?: object
  readonly result: unknown
}

/** `RpcCaller` without the types of its methods. */
export type Requester = {
  readonly request: (
    call: { readonly method: string; readonly params?: unknown },
    options?: RpcCallOptions,
  ) => Promise<unknown>
}

export type MethodMap = { readonly [Name in string]: MethodType }

/** A method as a function: positional params are its arguments, named ones its only argument. */
export type Method<M extends MethodType> = M['params'] extends readonly unknown[]
  ? (...params: M['params']) => Promise<M['result']>
  : CanOmit<M['params']> extends true
    ? (params?: M['params']) => Promise<M['result']>
    : (params: M['params']) => Promise<M['result']>

/** A method with `x-variants`: a function for each variant, and for all other params. */
export type VariantMethod<M extends MethodType, Variants> = Intersection<
  {
    readonly [Name in keyof Variants]: Variants[Name] extends MethodType
      ? Method<Variants[Name]>
      : never
  }[keyof Variants]
> &
  Method<M>

/** All members of a union at once: functions become overloads. */
export type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** Whether an error is a JSON-RPC error of the server, with the code `code` if it is given. */
export const isRpcError = <const Code extends number = number>(
  error: unknown,
  code?: Code,
): error is RpcError<Code> =>
  error instanceof RpcError && (code === undefined || error.code === code)

type CanOmit<Params> = Params extends readonly unknown[]
  ? [] extends Params
    ? true
    : false
  : Readonly<Record<never, never>> extends Params
    ? true
    : false

type ParamsOf<M extends MethodType> =
  CanOmit<M['params']> extends true
    ? { readonly params?: SentParams<M> | undefined }
    : { readonly params: SentParams<M> }

type NotificationRest<M extends MethodType> =
  CanOmit<M['params']> extends true
    ? [params?: SentParams<M>, options?: RpcCallOptions]
    : [params: SentParams<M>, options?: RpcCallOptions]

/** By position, or by name if the method takes both. */
type SentParams<M extends MethodType> = M extends { readonly named: infer Named }
  ? Readonly<M['params']> | Readonly<Named>
  : Readonly<M['params']>

/**
 * Converts a method that takes its params by position and by name to one by name, if `params` is an object; otherwise returns
 * the method unchanged. Generated clients pass this to `createRpc` if their document has such methods.
 */
export const namedParams = (method: RpcMethod, params: unknown): RpcMethod =>
  method.operation.paramStructure === 'either' && isObject(params)
    ? {
        ...method,
        operation: { ...method.operation, paramStructure: 'by-name' },
        listed: (named) => listed(method, named as JsonObject),
      }
    : method

/** Named params as the list that the validator of the method validates. Throws a CallError for missing or unknown names. */
const listed = ({ operation }: RpcMethod, named: JsonObject): readonly unknown[] => {
  const { method, params } = operation
  const missing = params.filter(({ name, required }) => required && !Object.hasOwn(named, name))
  const unknown = Object.keys(named).filter((key) => params.every(({ name }) => name !== key))
  const issues = [
    ...missing.map(({ name }) => fault(name, 'required', 'is required')),
    ...unknown.map((name) => fault(name, 'additionalProperties', 'is not a param of this method')),
  ]
  if (issues.length === 0) {
    const values = params.map(({ name }) => (Object.hasOwn(named, name) ? named[name] : undefined))
    return listedParams(params, values)
  }
  const sentence = issues.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  throw new CallError({
    reason: 'invalid-input',
    operation: method,
    message: `${method} was not sent: ${sentence}`,
    issues,
  })
}

const fault = (name: string, keyword: string, message: string): Fault => ({
  pointer: pointerOf(name),
  keyword,
  message,
})
