import type { WorkflowAction, WorkflowStep } from '../../model/workflow.js'
import { headerOf } from '../wire/exchange.js'
import { brokenCriterion } from './criteria.js'
import type { Ended, Flow } from './flow.js'
import { NotTested } from './not-tested.js'
import { namedWorkflow, outputsOf, runWorkflow } from './run-workflow.js'
import type { Scope } from './scope.js'
import { type Attempt, tryStep } from './try-step.js'

/**
 * Tries a step until an action ends it. A failure that an action leads elsewhere is a branch of the workflow; one that ends the
 * workflow is what it does without an action too, and is told.
 */
export const runStep = async (step: WorkflowStep, flow: Flow): Promise<Ended> => {
  const retries = new Map<WorkflowAction, number>()
  for (;;) {
    const attempt = await attemptOf(step, flow)
    const { scope, complaints, isFinal } = attempt
    if (isFinal) return { kind: 'broken', complaints }
    if (complaints.length === 0) {
      const [action] = applying(step.onSuccess, scope)
      if (!action) return { kind: 'next' }
      return action.type === 'goto' ? { kind: 'goto', action } : { kind: 'end' }
    }
    // A retry is used up before what stands after it (Arazzo 1.0, Failure Action Object, retryLimit).
    const action = [...applying(step.onFailure, scope)].find(
      (one) => one.type !== 'retry' || (retries.get(one) ?? 0) < (one.retryLimit ?? 1),
    )
    if (action?.type === 'goto') return { kind: 'goto', action }
    if (action?.type !== 'retry')
      return { kind: 'broken', complaints: afterRetries(attempt, retries) }
    retries.set(action, (retries.get(action) ?? 0) + 1)
    await prepareRetry(action, flow, scope)
  }
}

const attemptOf = async (step: WorkflowStep, flow: Flow): Promise<Attempt> => {
  const attempt = await tryStep(step, flow)
  flow.steps.set(step.id, outputsOf(step.outputs, attempt.scope))
  return attempt
}

function* applying(actions: readonly WorkflowAction[], scope: Scope): Generator<WorkflowAction> {
  for (const action of actions) if (!brokenCriterion(action.criteria, scope)) yield action
}

const prepareRetry = async (action: WorkflowAction, flow: Flow, scope: Scope): Promise<void> => {
  const { session } = flow.run
  const milliseconds = 1_000 * (secondsAsked(scope) ?? action.retryAfter ?? 0)
  if (session.deadline !== undefined && session.now() + milliseconds >= session.deadline)
    throw new NotTested('the time was up')
  await session.sleep(milliseconds)
  const { stepId, workflowId } = action
  if (workflowId !== undefined)
    await runWorkflow(namedWorkflow(flow.run, workflowId), {}, flow.run, flow.trail)
  const step = flow.workflow.steps.find(({ id }) => id === stepId)
  if (step) await attemptOf(step, flow)
}

/** A server's Retry-After overrules the document's; a minute is as long as it is heard. */
const secondsAsked = ({ exchange }: Scope): number | undefined => {
  const asked = exchange?.answer && headerOf(exchange.answer, 'retry-after')
  return asked !== undefined && /^\d+$/.test(asked) ? Math.min(Number(asked), 60) : undefined
}

const afterRetries = (
  { complaints }: Attempt,
  retries: ReadonlyMap<WorkflowAction, number>,
): Attempt['complaints'] => {
  const count = [...retries.values()].reduce((sum, one) => sum + one, 0)
  if (count === 0) return complaints
  const times = count === 1 ? '1 retry' : `${count} retries`
  return complaints.map((one) => ({ ...one, message: `${one.message}, after ${times}` }))
}
