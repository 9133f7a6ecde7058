import type { Api, Operation } from '../model/api.js'
import { groupsOf } from '../model/groups.js'
import { code, commented, doc, type Fragment, join, literal, raw, string } from './file.js'
import { routeLine } from './operation-comment.js'

/** The code of the groups of a client. */
export type ClientGroups = {
  /** The name of the type of the operations by id. */
  readonly operations: string
  /** The type of the groups alone. */
  readonly type: Fragment
  /** The declaration of `groups`, which has the names. */
  readonly declaration: Fragment
}

/** Undefined if the documents have no groups. */
export function clientGroups(kind: Operation['kind'], api: Api): ClientGroups | undefined {
  const groups = groupsOf(kind, api.operations)
  const [first] = Object.entries(groups)
  if (first === undefined) return undefined
  const [group, members] = first
  const [[name, id] = []] = Object.entries(members)
  const operations = kind === 'http' ? 'HttpOperations' : 'RpcOperations'
  const byId = new Map(api.operations.map((one) => [one.id, one]))
  const rows = Object.entries(groups).map(
    ([group, members]) => code`readonly ${group}: ${groupType(members, byId, operations)}`,
  )
  return {
    operations,
    type: code`{\n  ${join(rows)}\n}`,
    declaration: code`${doc(`Group -> name in the group -> operation: \`client.${group}.${name}\` is \`client.${id}\`.`)}
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
