import type { Operation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import { joinPointer } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import {
  type ArazzoFault,
  criterionFaults,
  type ExpressionScope,
  outputFaults,
  valueFaults,
} from './expressions.js'
import { componentAt, type Placed, placedIn, reusable, targetOf, withoutSource } from './places.js'

/** Finds names in an Arazzo document that refer to nothing, and expressions that do not parse. */
export function* lintWorkflows(
  root: JsonObject,
  operations: readonly Operation[],
): Generator<ArazzoFault> {
  const workflows = placedIn(root.workflows, '/workflows')
  const sources = placedIn(root.sourceDescriptions, '/sourceDescriptions')
  if (sources.length === 0) {
    yield {
      rule: 'workflow-source-is-missing',
      pointer: '/sourceDescriptions',
      message: '"sourceDescriptions" must name the documents whose operations are called',
    }
  }
  yield* duplicates(sources, 'name', 'source description')
  yield* duplicates(workflows, 'workflowId', 'workflow')
  for (const workflow of workflows) yield* workflowFaults(root, workflows, workflow, operations)
}

function* workflowFaults(
  root: JsonObject,
  workflows: readonly Placed[],
  { value, pointer }: Placed,
  operations: readonly Operation[],
): Generator<ArazzoFault> {
  const steps = placedIn(value.steps, joinPointer(pointer, 'steps'))
  const scope: ExpressionScope = { root, workflows, workflow: value, steps, step: undefined }
  yield* duplicates(steps, 'stepId', 'step')
  for (const [index, name] of listOf(value.dependsOn)) {
    yield* unknownWorkflow(scope, name, `${pointer}/dependsOn/${index}`)
  }
  for (const section of ['parameters', 'successActions', 'failureActions']) {
    yield* unknownReferences(root, value[section], joinPointer(pointer, section))
  }
  for (const parameter of reusable(root, value.parameters, joinPointer(pointer, 'parameters'))) {
    yield* valueFaults(parameter.value.value, joinPointer(parameter.pointer, 'value'), scope)
  }
  for (const section of ['successActions', 'failureActions']) {
    const actions = reusable(root, value[section], joinPointer(pointer, section))
    for (const action of actions) yield* actionFaults(action, scope)
  }
  for (const step of steps) {
    yield* stepFaults(step, { ...scope, step: step.value }, operations)
  }
  yield* outputFaults(value.outputs, joinPointer(pointer, 'outputs'), scope)
}

function* stepFaults(
  { value, pointer }: Placed,
  scope: ExpressionScope,
  operations: readonly Operation[],
): Generator<ArazzoFault> {
  const { root } = scope
  const called = ['operationId', 'operationPath', 'workflowId'].filter((field) => field in value)
  if (called.length !== 1) {
    yield {
      rule: 'workflow-step-calls-not-one-thing',
      pointer,
      message: `a step must have exactly one of operationId, operationPath and workflowId; this one has ${called.join(' and ') || 'none'}`,
    }
  }
  const target = targetOf(value, operations)
  const place = joinPointer(pointer, called[0] ?? '')
  if (target.kind === 'workflow') yield* unknownWorkflow(scope, value.workflowId, place)
  else if (!target.operation && called.length > 0) {
    yield {
      rule: 'workflow-operation-is-unknown',
      pointer: place,
      message: `no document has an operation ${target.name}`,
    }
  }
  yield* sourceFaults(scope, value[called[0] ?? ''], place)
  for (const section of ['parameters', 'onSuccess', 'onFailure']) {
    yield* unknownReferences(root, value[section], joinPointer(pointer, section))
  }
  const parameters = reusable(root, value.parameters, joinPointer(pointer, 'parameters'))
  for (const parameter of parameters) {
    yield* parameterFaults(parameter, target.operation, scope)
    yield* valueFaults(parameter.value.value, joinPointer(parameter.pointer, 'value'), scope)
  }
  if (isObject(value.requestBody)) {
    yield* bodyFaults(
      value.requestBody,
      joinPointer(pointer, 'requestBody'),
      target.operation,
      scope,
    )
  }
  const criteria = placedIn(value.successCriteria, joinPointer(pointer, 'successCriteria'))
  for (const criterion of criteria) yield* criterionFaults(criterion, scope)
  for (const section of ['onSuccess', 'onFailure']) {
    const actions = reusable(root, value[section], joinPointer(pointer, section))
    for (const action of actions) yield* actionFaults(action, scope)
  }
  yield* outputFaults(value.outputs, joinPointer(pointer, 'outputs'), scope)
}

function* parameterFaults(
  { value, pointer }: Placed,
  operation: Operation | undefined,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  const { name, in: where } = value
  const rule = 'workflow-parameter-is-unknown'
  if (operation?.kind === 'rpc') {
    const message = `the method ${operation.method} takes its params in the request body`
    yield { rule, pointer, message }
  } else if (operation) {
    const known = operation.parameters.some((one) => one.name === name && one.in === where)
    const message = `${operation.id} has no parameter ${name} in ${where ?? '(no place is given)'}`
    if (!known) yield { rule, pointer, message }
  } else if (typeof scope.step?.workflowId === 'string') {
    const called = workflowNamed(scope, scope.step.workflowId)
    const inputs = isObject(called?.inputs) ? called.inputs.properties : undefined
    if (isObject(inputs) && !Object.hasOwn(inputs, String(name))) {
      yield { rule, pointer, message: `the workflow ${called?.workflowId} has no input ${name}` }
    }
  }
}

function* bodyFaults(
  body: JsonObject,
  pointer: string,
  operation: Operation | undefined,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  if (operation?.kind === 'http' && !operation.body) {
    const message = `${operation.id} has no request body`
    yield { rule: 'workflow-body-is-unknown', pointer, message }
  }
  const { payload } = body
  if (operation?.kind === 'rpc' && isObject(payload) && payload.method !== operation.method) {
    yield {
      rule: 'workflow-payload-calls-another-method',
      pointer: joinPointer(joinPointer(pointer, 'payload'), 'method'),
      message: `the step calls ${operation.method}, its payload calls ${payload.method ?? 'none'}`,
    }
  }
  yield* valueFaults(payload, joinPointer(pointer, 'payload'), scope)
  for (const replacement of placedIn(body.replacements, joinPointer(pointer, 'replacements'))) {
    yield* valueFaults(replacement.value.value, joinPointer(replacement.pointer, 'value'), scope)
  }
}

function* actionFaults({ value, pointer }: Placed, scope: ExpressionScope): Generator<ArazzoFault> {
  const { type, stepId, workflowId } = value
  if (type !== 'end' && type !== 'goto' && type !== 'retry') {
    const message = `the type of an action must be end, goto or retry, not ${JSON.stringify(type)}`
    yield { rule: 'workflow-action-is-unknown', pointer: joinPointer(pointer, 'type'), message }
  }
  if (type === 'goto' && (stepId === undefined) === (workflowId === undefined)) {
    const message = 'an action of type goto must have either a stepId or a workflowId'
    yield { rule: 'workflow-goto-names-not-one-target', pointer, message }
  }
  if (stepId !== undefined && !scope.steps.some((step) => step.value.stepId === stepId)) {
    const message = `this workflow has no step ${stepId}`
    yield { rule: 'workflow-step-is-unknown', pointer: joinPointer(pointer, 'stepId'), message }
  }
  if (workflowId !== undefined) {
    yield* unknownWorkflow(scope, workflowId, joinPointer(pointer, 'workflowId'))
  }
  const criteria = placedIn(value.criteria, joinPointer(pointer, 'criteria'))
  for (const criterion of criteria) yield* criterionFaults(criterion, scope)
}

function* unknownReferences(
  root: JsonObject,
  list: unknown,
  pointer: string,
): Generator<ArazzoFault> {
  for (const placed of placedIn(list, pointer)) {
    const { reference } = placed.value
    if (reference === undefined || componentAt(root, reference)) continue
    const message = `the document has no component ${reference}`
    const place = joinPointer(placed.pointer, 'reference')
    yield { rule: 'workflow-component-is-unknown', pointer: place, message }
  }
}

function* unknownWorkflow(
  scope: ExpressionScope,
  name: unknown,
  pointer: string,
): Generator<ArazzoFault> {
  if (workflowNamed(scope, name)) return
  const message = `the document has no workflow ${name}`
  yield { rule: 'workflow-is-unknown', pointer, message }
}

function* sourceFaults(
  scope: ExpressionScope,
  text: unknown,
  pointer: string,
): Generator<ArazzoFault> {
  const source = /\$sourceDescriptions\.([\w-]+)/.exec(String(text))?.[1]
  const sources = placedIn(scope.root.sourceDescriptions, '')
  if (source === undefined || sources.some(({ value }) => value.name === source)) return
  const message = `the document has no source description ${source}`
  yield { rule: 'workflow-source-is-unknown', pointer, message }
}

function* duplicates(list: readonly Placed[], field: string, what: string): Generator<ArazzoFault> {
  const seen = new Set<unknown>()
  for (const { value, pointer } of list) {
    const id = value[field]
    if (typeof id !== 'string' || id === '') {
      yield { rule: 'workflow-id-is-missing', pointer, message: `this ${what} has no ${field}` }
    } else if (seen.has(id)) {
      const message = `another ${what} has the same ${field}, ${id}: rename one of them`
      yield { rule: 'workflow-id-is-duplicate', pointer: joinPointer(pointer, field), message }
    }
    seen.add(id)
  }
}

const workflowNamed = (scope: ExpressionScope, name: unknown): JsonObject | undefined =>
  scope.workflows.find(({ value }) => value.workflowId === withoutSource(String(name)))?.value

const listOf = (value: unknown): readonly (readonly [number, unknown])[] =>
  Array.isArray(value) ? [...value.entries()] : []
