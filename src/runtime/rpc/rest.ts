import { batch } from './batch.js'
import { mend, send } from './delivery.js'
import { type Given, handOver } from './loaded.js'
import { refuse } from './refusal.js'

/** What a call does without as long as all is well: loaded, as one, by the first that does not. */
export const createRest = (...given: Given) => {
  handOver(...given)
  return { batch, mend, refuse, send }
}
