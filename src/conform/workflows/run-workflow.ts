import type { Api, Operation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import type { Workflow, WorkflowAction, WorkflowStep } from '../../model/workflow.js'
import { redactor } from '../../runtime/shared/redact.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import type { Exchange } from '../../traffic/exchange.js'
import { type ExchangeFinding, NotTested, type Session } from '../case.js'
import { cutQuotes } from '../report/shown.js'
import { isNotOffered } from '../responses/not-offered.js'
import { errorOf } from '../responses/read.js'
import { isAbsence } from '../rpc/subject.js'
import { retryAfter } from '../wire/exchange.js'
import { brokenCriterion } from './criteria.js'
import {
  bodyValue,
  type Flow,
  inputsOf,
  outputsOf,
  type Scope,
  scopeOf,
  type WorkflowRun,
  type WorkflowSession,
} from './scope.js'
import { fill, writeStep } from './write-step.js'

/**
 * Runs the steps of a workflow and their actions. Resolves with its outputs, or with findings about what did not hold. Throws
 * NotTested if it cannot be decided.
 */
export const runWorkflow = async (
  workflow: Workflow,
  values: JsonObject,
  run: WorkflowRun,
  trail: readonly string[] = [],
): Promise<WorkflowResult> => {
  const { session, done } = run
  const { inputs, fault } = inputsOf(workflow, values, session)
  if (fault !== undefined) throw new NotTested(fault)
  if (trail.length > DEEPEST) throw new NotTested(`${workflow.id} calls itself endlessly`)
  const steps = new Map<string, JsonObject>()
  const flow: Flow = { run, workflow, inputs, steps, trail: [...trail, workflow.id] }
  let at = 0
  for (;;) {
    const step = workflow.steps[at]
    if (!step) break
    const result = await runStep(step, flow)
    if (result.kind === 'broken') {
      session.cover('workflow', workflow.id)
      return result
    }
    if (result.kind === 'end') break
    if (result.kind === 'next') at += 1
    else {
      const { stepId, workflowId } = result.action
      if (workflowId !== undefined) {
        session.cover('workflow', workflow.id)
        return runWorkflow(namedWorkflow(run, workflowId), {}, run, flow.trail)
      }
      at = workflow.steps.findIndex(({ id }) => id === stepId)
      if (at === -1)
        throw new NotTested(`its step ${step.id} goes to ${stepId}, which does not exist`)
    }
  }
  session.cover('workflow', workflow.id)
  const scope = scopeOf(flow)
  const outputs = outputsOf(workflow.outputs, scope)
  done.set(workflow.id, { inputs, outputs })
  return { kind: 'passed', outputs }
}

/** The shared state of the workflows of one run, before any has run. */
export const createRun = (
  api: Pick<Api, 'workflows' | 'operations'>,
  session: WorkflowSession & Pick<Session, 'ask'>,
): WorkflowRun => ({
  session,
  send: ({ sent, cost }) => session.ask(sent, { cost }),
  workflows: new Map(api.workflows.map((one) => [one.id, one])),
  operations: new Map(api.operations.map((one) => [one.id, one])),
  done: new Map(),
  last: undefined,
  attempts: 0,
})

/** Throws NotTested if the document has no workflow of this name. */
export const namedWorkflow = ({ workflows }: WorkflowRun, id: string): Workflow => {
  const named = workflows.get(id)
  if (!named) throw new NotTested(`the document has no workflow ${id}`)
  return named
}

const DEEPEST = 20
/** Steps of one case, those of called workflows included. */
export const MOST_STEPS = 500

/**
 * Runs a step until an action ends it. A failure with an action that goes elsewhere is a branch of the workflow. A failure whose
 * action ends the workflow is reported, as one without an action is.
 */
const runStep = async (step: WorkflowStep, flow: Flow): Promise<StepResult> => {
  const retries = new Map<WorkflowAction, number>()
  for (;;) {
    const attempt = await runAttempt(step, flow)
    const { scope, findings, isFinal } = attempt
    if (isFinal) return { kind: 'broken', findings }
    if (findings.length === 0) {
      const [action] = applying(step.onSuccess, scope)
      if (!action) return { kind: 'next' }
      return action.type === 'goto' ? { kind: 'goto', action } : { kind: 'end' }
    }
    // Retries are used up before the action that follows them (Arazzo 1.0, Failure Action Object, retryLimit).
    const action = [...applying(step.onFailure, scope)].find(
      (one) => one.type !== 'retry' || (retries.get(one) ?? 0) < (one.retryLimit ?? 1),
    )
    if (action?.type === 'goto') return { kind: 'goto', action }
    if (action?.type !== 'retry')
      return { kind: 'broken', findings: afterRetries(attempt, retries) }
    retries.set(action, (retries.get(action) ?? 0) + 1)
    await prepareRetry(action, flow, scope)
  }
}

/** Counts the steps of called workflows and retries too, because each of them may multiply the others. */
const runAttempt = async (step: WorkflowStep, flow: Flow): Promise<Attempt> => {
  if (flow.run.attempts >= MOST_STEPS)
    throw new NotTested(`it has not ended after ${MOST_STEPS} steps`)
  flow.run.attempts += 1
  const attempt = await tryStep(step, flow)
  flow.steps.set(step.id, outputsOf(step.outputs, attempt.scope))
  return attempt
}

function* applying(actions: readonly WorkflowAction[], scope: Scope): Generator<WorkflowAction> {
  for (const action of actions) if (!brokenCriterion(action.criteria, scope)) yield action
}

const prepareRetry = async (action: WorkflowAction, flow: Flow, scope: Scope): Promise<void> => {
  const { session } = flow.run
  const { answer } = scope.exchange ?? {}
  // Retry-After of the response comes before that of the document, up to a minute.
  const wanted = answer && retryAfter(answer).seconds
  const seconds = wanted === undefined ? action.retryAfter : Math.min(wanted, 60)
  const milliseconds = 1_000 * (seconds ?? 0)
  if (session.deadline !== undefined && session.now() + milliseconds >= session.deadline)
    throw new NotTested('the time limit was reached')
  await session.sleep(milliseconds)
  const { stepId, workflowId } = action
  if (workflowId !== undefined)
    await runWorkflow(namedWorkflow(flow.run, workflowId), {}, flow.run, flow.trail)
  const step = flow.workflow.steps.find(({ id }) => id === stepId)
  if (step) await runAttempt(step, flow)
}

const afterRetries = (
  { findings }: Attempt,
  retries: ReadonlyMap<WorkflowAction, number>,
): Attempt['findings'] => {
  const count = [...retries.values()].reduce((sum, one) => sum + one, 0)
  if (count === 0) return findings
  const times = count === 1 ? '1 retry' : `${count} retries`
  return findings.map((one) => ({ ...one, message: `${one.message}, after ${times}` }))
}

type Attempt = {
  /** The scope for the expressions of its outputs and actions. */
  readonly scope: Scope
  /** Why it failed; empty if all of its criteria hold. */
  readonly findings: readonly ExchangeFinding[]
  /** Another attempt would have the same result, so no action applies. */
  readonly isFinal?: true
}

/** Sends the request of a step, or runs the workflow that it calls. Throws NotTested if neither is possible. */
const tryStep = (step: WorkflowStep, flow: Flow): Promise<Attempt> =>
  step.target.kind === 'workflow' ? tryWorkflow(step, flow) : tryOperation(step, flow)

const tryOperation = async (step: WorkflowStep, flow: Flow): Promise<Attempt> => {
  const { run } = flow
  const { session } = run
  const operation = run.operations.get(step.target.id)
  if (!operation) throw new NotTested(`no document has an operation ${step.target.id}`)
  const request = writeStep(step, operation, session.target, scopeOf(flow))
  if ('missing' in request) return unsendable(step, flow, request.missing)
  const { parameters } = request
  const exchange = await run.send(request, operation)
  run.last = exchange
  assertOffered(run.operations, exchange)
  const scope = scopeOf(flow, { exchange, parameters })
  if (!exchange.answer) {
    const message = `there was no response: ${exchange.failure}`
    return {
      scope,
      findings: [findingOf(step, flow, { message, expected: 'a response', exchange })],
    }
  }
  return { scope, findings: checkCriteria(step, flow, scope, exchange) }
}

const tryWorkflow = async (step: WorkflowStep, flow: Flow): Promise<Attempt> => {
  const { run, trail } = flow
  const called = namedWorkflow(run, step.target.id)
  const before = scopeOf(flow)
  const filled = step.parameters.map(({ name, value }) => [name, fill(value, before)] as const)
  const values: JsonObject = Object.fromEntries(filled.filter(([, value]) => value !== undefined))
  const { fault } = inputsOf(called, values, run.session)
  if (fault !== undefined) return unsendable(step, flow, fault)
  const outcome = await runWorkflow(called, values, run, [...trail, step.id])
  if (outcome.kind === 'broken') return { scope: before, findings: outcome.findings }
  const scope = scopeOf(flow, {}, outcome.outputs)
  return { scope, findings: run.last ? checkCriteria(step, flow, scope, run.last) : [] }
}

const checkCriteria = (
  step: WorkflowStep,
  flow: Flow,
  scope: Scope,
  exchange: Exchange,
): readonly ExchangeFinding[] => {
  const broken = brokenCriterion(step.successCriteria, scope)
  if (!broken) return []
  const { criterion, index, seen } = broken
  const message = `${criterion} is not met: ${seen}`
  return [findingOf(step, flow, { message, expected: criterion, exchange, index })]
}

/** If an earlier step got a response, the value is missing there; otherwise the document is incomplete. */
const unsendable = (step: WorkflowStep, flow: Flow, what: string): Attempt => {
  const exchange = flow.run.last
  const why = what.startsWith('$') ? `${what} has no value` : what
  if (!exchange) throw new NotTested(`its step ${step.id} cannot be sent: ${why}`)
  const message = `the previous responses do not allow this request: ${why}`
  const expected = 'a response with the values that the next step needs'
  return {
    scope: scopeOf(flow),
    findings: [findingOf(step, flow, { message, expected, exchange })],
    isFinal: true,
  }
}

/** Throws NotTested if a method is missing and declares that it may be. */
const assertOffered = (
  operations: ReadonlyMap<string, Operation>,
  { sent, answer }: Exchange,
): void => {
  const [request, error] = [bodyValue(sent.body), errorOf(answer)]
  if (!isObject(request) || error === undefined) return
  for (const one of operations.values()) {
    const isMatching = one.kind === 'rpc' && one.method === request.method
    if (isMatching && one.errors.some(isAbsence) && isNotOffered(one, error))
      throw new NotTested(`the server reports that it does not offer ${one.method}`)
  }
}

/** A finding of a workflow: `workflow order, step pay: $statusCode == 200 is not met: $statusCode is 500`. */
const findingOf = (
  { id, source, target }: WorkflowStep,
  { run, workflow, trail }: Flow,
  { message, expected, exchange, index }: Broken,
): ExchangeFinding => {
  const { operations, session } = run
  const blot = redactor(session.target.secrets)
  return {
    rule: 'workflow-failed',
    message: cutQuotes(blot(`workflow ${trail.join(' > ')}, step ${id}: ${message}`)),
    expected: cutQuotes(blot(expected)),
    exchange,
    operation: target.kind === 'operation' ? operations.get(target.id) : undefined,
    // Without the calling workflows, because the failure is the same.
    aspect: [workflow.id, id, ...(index === undefined ? [] : [`criterion ${index + 1}`])].join('/'),
    source,
  }
}

type Broken = {
  readonly message: string
  readonly expected: string
  readonly exchange: Exchange
  readonly index?: number
}

type WorkflowResult =
  | { readonly kind: 'passed'; readonly outputs: JsonObject }
  | { readonly kind: 'broken'; readonly findings: readonly ExchangeFinding[] }

type StepResult =
  | { readonly kind: 'next' }
  | { readonly kind: 'end' }
  | { readonly kind: 'goto'; readonly action: WorkflowAction }
  | Extract<WorkflowResult, { kind: 'broken' }>
