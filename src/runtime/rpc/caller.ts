import { CallError, RpcError } from '../errors.js'
import { isObject, type JsonObject } from '../shared/json.js'
import type { Fault } from '../validate.js'
import { listedParams, type RpcCallOptions, type RpcMethod } from './call.js'

/**
 * What every generated JSON-RPC client has beside its named methods; `Methods` maps wire names to `{ params, result }`.
 */
export interface RpcCaller<Methods extends MethodMap> extends RpcCallable {
  /** A call by wire name, as EIP-1193 has it. */
  request<const Name extends keyof Methods & string>(
    call: { readonly method: Name } & ParamsOf<Methods[Name]>,
    options?: RpcCallOptions,
  ): Promise<Methods[Name]['result']>
  /**
   * The HTTP response to one call, untouched: its status and body are the caller's to read. Params are validated, credentials
   * and hooks apply; nothing is retried, and no batch is joined.
   */
  raw<const Name extends keyof Methods & string>(
    call: { readonly method: Name } & ParamsOf<Methods[Name]>,
    options?: RpcCallOptions,
  ): Promise<Response>
  /** Sends a notification, which has no answer; resolves when it has been accepted. */
  notify<const Name extends keyof Methods & string>(
    method: Name,
    ...rest: NotificationRest<Methods[Name]>
  ): Promise<void>
  /** The same client, these options added to every call. */
  with(options: RpcCallOptions): this
  /**
   * Sends everything that `collect` calls on its client before it returns as one batch, split where the limits of the
   * document demand it; each call settles by itself. What collects is loaded by the first batch, which rejects as
   * `import()` does where that is out of reach.
   *
   * ```ts
   * const [chain, block] = await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
   * ```
   */
  batch<T>(collect: (batch: this) => T): Promise<Awaited<T>>
}

/** A client without named methods, which functions of single methods call through: `ethChainId(connection)`. */
export interface RpcConnection extends RpcCallable {
  /** The same connection, these options added to every call. */
  with(options: RpcCallOptions): this
  /**
   * Sends as one batch what is called through the connection that `collect` is given, before it returns.
   *
   * ```ts
   * const [chain, block] = await rpc.batch((b) => Promise.all([ethChainId(b), ethBlockNumber(b)]))
   * ```
   */
  batch<T>(collect: (batch: this) => T): Promise<Awaited<T>>
}

/** Clients and connections. */
export type RpcCallable = {
  readonly [CALL]: (method: RpcMethod, given: unknown) => Promise<unknown>
}

/** The property of a client that functions of single methods use. */
export const CALL: unique symbol = Symbol.for('twinspec.call')

/** A method as a function by itself, whose first argument is a client or a connection. */
export type MethodCall<M extends MethodType> = M['params'] extends readonly unknown[]
  ? (client: RpcCallable, ...params: M['params']) => Promise<M['result']>
  : CanOmit<M['params']> extends true
    ? (client: RpcCallable, params?: M['params']) => Promise<M['result']>
    : (client: RpcCallable, params: M['params']) => Promise<M['result']>

/** Params are a tuple, or an object where they go by name; `named` is that object where a method takes both. */
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

/** Whether an error is a server's refusal, of one code if that is given. */
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

/** By position, or by name where the method takes both. */
type SentParams<M extends MethodType> = M extends { readonly named: infer Named }
  ? Readonly<M['params']> | Readonly<Named>
  : Readonly<M['params']>

/**
 * A method that takes its params by position and by name, as it is called by name where `params` is an object; otherwise the
 * method itself. Generated clients pass this to `createRpc` where their document has such methods.
 */
export const namedParams = (method: RpcMethod, params: unknown): RpcMethod =>
  method.operation.paramStructure === 'either' && isObject(params)
    ? {
        ...method,
        operation: { ...method.operation, paramStructure: 'by-name' },
        listed: (named) => listed(method, named as JsonObject),
      }
    : method

/** The list that the validator of the method reads. Throws a CallError for names that are missing or unknown. */
const listed = ({ operation }: RpcMethod, named: JsonObject): readonly unknown[] => {
  const { method, params } = operation
  const missing = params.filter(({ name, required }) => required && !Object.hasOwn(named, name))
  const unknown = Object.keys(named).filter((key) => params.every(({ name }) => name !== key))
  const issues = [
    ...missing.map(({ name }) => fault(name, 'required', 'is required')),
    ...unknown.map((name) => fault(name, 'additionalProperties', 'is no param of this method')),
  ]
  if (issues.length === 0) {
    const values = params.map(({ name }) => (Object.hasOwn(named, name) ? named[name] : undefined))
    return listedParams(params, values)
  }
  const said = issues.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  throw new CallError({
    reason: 'invalid-input',
    operation: method,
    message: `${method} was not sent: ${said}`,
    issues,
  })
}

const fault = (name: string, keyword: string, message: string): Fault => ({
  pointer: `/${name}`,
  keyword,
  message,
})
