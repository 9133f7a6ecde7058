import { tolerant } from '../validate/tolerant.js'
import { type Checks, type Fault, open, type Validator } from '../validate.js'
import { validatorsFor } from './validators.js'

/** Why a check rejected a value: by its own explanation, else by the one that `why` loads. Undefined where there is none. */
export const explainRejected = async <Validators extends object>(
  id: string,
  { check, value, shown, pick, reading }: Rejection<Validators>,
  why: Why | undefined,
): Promise<Explained | undefined> => {
  const explainer = canExplain(check)
    ? check
    : why && pick(validatorsFor<Validators>(await why(), id))
  if (!canExplain(explainer)) return undefined
  const isTolerant = reading === 'tolerant'
  const faults = (isTolerant ? open(explainer) : explainer).explain(shown)
  return {
    faults:
      faults.length > 0
        ? faults
        : [{ pointer: '', keyword: 'schema', message: 'must fit the document' }],
    isTolerated:
      isTolerant &&
      !faults.some(({ isAmbiguous }) => isAmbiguous) &&
      tolerant(explainer).check(value),
  }
}

/**
 * Loads what explains rejected values: the operations' validators by id, as generated `explanations.ts` has them. Checks
 * alone give verdicts.
 */
export type Why = () => Promise<object>

/** A value that a check rejected. What explains it is `check` itself, or what `pick` finds in the explanations. */
export type Rejection<Validators> = {
  readonly check: Checks
  readonly value: unknown
  /** The value without secrets: messages quote values cut short, and half a secret would no longer be known as one. */
  readonly shown: unknown
  readonly reading: 'tolerant' | 'strict'
  readonly pick: (validators: Validators) => Checks | undefined
}

/** Why a value is invalid, and whether the tolerant reading of responses accepts it. */
export type Explained = { readonly faults: readonly Fault[]; readonly isTolerated: boolean }

const canExplain = (checks: Checks | undefined): checks is Validator =>
  checks !== undefined && 'explain' in checks
