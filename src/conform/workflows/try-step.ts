import type { JsonObject, Operation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import type { WorkflowStep } from '../../model/workflow.js'
import type { Complaint } from '../case.js'
import type { Exchange } from '../wire/exchange.js'
import { complaintOf } from './complaint.js'
import { brokenCriterion } from './criteria.js'
import { fill } from './fill.js'
import type { Flow } from './flow.js'
import { inputsOf } from './inputs.js'
import { NotTested } from './not-tested.js'
import { namedWorkflow, runWorkflow, scopeOf } from './run-workflow.js'
import { bodyValue, type Scope } from './scope.js'
import { writeStep } from './write-step.js'

/** One attempt of a step, judged by its criteria. */
export type Attempt = {
  /** What expressions of its outputs and actions see. */
  readonly scope: Scope
  /** Why it has failed; none where all of its criteria hold. */
  readonly complaints: readonly Complaint[]
  /** Another attempt would be the same, so that no action applies. */
  readonly isFinal?: true
}

/** Sends the request of a step, or runs the workflow that it calls. Throws NotTested where neither can be done. */
export const tryStep = (step: WorkflowStep, flow: Flow): Promise<Attempt> =>
  step.target.kind === 'workflow' ? tryWorkflow(step, flow) : tryOperation(step, flow)

const tryOperation = async (step: WorkflowStep, flow: Flow): Promise<Attempt> => {
  const { run } = flow
  const { session } = run
  const operation = run.operations.get(step.target.id)
  if (!operation) throw new NotTested(`no document has an operation ${step.target.id}`)
  const request = writeStep(step, operation, session.target, scopeOf(flow))
  if ('missing' in request) return unsendable(step, flow, request.missing)
  const { sent, parameters, cost } = request
  const exchange = await session.ask(sent, { cost })
  run.last = exchange
  assertOffered(run.operations, exchange)
  const scope = scopeOf(flow, { exchange, parameters })
  if (!exchange.answer) {
    const message = `no answer came, for ${exchange.failure}`
    return { scope, complaints: [complaintOf(step, flow, { message, due: 'an answer', exchange })] }
  }
  return { scope, complaints: judged(step, flow, scope, exchange) }
}

const tryWorkflow = async (step: WorkflowStep, flow: Flow): Promise<Attempt> => {
  const { run, trail } = flow
  const called = namedWorkflow(run, step.target.id)
  const before = scopeOf(flow)
  const filled = step.parameters.map(({ name, value }) => [name, fill(value, before)] as const)
  const given: JsonObject = Object.fromEntries(filled.filter(([, value]) => value !== undefined))
  const { fault } = inputsOf(called, given, run.session)
  if (fault !== undefined) return unsendable(step, flow, fault)
  const outcome = await runWorkflow(called, given, run, [...trail, step.id])
  if (outcome.kind === 'broken') return { scope: before, complaints: outcome.complaints }
  const scope = scopeOf(flow, {}, outcome.outputs)
  return { scope, complaints: run.last ? judged(step, flow, scope, run.last) : [] }
}

const judged = (
  step: WorkflowStep,
  flow: Flow,
  scope: Scope,
  exchange: Exchange,
): readonly Complaint[] => {
  const broken = brokenCriterion(step.successCriteria, scope)
  if (!broken) return []
  const { criterion, index, seen } = broken
  const message = `${criterion} does not hold: ${seen}`
  return [complaintOf(step, flow, { message, due: criterion, exchange, index })]
}

/** Only an answer can have lacked it where something was answered before; else the document does. */
const unsendable = (step: WorkflowStep, flow: Flow, what: string): Attempt => {
  const exchange = flow.run.last
  const why = what.startsWith('$') ? `${what} leads to nothing` : what
  if (!exchange) throw new NotTested(`its step ${step.id} cannot be sent: ${why}`)
  const message = `it cannot be sent after the answers before it: ${why}`
  const due = 'an answer with what the next step needs'
  return {
    scope: scopeOf(flow),
    complaints: [complaintOf(step, flow, { message, due, exchange })],
    isFinal: true,
  }
}

/** A method that declares that it may be missing, and is, leaves nothing to judge. */
const assertOffered = (
  operations: ReadonlyMap<string, Operation>,
  { sent, answer }: Exchange,
): void => {
  const [asked, told] = [bodyValue(sent.body), bodyValue(answer?.body)]
  if (!isObject(asked) || !isObject(told) || !isObject(told.error)) return
  if (told.error.code !== METHOD_NOT_FOUND) return
  for (const one of operations.values()) {
    const isMeant = one.kind === 'rpc' && one.method === asked.method
    if (isMeant && one.errors.some(({ code }) => code === METHOD_NOT_FOUND))
      throw new NotTested(`the server says that it does not offer ${one.method}`)
  }
}

const METHOD_NOT_FOUND = -32601
