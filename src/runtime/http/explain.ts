import { findExplainer, type Why } from '../shared/load-explanations.js'
import { validatorsFor } from '../shared/validators.js'
import { tolerant } from '../validate/tolerant.js'
import { type Fault, open } from '../validate.js'
import type { HttpChecks, Rejection } from './request.js'

/** Why a value is invalid, and whether the tolerant reading of responses accepts it. */
export type Explained = { readonly faults: readonly Fault[]; readonly isTolerated: boolean }

/** Why a check rejected a value: by its own explanation, else by the one that `why` loads for the operation. */
export const explainRejected = async (
  id: string,
  { check, value, shown, pick, reading }: Rejection,
  why: Why | undefined,
): Promise<Explained> => {
  const explainer = await findExplainer(check, {
    why,
    pick: (all) => pick(validatorsFor<HttpChecks>(all, id)),
  }).catch(() => undefined)
  if (explainer === undefined) return { faults: [UNEXPLAINED], isTolerated: false }
  const isTolerant = reading === 'tolerant'
  const faults = (isTolerant ? open(explainer) : explainer).explain(shown)
  return {
    faults: faults.length > 0 ? faults : [{ ...UNEXPLAINED, message: 'does not fit' }],
    isTolerated:
      isTolerant &&
      !faults.some(({ isAmbiguous }) => isAmbiguous) &&
      tolerant(explainer).check(value),
  }
}

const UNEXPLAINED: Fault = {
  pointer: '',
  keyword: 'schema',
  message: "does not fit (createHttp says why when it is given () => import('./explanations.js'))",
}
