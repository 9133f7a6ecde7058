import { explainRejection, type Why } from '../shared/load-explanations.js'
import { validatorsFor } from '../shared/validators.js'
import type { Fault } from '../validate.js'
import type { HttpChecks, Rejection } from './request.js'

/** Why a check rejected a value: its own explanation, else the one that `why` loads for the operation. */
export const explainRejected = async (
  id: string,
  { check, value, pick, reading }: Rejection,
  why: Why | undefined,
): Promise<readonly Fault[]> => {
  const faults = await explainRejection(check, {
    value,
    reading,
    why,
    pick: (all) => pick(validatorsFor<HttpChecks>(all, id)),
  }).catch(() => undefined)
  return faults ?? [UNEXPLAINED]
}

const UNEXPLAINED: Fault = {
  pointer: '',
  keyword: 'schema',
  message: "does not fit (createHttp says why when it is given () => import('./explanations.js'))",
}
