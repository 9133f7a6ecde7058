import type { Operation } from '../../model/api.js'
import type { Session } from '../case.js'
import { ownName } from '../operation-name.js'
import type { Outcome } from './evaluate.js'

/** Which operations need not be tried any more, as the server has said so itself; shared by the cases of a run. */
export type Offered = {
  readonly isOffered: (operation: Operation) => boolean
  /** Whether the outcome says nothing of values; reports it then. */
  readonly isBeside: (operation: Operation, outcome: Outcome, session: Session) => boolean
}

export const createOffered = (): Offered => {
  const closed = new Set<string>()
  return {
    isOffered: ({ id }) => !closed.has(id),
    isBeside: (operation, outcome, session) => {
      if (outcome.kind !== 'beside the point') return false
      const { cause, why } = outcome
      if (cause !== 'away') closed.add(operation.id)
      if (cause === 'not offered') session.notOffered(operation)
      else session.skip(ownName(operation), why)
      return true
    },
  }
}
