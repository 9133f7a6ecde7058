import { entriesOf, isObject } from '../../model/json.js'
import { joinPointer } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import type { ArazzoFault } from './expressions.js'
import { type Placed, placedIn, reusable } from './places.js'

/**
 * The parts of a workflow that Arazzo 1.1 added and that are not read. Without them a run would do something else, so such a
 * workflow is left out as a whole.
 */
export function* unreadParts(root: JsonObject, { value, pointer }: Placed): Generator<ArazzoFault> {
  const unread = (what: string, place: string): ArazzoFault => ({
    rule: 'workflow-is-not-read',
    pointer: place,
    message: `the workflow ${value.workflowId} is left out: ${what} is not supported`,
  })

  function* selectors(one: unknown, place: string): Generator<ArazzoFault> {
    if (isSelector(one)) yield unread('a Selector Object', place)
    else if (typeof one === 'object' && one !== null)
      for (const [key, member] of Object.entries(one))
        yield* selectors(member, joinPointer(place, key))
  }

  function* outputs(holder: Placed): Generator<ArazzoFault> {
    for (const [name, output] of entriesOf(holder.value.outputs))
      if (typeof output !== 'string')
        yield unread('a Selector Object', joinPointer(holder.pointer, 'outputs', name))
  }

  function* parameters(holder: Placed): Generator<ArazzoFault> {
    const place = joinPointer(holder.pointer, 'parameters')
    for (const parameter of reusable(root, holder.value.parameters, place)) {
      if (parameter.value.in === 'querystring')
        yield unread('a parameter in the place querystring', parameter.pointer)
      yield* selectors(parameter.value.value, joinPointer(parameter.pointer, 'value'))
    }
  }

  function* criteria(list: unknown, place: string): Generator<ArazzoFault> {
    for (const criterion of placedIn(list, place)) {
      const { type = 'simple', condition } = criterion.value
      if (type !== 'simple' && EMBEDDED.test(String(condition)))
        yield unread(
          'an expression within a condition',
          joinPointer(criterion.pointer, 'condition'),
        )
    }
  }

  function* actions(holder: Placed, fields: readonly string[]): Generator<ArazzoFault> {
    for (const field of fields) {
      const place = joinPointer(holder.pointer, field)
      for (const action of reusable(root, holder.value[field], place)) {
        if (action.value.parameters !== undefined)
          yield unread('parameters of an action', joinPointer(action.pointer, 'parameters'))
        yield* criteria(action.value.criteria, joinPointer(action.pointer, 'criteria'))
      }
    }
  }

  const workflow = { value, pointer }
  yield* outputs(workflow)
  yield* parameters(workflow)
  yield* actions(workflow, ['successActions', 'failureActions'])
  for (const step of placedIn(value.steps, joinPointer(pointer, 'steps'))) {
    for (const [field, what] of STEP_FIELDS)
      if (step.value[field] !== undefined) yield unread(what, joinPointer(step.pointer, field))
    yield* outputs(step)
    yield* parameters(step)
    yield* actions(step, ['onSuccess', 'onFailure'])
    yield* criteria(step.value.successCriteria, joinPointer(step.pointer, 'successCriteria'))
    const body = isObject(step.value.requestBody) ? step.value.requestBody : {}
    const place = joinPointer(step.pointer, 'requestBody')
    yield* selectors(body.payload, joinPointer(place, 'payload'))
    for (const one of placedIn(body.replacements, joinPointer(place, 'replacements'))) {
      if (one.value.targetSelectorType !== undefined)
        yield unread('the type of a target', joinPointer(one.pointer, 'targetSelectorType'))
      yield* selectors(one.value.value, joinPointer(one.pointer, 'value'))
    }
  }
}

const STEP_FIELDS = [
  ['channelPath', 'a step on a channel of AsyncAPI'],
  ['action', 'a step on a channel of AsyncAPI'],
  ['correlationId', 'a step on a channel of AsyncAPI'],
  ['dependsOn', 'dependsOn of a step'],
  ['timeout', 'the timeout of a step'],
] as const

/** Arazzo 1.1, Runtime Expressions in Conditions: they are evaluated before the condition. */
const EMBEDDED = /\{\$/

/** Arazzo 1.1, Selector Object: all of its three fields are required. */
const isSelector = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.context === 'string' &&
  typeof value.selector === 'string' &&
  value.type !== undefined
