import type { Case, Complaint, Session } from '../case.js'
import { type Subject, subjectOf } from './subject.js'

/** A case that stands on a method that answers here; without one it is told as not tested. */
export const caseWith = (
  what: string,
  cost: number,
  run: (session: Session, subject: Subject) => Promise<readonly Complaint[]>,
): Case => {
  const name = `JSON-RPC, ${what}`
  return {
    name,
    cost,
    weight: 'protocol',
    run: async (session) => {
      const { subject, why } = await subjectOf(session)
      if (why === undefined) return run(session, subject)
      session.skip(name, why)
      return []
    },
  }
}
