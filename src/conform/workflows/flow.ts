import type { JsonObject, Operation } from '../../model/api.js'
import type { Workflow, WorkflowAction } from '../../model/workflow.js'
import type { Complaint, Session } from '../case.js'
import type { Exchange } from '../wire/exchange.js'
import type { WorkflowValues } from './scope.js'

export type Outcome =
  | { readonly kind: 'held'; readonly outputs: JsonObject }
  | { readonly kind: 'broken'; readonly complaints: readonly Complaint[] }

/** What all workflows of a run share. */
export type WorkflowRun = {
  readonly session: Session
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly operations: ReadonlyMap<string, Operation>
  /** What expressions may ask of workflows that have ended. */
  readonly done: Map<string, WorkflowValues>
  /** The last exchange of the run: what is shown where a step cannot even be sent. */
  last: Exchange | undefined
}

/** One workflow on its way. */
export type Flow = {
  readonly run: WorkflowRun
  readonly workflow: Workflow
  readonly inputs: JsonObject
  /** The outputs of each step that was run. */
  readonly steps: Map<string, JsonObject>
  /** The workflows that led here, this one last. */
  readonly trail: readonly string[]
}

/** How a step ended. */
export type Ended =
  | { readonly kind: 'next' }
  | { readonly kind: 'end' }
  | { readonly kind: 'goto'; readonly action: WorkflowAction }
  | Extract<Outcome, { kind: 'broken' }>
