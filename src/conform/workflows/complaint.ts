import type { WorkflowStep } from '../../model/workflow.js'
import { redactor } from '../../runtime/shared/redact.js'
import type { Complaint } from '../case.js'
import { cutQuotes } from '../report/quoted.js'
import type { Exchange } from '../wire/exchange.js'
import type { Flow } from './flow.js'

/** What a workflow says of a server: `workflow order, step pay: $statusCode == 200 does not hold: $statusCode is 500`. */
export const complaintOf = (
  { id, source, target }: WorkflowStep,
  { run, workflow, trail }: Flow,
  { message, due, exchange, index }: Broken,
): Complaint => {
  const { operations, session } = run
  const blot = redactor(session.target.secrets)
  return {
    rule: 'workflow-failed',
    message: cutQuotes(blot(`workflow ${trail.join(' > ')}, step ${id}: ${message}`)),
    due: cutQuotes(blot(due)),
    exchange,
    operation: target.kind === 'operation' ? operations.get(target.id) : undefined,
    // Whoever called the workflow: what does not hold is the same.
    aspect: [workflow.id, id, ...(index === undefined ? [] : [`criterion ${index + 1}`])].join('/'),
    source,
  }
}

type Broken = {
  readonly message: string
  readonly due: string
  readonly exchange: Exchange
  /** Of the criterion. */
  readonly index?: number
}
