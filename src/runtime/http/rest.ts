import { sendCarefully } from './careful.js'
import { pollOperation } from './poll.js'

/** What a call does without as long as all is ordinary: loaded, as one, by the first that is not. */
export const rest = { pollOperation, sendCarefully }

export type Rest = typeof rest
