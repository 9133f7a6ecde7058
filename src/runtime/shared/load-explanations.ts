import type { Fault } from '../validate.js'
import type { Explained, Rejection, Why } from './explain.js'
import { validatorsFor } from './validators.js'

/** Explains why a check rejected a value of an operation. The code is loaded on demand, because most clients never need it. */
export const explainRejection = async <Validators extends object>(
  id: string,
  rejection: Rejection<Validators>,
  why: Why | undefined,
): Promise<Explained> => {
  const unexplained = (message: string): Explained => ({
    faults: [{ pointer: '', keyword: 'schema', message }],
    isTolerated: false,
  })
  // A loading error must not hide that a value was rejected.
  const loaded = await import('./explain.js').catch(() => undefined)
  if (loaded === undefined)
    return unexplained('must match its schema; the explanations could not be loaded')
  const load = why && (async () => validatorsFor<Validators>(await why(), id))
  const explained = await loaded.explainRejected(rejection, load).catch(() => undefined)
  return explained ?? unexplained(UNEXPLAINED)
}

const UNEXPLAINED = 'must match its schema; the client option `explanations` gives the reason'

/** `/a must be a string; /b is required`: the first faults of a value. */
export const describeFaults = (
  faults: readonly Fault[],
  place: (pointer: string) => string = (pointer) => pointer || 'it',
): string => {
  // A very long pointer is not readable.
  const shown = (pointer: string) => pointer.replace(/^(.{99}).{2,}/s, '$1…')
  const listed = faults
    .slice(0, 3)
    .map(({ pointer, message }) => `${place(shown(pointer))} ${message}`)
  const more = faults.length > 3 ? [`and ${faults.length - 3} more`] : []
  return [...listed, ...more].join('; ')
}
