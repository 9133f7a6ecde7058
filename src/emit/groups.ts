import type { Api, Operation } from '../model/api.js'
import { groupsOf } from '../model/groups.js'
import { code, doc, type Fragment, importedType, literal } from './file.js'

/** The code of the groups of a client. */
export type ClientGroups = {
  /** The name of the type of the operations by id. */
  readonly operations: string
  /** The rest of the type of the client, ` & Grouped<…>`. */
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
  const grouped = importedType('Grouped', `twinspec/runtime/${kind}`)
  return {
    operations,
    type: code` & ${grouped}<${operations}, typeof groups>`,
    declaration: code`${doc(`Group -> name in the group -> operation: \`client.${group}.${name}\` is \`client.${id}\`.`)}
const groups = ${literal(groups, 24)} as const`,
  }
}
