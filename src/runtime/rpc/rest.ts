import { createFind } from './address.js'
import { mendDelivery } from './delivery.js'
import { planGroups } from './plan.js'
import { explainUnsent } from './refusal.js'

/** What a call does without as long as all is well: loaded, as one, by the first that does not. */
export const rest = { createFind, explainUnsent, mendDelivery, planGroups }
