/** Functions that a client calls around each HTTP request. Their errors reject the call, without secrets. */
export type Hooks = {
  /** Called before each request, retries included, in the order of the list. May change `headers`. */
  readonly onRequest?: Hook<(request: HookRequest) => unknown> | undefined
  /**
   * Called after each response, in reverse order. The client reads the body afterwards, so a hook must read `response.clone()`.
   */
  readonly onResponse?: Hook<(response: Response, request: HookRequest) => unknown> | undefined
  /** Called with the error of a rejected call, in reverse order. */
  readonly onError?: Hook<(error: unknown, operation: string) => unknown> | undefined
}

/** One HTTP request, as hooks receive it. */
export type HookRequest = {
  /** Ids of HTTP operations, or wire names of JSON-RPC methods: several in a batch. */
  readonly operations: readonly string[]
  /** 1, and one more for each retry. */
  readonly attempt: number
  readonly method: string
  /** Without secrets. */
  readonly url: string
  /** As they are sent: they may contain secrets. */
  readonly headers: Headers
}

/** Calls hooks sequentially, from the outermost to the innermost (`in`) or in reverse (`out`). */
export const runHooks = async <Args extends readonly unknown[]>(
  hook: Hook<(...args: Args) => unknown> | undefined,
  direction: 'in' | 'out',
  ...args: Args
): Promise<void> => {
  const all = hook === undefined ? [] : [hook].flat()
  for (const one of direction === 'in' ? all : all.reverse()) await one(...args)
}

/** One function or a list of layers, of which the first is the outermost. */
export type Hook<Run> = Run | readonly Run[]
