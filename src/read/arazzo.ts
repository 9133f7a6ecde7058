import type { Operation } from '../model/api.js'
import { DocumentError, type Finding } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import type {
  Workflow,
  WorkflowAction,
  WorkflowCriterion,
  WorkflowStep,
} from '../model/workflow.js'
import { joinPointer, pointerOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Schema } from '../schema/schema.js'
import type { ArazzoFault } from './arazzo/expressions.js'
import { lintWorkflows } from './arazzo/lint.js'
import { type Placed, placedIn, reusable, targetOf } from './arazzo/places.js'
import { unreadParts } from './arazzo/unread-parts.js'
import type { Document } from './document.js'

/**
 * Reads an Arazzo document, 1.0 or 1.1, over the operations of an Api. Parameters and actions of a workflow are copied to
 * each of its steps. References to components are resolved. A workflow with a part of 1.1 that is not read is left out. Throws
 * DocumentError if the document is not Arazzo 1; every other problem is a Finding.
 */
export const readWorkflows = (
  document: Document,
  operations: readonly Operation[],
): { readonly workflows: readonly Workflow[]; readonly findings: readonly Finding[] } => {
  const root = rootOf(document)
  const all = placedIn(root.workflows, '/workflows')
  const minor = Number(VERSION.exec(String(root.arazzo))?.[1])
  const unread = minor === 0 ? [] : all.flatMap((workflow) => [...unreadParts(root, workflow)])
  const isUnread = (pointer: string) =>
    all.some(
      (one) =>
        isBelow(pointer, one.pointer) && unread.some((part) => isBelow(part.pointer, one.pointer)),
    )
  const workflows = all
    .filter(({ pointer }) => !isUnread(pointer))
    .map((workflow) => readWorkflow(document, root, workflow, operations))
  const findingOf =
    (level: Finding['level']) =>
    ({ rule, pointer, message, part }: ArazzoFault): Finding => ({
      rule,
      level,
      location: document.locate(pointer, part),
      message,
    })
  const faults = [...lintWorkflows(root, operations)].filter(({ pointer }) => !isUnread(pointer))
  const newer: ArazzoFault = {
    rule: 'document-version-is-newer',
    pointer: '/arazzo',
    message: `the document declares Arazzo ${root.arazzo}, which is later than 1.1: it is read as 1.1, and additions of later versions are ignored`,
  }
  return {
    workflows,
    findings: [
      ...(minor > LAST_MINOR ? [newer] : []).map(findingOf('warning')),
      ...unread.map(findingOf('warning')),
      ...faults.map(findingOf('error')),
    ],
  }
}

const VERSION = /^1\.(\d+)\.\d+(-.+)?$/
const LAST_MINOR = 1

const isBelow = (pointer: string, above: string): boolean =>
  pointer === above || pointer.startsWith(`${above}/`)

const rootOf = (document: Document): JsonObject => {
  const reject = (rule: string, pointer: string, message: string): never => {
    const location = document.locate(pointer)
    throw new DocumentError({ rule, level: 'error', location, message })
  }
  const root = isObject(document.value) ? document.value : {}
  const version = root.arazzo
  if (version === undefined) {
    return reject(
      'document-version-is-unknown',
      '',
      'this is not an Arazzo document: it has no arazzo field',
    )
  }
  if (typeof version !== 'string' || !VERSION.test(version)) {
    const message = `this Arazzo document cannot be read: its version is ${JSON.stringify(version)}, and versions 1.0 and 1.1 are supported`
    return reject('document-version-is-unknown', '/arazzo', message)
  }
  if (!Array.isArray(root.workflows)) {
    return reject('workflows-are-no-list', '/workflows', '"workflows" must be a list of workflows')
  }
  for (const [index, workflow] of root.workflows.entries()) {
    const pointer = pointerOf('workflows', index)
    if (!isObject(workflow))
      reject('workflow-is-no-object', pointer, 'a workflow must be an object')
    const steps = (workflow as JsonObject).steps
    if (!Array.isArray(steps) || !steps.every(isObject)) {
      const message = 'the steps of a workflow must be a list of objects'
      reject('workflow-steps-are-no-list', joinPointer(pointer, 'steps'), message)
    }
  }
  return root
}

const readWorkflow = (
  document: Document,
  root: JsonObject,
  { value, pointer }: Placed,
  operations: readonly Operation[],
): Workflow => {
  const shared = {
    parameters: reusable(root, value.parameters, joinPointer(pointer, 'parameters')),
    onSuccess: reusable(root, value.successActions, joinPointer(pointer, 'successActions')),
    onFailure: reusable(root, value.failureActions, joinPointer(pointer, 'failureActions')),
  }
  return {
    id: String(value.workflowId ?? ''),
    summary: text(value.summary),
    description: text(value.description),
    inputs: value.inputs === undefined ? undefined : inputsOf(root, value.inputs),
    dependsOn: strings(value.dependsOn).map(lastName),
    steps: placedIn(value.steps, joinPointer(pointer, 'steps')).map((step) =>
      readStep(document, root, step, shared, operations),
    ),
    outputs: outputsOf(value.outputs),
    source: { locate: () => document.locate(pointer) },
  }
}

type Shared = Readonly<Record<'parameters' | 'onSuccess' | 'onFailure', readonly Placed[]>>

const readStep = (
  document: Document,
  root: JsonObject,
  { value, pointer }: Placed,
  shared: Shared,
  operations: readonly Operation[],
): WorkflowStep => {
  const target = targetOf(value, operations)
  const own = (field: string) => reusable(root, value[field], joinPointer(pointer, field))
  // A workflow's parameters apply to every step, even if the operation of the step does not declare them.
  const parameters = overridden(own('parameters'), shared.parameters, parameterKey).filter(
    ({ value: { name, in: where } }, index, all) =>
      target.operation?.kind !== 'http' ||
      index < all.length - shared.parameters.length ||
      target.operation.parameters.some((known) => known.name === name && known.in === where),
  )
  return {
    id: String(value.stepId ?? ''),
    description: text(value.description),
    target:
      target.kind === 'workflow'
        ? { kind: 'workflow', id: target.name }
        : { kind: 'operation', id: target.operation?.id ?? target.name },
    parameters: parameters.map(({ value: parameter }) => ({
      name: String(parameter.name ?? ''),
      in: text(parameter.in),
      value: parameter.value,
    })),
    requestBody: isObject(value.requestBody) ? bodyOf(value.requestBody) : undefined,
    successCriteria: criteriaOf(value.successCriteria),
    onSuccess: overridden(own('onSuccess'), shared.onSuccess, nameOf).map(actionOf),
    onFailure: overridden(own('onFailure'), shared.onFailure, nameOf).map(actionOf),
    outputs: outputsOf(value.outputs),
    source: { locate: () => document.locate(pointer) },
  }
}

/** The members of a step, then those of the workflow that the step does not override. */
const overridden = (
  own: readonly Placed[],
  shared: readonly Placed[],
  keyOf: (placed: Placed) => string,
): readonly Placed[] => {
  const known = new Set(own.map(keyOf))
  return [...own, ...shared.filter((placed) => !known.has(keyOf(placed)))]
}

const nameOf = ({ value }: Placed): string => String(value.name)

const parameterKey = ({ value }: Placed): string => `${value.in} ${value.name}`

const bodyOf = (body: JsonObject): NonNullable<WorkflowStep['requestBody']> => ({
  contentType: text(body.contentType),
  payload: body.payload,
  replacements: placedIn(body.replacements, '').map(({ value }) => ({
    target: String(value.target ?? ''),
    value: value.value,
  })),
})

const criteriaOf = (criteria: unknown): readonly WorkflowCriterion[] =>
  placedIn(criteria, '').map(({ value }) => ({
    condition: String(value.condition ?? ''),
    context: text(value.context),
    type: criterionType(value.type) ?? 'simple',
  }))

/** The type of a criterion; an object with the version of the language may contain it. */
const criterionType = (type: unknown): WorkflowCriterion['type'] | undefined =>
  (['simple', 'regex', 'jsonpath', 'xpath'] as const).find(
    (known) => known === (isObject(type) ? type.type : type),
  )

const actionOf = ({ value }: Placed): WorkflowAction => ({
  name: String(value.name ?? ''),
  type: (['goto', 'retry'] as const).find((known) => known === value.type) ?? 'end',
  stepId: text(value.stepId),
  workflowId: typeof value.workflowId === 'string' ? lastName(value.workflowId) : undefined,
  retryAfter: typeof value.retryAfter === 'number' ? value.retryAfter : undefined,
  retryLimit: typeof value.retryLimit === 'number' ? value.retryLimit : undefined,
  criteria: criteriaOf(value.criteria),
})

const outputsOf = (outputs: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(entriesOf(outputs).map(([name, expression]) => [name, String(expression)]))

/** Inputs are a schema of 2020-12, with references only to `#/components/inputs`. */
const inputsOf = (root: JsonObject, schema: unknown, seen: readonly string[] = []): Schema => {
  if (Array.isArray(schema)) return schema.map((item) => inputsOf(root, item, seen)) as never
  if (!isObject(schema)) return schema as Schema
  const ref = schema.$ref
  const name =
    typeof ref === 'string' ? /^#\/components\/inputs\/([^/]+)$/.exec(ref)?.[1] : undefined
  if (name !== undefined) {
    const components = isObject(root.components) ? root.components.inputs : undefined
    const found = isObject(components) && Object.hasOwn(components, name) ? components[name] : true
    return seen.includes(name) ? true : inputsOf(root, found, [...seen, name])
  }
  const members = Object.entries(schema).map(([key, item]) => [key, inputsOf(root, item, seen)])
  return Object.fromEntries(members)
}

const lastName = (expression: string): string =>
  expression.replace(/^\$sourceDescriptions\.[^.]+\./, '')

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
