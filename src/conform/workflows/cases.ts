import type { Workflow } from '../../model/workflow.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import type { Rule } from '../rule.js'
import { createRun, MOST_STEPS, namedWorkflow, runWorkflow } from './run-workflow.js'
import type { WorkflowRun } from './scope.js'

export const WORKFLOWS_RULES: readonly Rule[] = [
  {
    id: 'workflow-failed',
    level: 'error',
    purpose: 'Each step of a workflow meets its successCriteria.',
    clause: 'Arazzo 1.0, Step Object, successCriteria',
  },
]

/**
 * A case for each workflow of an Arazzo document, after the workflows that it depends on. A workflow that others call, and that
 * requires their inputs, is only run by them.
 */
export const workflowsCases = ({ api, skip }: Plan): readonly Case[] => {
  const { workflows } = api
  let run: WorkflowRun | undefined
  const endings = new Map<string, 'passed' | 'failed'>()
  const tryOne = async (workflow: Workflow, session: Session): Promise<void> => {
    if (endings.has(workflow.id)) return
    endings.set(workflow.id, 'failed')
    run ??= createRun(api, session)
    try {
      for (const id of workflow.dependsOn) {
        await tryOne(namedWorkflow(run, id), session)
        if (endings.get(id) !== 'passed')
          throw new NotTested(`the workflow ${id}, on which it depends, failed`)
      }
      const result = await runWorkflow(workflow, {}, { ...run, last: undefined, attempts: 0 })
      if (result.kind === 'passed') endings.set(workflow.id, 'passed')
      else session.reportAll(result.findings)
    } catch (error) {
      if (!(error instanceof NotTested)) throw error
      skip(nameOf(workflow), error.message)
    }
  }
  const costOf = costsOf(workflows)
  return inOrder(workflows)
    .filter((one) => !isOnlyCalled(one, workflows))
    .map((workflow) => ({
      name: nameOf(workflow),
      cost: costOf(workflow.id),
      needsState: true,
      run: (session) => tryOne(workflow, session),
    }))
}

const nameOf = ({ id }: Workflow): string => `workflow ${id}`

/** Sorts workflows after those that they depend on, otherwise in the order of the document. */
const inOrder = (workflows: readonly Workflow[]): readonly Workflow[] => {
  const placed = new Set<Workflow>()
  const place = (one: Workflow, waiting: readonly Workflow[]) => {
    if (placed.has(one) || waiting.includes(one)) return
    for (const other of workflows.filter(({ id }) => one.dependsOn.includes(id)))
      place(other, [...waiting, one])
    placed.add(one)
  }
  for (const one of workflows) place(one, [])
  return [...placed]
}

const isOnlyCalled = (workflow: Workflow, workflows: readonly Workflow[]): boolean => {
  const { id, inputs } = workflow
  const required = typeof inputs === 'object' ? (inputs.required ?? []) : []
  const properties = typeof inputs === 'object' ? inputs.properties : undefined
  const isProvided = (name: string) => {
    const schema = properties?.[name]
    return typeof schema === 'object' && ('default' in schema || 'const' in schema)
  }
  return (
    required.some((name) => !isProvided(name)) &&
    workflows.some((other) => other !== workflow && calledBy(other).includes(id))
  )
}

const calledBy = ({ steps }: Workflow): readonly string[] =>
  steps.flatMap(({ target, onSuccess, onFailure }) => [
    ...(target.kind === 'workflow' ? [target.id] : []),
    ...[...onSuccess, ...onFailure].flatMap(({ workflowId }) => workflowId ?? []),
  ])

/** The expected number of requests of each workflow by its id: each step once, and a few retries if it has any. */
const costsOf = (workflows: readonly Workflow[]): ((id: string) => number) => {
  const costs = new Map<string, number>()
  const costOf = (id: string): number => {
    const known = costs.get(id)
    if (known !== undefined) return known
    // A workflow that calls itself adds nothing to its own cost.
    costs.set(id, 0)
    const steps = workflows.find((one) => one.id === id)?.steps ?? []
    const cost = steps.reduce((sum, { target, onFailure }) => {
      const retry = onFailure.find(({ type }) => type === 'retry')
      const attempts = retry === undefined ? 1 : 1 + Math.min(retry.retryLimit ?? 1, FEW)
      return sum + attempts * (target.kind === 'workflow' ? costOf(target.id) : 1)
    }, 0)
    costs.set(id, Math.min(cost, MOST_STEPS))
    return Math.min(cost, MOST_STEPS)
  }
  return costOf
}

const FEW = 2
