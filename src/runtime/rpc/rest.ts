/** What a call does without as long as all is well: loaded, as one, by the first that does not. */
export { findAddress } from './address.js'
export { mendDelivery } from './delivery.js'
export { handOver } from './loaded.js'
export { sendGroups } from './plan.js'
export { refuse } from './refusal.js'
