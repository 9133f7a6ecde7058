import { findAddress } from './address.js'
import { mendDelivery } from './delivery.js'
import { handOver, type Loaded } from './loaded.js'
import { sendGroups } from './plan.js'
import { refuse } from './refusal.js'

/** What a call does without as long as all is well: loaded, as one, by the first that does not. */
export const createRest = (loaded: Loaded) => {
  handOver(loaded)
  return { findAddress, mendDelivery, refuse, sendGroups }
}
