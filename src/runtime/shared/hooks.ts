/** Functions that a client calls around each HTTP request. What they throw rejects the call, without secrets. */
export type Hooks = {
  /** Before each request, retries included; the first one first. May change `headers`. */
  readonly onRequest?: Hook<(request: HookRequest) => unknown> | undefined
  /** After each response, the last one first. Its body is read afterwards: a hook reads `response.clone()`. */
  readonly onResponse?: Hook<(response: Response, request: HookRequest) => unknown> | undefined
  /** With the error that a call rejects with, the last one first. */
  readonly onError?: Hook<(error: unknown, operation: string) => unknown> | undefined
}

/** One HTTP request, as hooks see it. */
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

/** Calls hooks one after the other, from the outermost to the innermost (`in`) or back (`out`). */
export const runHooks = async <Args extends readonly unknown[]>(
  hook: Hook<(...args: Args) => unknown> | undefined,
  direction: 'in' | 'out',
  ...args: Args
): Promise<void> => {
  const all = hook === undefined ? [] : [hook].flat()
  for (const one of direction === 'in' ? all : all.reverse()) await one(...args)
}

/** One function or a list: as layers, of which the first is the outermost. */
export type Hook<Run> = Run | readonly Run[]
