import { batch } from './batch.js'
import { mend, send } from './delivery.js'
import { handOver, type Loaded } from './loaded.js'
import { refuse } from './refusal.js'

/** What a call does without as long as all is well: loaded, as one, by the first that does not. */
export const createRest = (loaded: Loaded) => {
  handOver(loaded)
  return { batch, mend, refuse, send }
}
