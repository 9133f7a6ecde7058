import type { Api, JsonObject } from '../../model/api.js'
import type { Workflow } from '../../model/workflow.js'
import type { Session } from '../case.js'
import type { Flow, Outcome, WorkflowRun } from './flow.js'
import { inputsOf } from './inputs.js'
import { NotTested } from './not-tested.js'
import { runStep } from './run-step.js'
import { type Scope, valueAt } from './scope.js'

/**
 * Runs the steps of a workflow by what their actions say, and resolves with its outputs or with what did not hold. Throws
 * NotTested where that could not be found out.
 */
export const runWorkflow = async (
  workflow: Workflow,
  given: JsonObject,
  run: WorkflowRun,
  trail: readonly string[] = [],
): Promise<Outcome> => {
  const { session, done } = run
  const { inputs, fault } = inputsOf(workflow, given, session)
  if (fault !== undefined) throw new NotTested(fault)
  if (trail.length > DEEPEST) throw new NotTested(`${workflow.id} calls itself without an end`)
  const steps = new Map<string, JsonObject>()
  const flow: Flow = { run, workflow, inputs, steps, trail: [...trail, workflow.id] }
  let at = 0
  for (let taken = 0; ; taken++) {
    const step = workflow.steps[at]
    if (!step) break
    if (taken >= MOST_STEPS) throw new NotTested(`it has no end after ${MOST_STEPS} steps`)
    const ended = await runStep(step, flow)
    if (ended.kind === 'broken') {
      session.cover('workflow', workflow.id)
      return ended
    }
    if (ended.kind === 'end') break
    if (ended.kind === 'next') at += 1
    else {
      const { stepId, workflowId } = ended.action
      if (workflowId !== undefined) {
        session.cover('workflow', workflow.id)
        return runWorkflow(namedWorkflow(run, workflowId), {}, run, flow.trail)
      }
      at = workflow.steps.findIndex(({ id }) => id === stepId)
      if (at === -1) throw new NotTested(`it has no step ${stepId}, to which ${step.id} goes on`)
    }
  }
  session.cover('workflow', workflow.id)
  const scope = scopeOf(flow)
  const outputs = outputsOf(workflow.outputs, scope)
  done.set(workflow.id, { inputs, outputs })
  return { kind: 'held', outputs }
}

/** What the workflows of one run share: nothing is done yet. */
export const createRun = (
  api: Pick<Api, 'workflows' | 'operations'>,
  session: Session,
): WorkflowRun => ({
  session,
  workflows: new Map(api.workflows.map((one) => [one.id, one])),
  operations: new Map(api.operations.map((one) => [one.id, one])),
  done: new Map(),
  last: undefined,
})

/** Throws NotTested where the document has none of that name. */
export const namedWorkflow = ({ workflows }: WorkflowRun, id: string): Workflow => {
  const named = workflows.get(id)
  if (!named) throw new NotTested(`the document has no workflow ${id}`)
  return named
}

/** What expressions see in a workflow, before a step adds what it has met. */
export const scopeOf = (
  { run, workflow, inputs, steps }: Flow,
  met: Partial<Pick<Scope, 'exchange' | 'parameters'>> = {},
  called: JsonObject = {},
): Scope => {
  const scope: Omit<Scope, 'output'> = {
    inputs,
    steps,
    workflows: run.done,
    exchange: met.exchange,
    parameters: met.parameters ?? {},
  }
  const own = (name: string): unknown => {
    const expression = Object.hasOwn(workflow.outputs, name) ? workflow.outputs[name] : undefined
    // An output that names another would never end.
    return expression && valueAt(expression, { ...scope, output: () => undefined })
  }
  return { ...scope, output: (name) => (Object.hasOwn(called, name) ? called[name] : own(name)) }
}

/** Name -> value, undefined where an expression leads to nothing. Throws NotTested as `valueAt` does. */
export const outputsOf = (outputs: Readonly<Record<string, string>>, scope: Scope): JsonObject =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, expression]) => [name, valueAt(expression, scope)]),
  )

const DEEPEST = 20
const MOST_STEPS = 500
