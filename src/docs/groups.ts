import type { Api, Operation } from '../model/api.js'
import { isObject } from '../model/json.js'
import { anchor } from './site.js'

/** Operations by protocol and by their first tag, in the order of the documents. */
export function groupsOf(api: Api): readonly Group[] {
  const groups = new Map<string, Group & { operations: Operation[] }>()
  for (const operation of api.operations) {
    const name = operation.tags[0] ?? 'others'
    const id = anchor('tag', operation.kind, name)
    const group = groups.get(id)
    if (group) group.operations.push(operation)
    else {
      const description = descriptionOf(api, operation.kind, name)
      groups.set(id, { id, name, kind: operation.kind, description, operations: [operation] })
    }
  }
  return [...groups.values()]
}

export type Group = {
  /** An anchor of the overview. */
  readonly id: string
  readonly name: string
  readonly kind: Operation['kind']
  readonly description: string | undefined
  readonly operations: readonly Operation[]
}

const descriptionOf = (api: Api, kind: Operation['kind'], name: string): string | undefined => {
  const tags = api[kind]?.bundled.tags
  const tag = Array.isArray(tags)
    ? tags.find((one) => isObject(one) && one.name === name)
    : undefined
  return isObject(tag) && typeof tag.description === 'string' ? tag.description : undefined
}
