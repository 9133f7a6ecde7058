import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'

/** One workflow of the Arazzo document, with its operations resolved to those of the Api. */
export type Workflow = {
  readonly id: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly inputs: Schema | undefined
  /** Ids of workflows that must succeed before. */
  readonly dependsOn: readonly string[]
  readonly steps: readonly WorkflowStep[]
  readonly outputs: Readonly<Record<string, string>>
  readonly source: Source
}

export type WorkflowStep = {
  readonly id: string
  readonly description: string | undefined
  /** The id of an operation of this Api, or of a workflow of the same document. */
  readonly target:
    | { readonly kind: 'operation'; readonly id: string }
    | { readonly kind: 'workflow'; readonly id: string }
  readonly parameters: readonly {
    readonly name: string
    readonly in: string | undefined
    readonly value: unknown
  }[]
  readonly requestBody:
    | {
        readonly contentType: string | undefined
        readonly payload: unknown
        readonly replacements: readonly { readonly target: string; readonly value: unknown }[]
      }
    | undefined
  readonly successCriteria: readonly WorkflowCriterion[]
  readonly onSuccess: readonly WorkflowAction[]
  readonly onFailure: readonly WorkflowAction[]
  readonly outputs: Readonly<Record<string, string>>
  readonly source: Source
}

export type WorkflowCriterion = {
  readonly condition: string
  readonly context: string | undefined
  readonly type: 'simple' | 'regex' | 'jsonpath' | 'xpath'
}

export type WorkflowAction = {
  readonly name: string
  readonly type: 'end' | 'goto' | 'retry'
  readonly stepId: string | undefined
  readonly workflowId: string | undefined
  /** Seconds before a retry. */
  readonly retryAfter: number | undefined
  readonly retryLimit: number | undefined
  readonly criteria: readonly WorkflowCriterion[]
}
