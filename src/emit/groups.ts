import type { Api, Operation } from '../model/api.js'
import { groupsOf } from '../model/groups.js'
import { code, commented, doc, type Fragment, join, literal, raw, string } from './file.js'
import { routeLine } from './operation-comment.js'

/** The code of the groups of a client. */
export type ClientGroups = {
  /** The name of the type of the operations by id. */
  readonly operations: string
  /** The members of the type of the groups, for the operations that a type has. */
  readonly membersOf: (type: string, has: (id: string) => boolean) => readonly Fragment[]
  /** The declaration of `groups`, which has the names. */
  readonly declaration: Fragment
}

/** Undefined if the documents have no groups. */
export function clientGroups(kind: Operation['kind'], api: Api): ClientGroups | undefined {
  const groups = groupsOf(kind, api.operations)
  if (Object.keys(groups).length === 0) return undefined
  const byId = new Map(api.operations.map((one) => [one.id, one]))
  return {
    operations: kind === 'http' ? 'HttpOperations' : 'RpcOperations',
    membersOf: (type, has) =>
      Object.entries(groups)
        .filter(([, members]) => Object.values(members).some(has))
        .map(([group, members]) => code`readonly ${group}: ${groupType(members, byId, type)}`),
    declaration: code`/** Group -> name in the group -> id of the operation. */
const groups = ${literal(groups, 24)}`,
  }
}

/** Editors show the comment of an operation for a member of its name. Others have a shorter one. */
function groupType(
  members: Readonly<Record<string, string>>,
  operations: ReadonlyMap<string, Operation>,
  type: string,
): Fragment {
  const entries = Object.entries(members)
  const picked = entries.flatMap(([name, id]) => (name === id ? [string(id)] : []))
  const renamed = entries.flatMap(([name, id]) => {
    const operation = operations.get(id)
    if (name === id || operation === undefined) return []
    const comment = doc(...shortComment(operation))
    return commented(comment, code`readonly ${name}: ${type}[${string(id)}]`)
  })
  const flat = picked.join(' | ')
  const names = flat.length <= 60 ? raw(flat) : code`\n  | ${join(picked, '\n| ')}\n`
  return join(
    [
      ...(renamed.length > 0 ? [code`{\n  ${join(renamed)}\n}`] : []),
      ...(picked.length > 0 ? [code`Pick<${type}, ${names}>`] : []),
    ],
    ' & ',
  )
}

/** The first paragraph of an operation's comment, its route, and whether it is deprecated. */
function shortComment(operation: Operation): readonly (string | undefined)[] {
  const { summary, description, deprecated } = operation
  return [
    summary ?? description?.split(/\n[^\S\n]*\n/)[0],
    routeLine(operation),
    deprecated ? '@deprecated' : undefined,
  ]
}
