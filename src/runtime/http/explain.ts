import { explainRejection, type Why } from '../shared/load-explanations.js'
import { validatorsFor } from '../shared/validators.js'
import type { Reading } from '../validate.js'
import type { Explain, HttpChecks } from './request.js'

/** Asks what was given to explain, and says how to be told more where nothing was. */
export const explainBy =
  (id: string, reading: Reading, why: Why | undefined): Explain =>
  // What cannot be loaded must not hide what was refused.
  async (refusing, value, pick) =>
    (await explainRejection(refusing, {
      value,
      reading,
      why,
      pick: (all) => pick(validatorsFor<HttpChecks>(all, id)),
    }).catch(() => undefined)) ?? [UNEXPLAINED]

const UNEXPLAINED = {
  pointer: '',
  keyword: 'schema',
  message: "does not fit (createHttp says why when it is given () => import('./explanations.js'))",
}
