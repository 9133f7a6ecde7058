/**
 * Goes on with a value at once where it is there, and when it has come where it is a promise: waiting for what is there
 * costs more than most calls do.
 */
export const whenReady = <T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R> => (value instanceof Promise ? value.then(next) : next(value))

/** Whether `await` would wait for it: handlers may answer with promises of any make. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly then?: unknown }).then === 'function'
