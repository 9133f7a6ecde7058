import type { Api, Operation, Tag } from '../model/api.js'
import { anchor, type OperationGroup } from './site.js'

/**
 * Groups operations by protocol and tag, in the order of the documents. A tag with a `parent` is within the group of that tag
 * (OpenAPI 3.2, Tag Object). If an operation has several tags, the first of the kind `nav` counts, else the first.
 */
export function operationGroups(api: Api): readonly OperationGroup[] {
  const groups = new Map<string, Draft>()
  const tops: Draft[] = []
  const tagsOf = (kind: Operation['kind']) =>
    new Map(api[kind]?.tags.map((tag) => [tag.name, tag] as const))
  const declared = { http: tagsOf('http'), rpc: tagsOf('rpc') }
  for (const operation of api.operations) {
    const tags = declared[operation.kind]
    const name =
      operation.tags.find((one) => tags.get(one)?.kind === 'nav') ?? operation.tags[0] ?? 'others'
    groupOf(name, operation.kind, tags, new Set()).operations.push(operation)
  }
  return tops

  function groupOf(
    name: string,
    kind: Operation['kind'],
    tags: ReadonlyMap<string, Tag>,
    below: Set<string>,
  ): Draft {
    const id = anchor('tag', kind, name)
    const known = groups.get(id)
    if (known) return known
    const tag = tags.get(name)
    const parent = tag?.parent
    below.add(name)
    // An undeclared parent, one that would be a cycle, or one level too many is ignored.
    const isWithin =
      parent !== undefined && tags.has(parent) && !below.has(parent) && below.size < MOST_LEVELS
    const above = isWithin ? groupOf(parent, kind, tags, below) : undefined
    const group: Draft = {
      id,
      kind,
      name: tag?.summary ?? name,
      description: tag?.description,
      operations: [],
      groups: [],
    }
    groups.set(id, group)
    const siblings = above?.groups ?? tops
    siblings.push(group)
    return group
  }
}

/** Readers do not follow more, and thousands would exhaust the stack. */
const MOST_LEVELS = 20

type Draft = OperationGroup & { readonly operations: Operation[]; readonly groups: Draft[] }

/** The operations of a group and of its subgroups. */
export const operationsWithin = ({ operations, groups }: OperationGroup): readonly Operation[] => [
  ...operations,
  ...groups.flatMap(operationsWithin),
]
