import { tolerant } from '../validate/tolerant.js'
import { type Checks, open, type Validator } from '../validate.js'
import type { Explained, Rejection, Why } from './load-explanations.js'
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

const canExplain = (checks: Checks | undefined): checks is Validator =>
  checks !== undefined && 'explain' in checks
