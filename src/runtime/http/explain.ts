import { ownValidators } from '../ground/own-validators.js'
import { explainRefusal, type Why } from '../ground/why.js'
import type { Reading } from '../validate.js'
import type { Explain, HttpChecks } from './request.js'

/** Asks what was given to explain, and says how to be told more where nothing was. */
export const explainBy =
  (id: string, reading: Reading, why: Why | undefined): Explain =>
  // What cannot be loaded must not hide what was refused.
  async (refusing, value, pick) =>
    (await explainRefusal(refusing, {
      value,
      reading,
      why,
      pick: (all) => pick(ownValidators<HttpChecks>(all, id)),
    }).catch(() => undefined)) ?? [UNEXPLAINED]

const UNEXPLAINED = {
  pointer: '',
  keyword: 'schema',
  message: "does not fit (createHttp says why when it is given () => import('./explanations.js'))",
}
