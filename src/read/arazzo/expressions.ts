import {
  type Expression,
  expressionsIn,
  expressionsOf,
  parseCondition,
  parseExpression,
} from '../../model/condition.js'
import { entriesOf, isObject } from '../../model/json.js'
import { joinPointer } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { componentAt, type Placed, placedIn } from './places.js'

/** A problem at a place of an Arazzo document. */
export type ArazzoFault = {
  readonly rule: string
  readonly pointer: string
  readonly message: string
  readonly part?: 'key' | 'value'
}

/** The scope of an expression: the document, its workflow and, within a step, that step. */
export type ExpressionScope = {
  readonly root: JsonObject
  readonly workflows: readonly Placed[]
  readonly workflow: JsonObject
  readonly steps: readonly Placed[]
  readonly step: JsonObject | undefined
}

/** The faults of all expressions in a value: in a text, or in texts at any depth. */
export function* valueFaults(
  value: unknown,
  pointer: string,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  if (typeof value === 'string') {
    for (const text of expressionsIn(value)) yield* textFaults(text, pointer, scope)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* valueFaults(item, joinPointer(pointer, index), scope)
    }
  } else {
    for (const [key, item] of entriesOf(value)) {
      yield* valueFaults(item, joinPointer(pointer, key), scope)
    }
  }
}

/** The faults of an `outputs` object, whose every value must be an expression. */
export function* outputFaults(
  outputs: unknown,
  pointer: string,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  for (const [name, value] of entriesOf(outputs)) {
    yield* textFaults(String(value), joinPointer(pointer, name), scope)
  }
}

export function* criterionFaults(
  { value, pointer }: Placed,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  const { condition, context } = value
  const type = isObject(value.type) ? value.type.type : (value.type ?? 'simple')
  const place = joinPointer(pointer, 'condition')
  if (typeof condition !== 'string') {
    const message = 'a criterion needs a condition, which is a string'
    yield { rule: 'workflow-criterion-is-unreadable', pointer: place, message }
    return
  }
  if (context !== undefined) {
    yield* textFaults(String(context), joinPointer(pointer, 'context'), scope)
  } else if (type !== 'simple') {
    const message = `a criterion of type ${type} needs a context, the expression whose value it tests`
    yield { rule: 'workflow-criterion-is-unreadable', pointer, message }
  }
  const why = conditionFault(type, condition)
  if (why) {
    yield { rule: 'workflow-criterion-is-unreadable', pointer: place, message: why }
    return
  }
  if (type !== 'simple') return
  const parsed = parseCondition(condition)
  if (parsed.kind === 'fault') return
  for (const expression of expressionsOf(parsed)) yield* nameFaults(expression, place, scope)
}

const conditionFault = (type: unknown, condition: string): string | undefined => {
  if (type === 'simple') {
    const parsed = parseCondition(condition)
    return parsed.kind === 'fault' ? `the condition does not parse: ${parsed.why}` : undefined
  }
  if (type === 'regex') {
    try {
      new RegExp(condition, 'u')
      return undefined
    } catch (error) {
      return `the regular expression does not compile: ${(error as Error).message}`
    }
  }
  if (type === 'jsonpath') {
    return condition.trim().startsWith('$') ? undefined : 'a JSONPath begins with $'
  }
  if (type === 'xpath') return undefined
  return `the type of a criterion must be simple, regex, jsonpath or xpath, not ${JSON.stringify(type)}`
}

function* textFaults(
  text: string,
  pointer: string,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  const expression = parseExpression(text)
  if (expression) yield* nameFaults(expression, pointer, scope)
  else {
    const message = `${text} is not a runtime expression of Arazzo`
    yield { rule: 'workflow-expression-is-unreadable', pointer, message }
  }
}

function* nameFaults(
  expression: Expression,
  pointer: string,
  scope: ExpressionScope,
): Generator<ArazzoFault> {
  const missing = missingName(expression, scope)
  if (missing) yield { rule: 'workflow-expression-names-nothing', pointer, message: missing }
}

const missingName = (expression: Expression, scope: ExpressionScope): string | undefined => {
  switch (expression.kind) {
    case 'inputs':
      return missingInput(scope.root, scope.workflow, expression.name)
    case 'outputs':
      return hasMember(scope.workflow.outputs, expression.name)
        ? undefined
        : `this workflow has no output ${expression.name}`
    case 'steps':
      return missingStepOutput(expression.id, expression.name, scope)
    case 'workflows': {
      const { id, name, of } = expression
      const named = scope.workflows.find(({ value }) => value.workflowId === id)?.value
      if (!named) return `the document has no workflow ${id}`
      if (of === 'inputs') return missingInput(scope.root, named, name)
      return hasMember(named.outputs, name) ? undefined : `the workflow ${id} has no output ${name}`
    }
    case 'sourceDescriptions': {
      const sources = placedIn(scope.root.sourceDescriptions, '')
      return sources.some(({ value }) => value.name === expression.name)
        ? undefined
        : `the document has no source description ${expression.name}`
    }
    case 'components': {
      const reference = `$components.${expression.section}.${expression.name}`
      return componentAt(scope.root, reference) ? undefined : `the document has no ${reference}`
    }
    default:
      return undefined
  }
}

const missingStepOutput = (
  id: string,
  name: string,
  scope: ExpressionScope,
): string | undefined => {
  const index = scope.steps.findIndex(({ value }) => value.stepId === id)
  const named = scope.steps[index]?.value
  if (!named) return `this workflow has no step ${id}`
  if (!hasMember(named.outputs, name)) return `the step ${id} has no output ${name}`
  const here = scope.steps.findIndex(({ value }) => value === scope.step)
  // With a goto, the order of the list is not the order of execution.
  const jumps = JSON.stringify(scope.workflow).includes('"goto"')
  return scope.step && index > here && !jumps ? `the step ${id} comes after this one` : undefined
}

const missingInput = (root: JsonObject, workflow: JsonObject, name: string): string | undefined => {
  const inputs = isObject(workflow.inputs) ? workflow.inputs : {}
  const ref = /^#\/components\/inputs\/(.+)$/.exec(String(inputs.$ref))?.[1]
  const schema = (ref && componentAt(root, `$components.inputs.${ref}`)) || inputs
  // A composed schema may declare the input in any of its parts.
  if (['allOf', 'anyOf', 'oneOf', 'patternProperties'].some((key) => key in schema))
    return undefined
  return hasMember(schema.properties, name) ? undefined : `this workflow has no input ${name}`
}

const hasMember = (value: unknown, name: string): boolean =>
  isObject(value) && Object.hasOwn(value, name)
