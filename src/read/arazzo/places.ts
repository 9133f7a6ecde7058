import type { Operation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import { placeOfMethod } from '../../model/path-item.js'
import { joinPointer, pointerOf, segmentsOf } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'

/** The objects of a list, each with its pointer. */
export const placedIn = (list: unknown, pointer: string): readonly Placed[] =>
  (Array.isArray(list) ? list : []).flatMap((value, index) =>
    isObject(value) ? [{ value, pointer: joinPointer(pointer, index) }] : [],
  )

export type Placed = { readonly value: JsonObject; readonly pointer: string }

/** Like `placedIn`, with Reusable Objects (`reference: $components.parameters.page`) resolved. */
export const reusable = (root: JsonObject, list: unknown, pointer: string): readonly Placed[] =>
  placedIn(list, pointer).flatMap((placed) => {
    if (placed.value.reference === undefined) return [placed]
    const component = componentAt(root, placed.value.reference)
    if (!component) return []
    const override = 'value' in placed.value ? { value: placed.value.value } : {}
    return [{ value: { ...component, ...override }, pointer: placed.pointer }]
  })

/** The component that `$components.SECTION.NAME` refers to. */
export const componentAt = (root: JsonObject, reference: unknown): JsonObject | undefined => {
  const [, section = '', name = ''] = /^\$components\.(\w+)\.(.+)$/.exec(String(reference)) ?? []
  const components = isObject(root.components) ? root.components : {}
  const members = Object.hasOwn(components, section) ? components[section] : undefined
  const found = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined
  return isObject(found) ? found : undefined
}

/**
 * The target of a step: another workflow, or an operation. An operation is given by its id (a method by its wire name) or by
 * its place in a document. `name` is the name as written.
 */
export const targetOf = (step: JsonObject, operations: readonly Operation[]): StepTarget => {
  if (typeof step.workflowId === 'string') {
    return { kind: 'workflow', name: withoutSource(step.workflowId), operation: undefined }
  }
  const kind = 'operation'
  if (typeof step.operationPath === 'string') {
    const name = step.operationPath
    return { kind, name, operation: operations.find((one) => placeOf(one) === fragmentOf(name)) }
  }
  const name = withoutSource(String(step.operationId ?? ''))
  const isNamed = (one: Operation) => one.id === name || (one.kind === 'rpc' && one.method === name)
  return { kind, name, operation: operations.find(isNamed) }
}

export type StepTarget = {
  readonly kind: 'operation' | 'workflow'
  readonly name: string
  readonly operation: Operation | undefined
}

/** `$sourceDescriptions.NAME.REST` -> REST. */
export const withoutSource = (name: string): string =>
  name.replace(/^\$sourceDescriptions\.[^.]+\./, '')

// A method is in the projection to OpenAPI, where its path is its wire name.
const placeOf = (operation: Operation): string =>
  operation.kind === 'http'
    ? pointerOf('paths', operation.path, ...placeOfMethod(operation.method))
    : pointerOf('paths', `/${operation.method}`, 'post')

const fragmentOf = (operationPath: string): string =>
  pointerOf(...segmentsOf(operationPath.slice(operationPath.indexOf('#') + 1)))
