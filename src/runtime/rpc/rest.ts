import { batch } from './batch.js'
import { type Given, handOver } from './loaded.js'
import { mend, send } from './send-batch.js'
import { refuse } from './unsent.js'

/** What a call does without as long as all is well: loaded, as one, by the first that does not. */
export const createRest = (...given: Given) => {
  handOver(...given)
  return { batch, mend, refuse, send }
}
