import type { Handlers } from '../../../generated/server.js'
import { submitCall } from './call.js'
import { submitDeploy } from './deploy.js'
import { submitMessage } from './message.js'
import type { ZktParts } from './parts.js'
import { answered } from './respond.js'
import { createStatusLookup } from './status.js'

/**
 * The handlers of the two submission endpoints, which differ in who signs, and of the status lookup (SERVICE 4.2, 4.3).
 * They throw HttpError with the documented bodies; nothing is signed for what they refuse.
 */
export const createZkt = (
  parts: ZktParts,
): Pick<Handlers, 'tryZkt' | 'submitZkt' | 'getZktTransaction'> => {
  const submissions: Handlers['tryZkt'] & Handlers['submitZkt'] = {
    message: ({ body }, context) =>
      answered(context, undefined, () => submitMessage(parts, context, body.arguments)),
    call: ({ body }, context) => answered(context, body.id, () => submitCall(parts, context, body)),
    deploy: ({ body }, context) =>
      answered(context, body.id, () => submitDeploy(parts, context, body)),
  }
  return {
    tryZkt: submissions,
    submitZkt: submissions,
    getZktTransaction: createStatusLookup(parts.outbox),
  }
}

export type { ZktParts } from './parts.js'
