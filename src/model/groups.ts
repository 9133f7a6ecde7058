import { camelCase, isIdentifier, splitWords } from '../text/names.js'
import type { Api, HttpOperation, Operation } from './api.js'
import type { Finding } from './finding.js'

/** Group -> name in the group -> id of the operation: `customers` -> `create` -> `createCustomer`. */
export type Groups = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * The groups of a client, in addition to its operations. The group of an HTTP operation is its section. The group of a method
 * is its name before the first `_`, `.` or `/`. No group has a name that two sections share or that an operation has.
 */
export function groupsOf(kind: Operation['kind'], operations: Api['operations']): Groups {
  const { groups } = grouped(kind, operations)
  return Object.fromEntries(
    [...groups].map(([name, members]) => [name, Object.fromEntries(namesIn(members))]),
  )
}

/** Tags whose operations have no group in the client. Sections that are not tags are not reported. */
export const groupFindings = (operations: Api['operations']): readonly Finding[] =>
  grouped('http', operations)
    .rejected.filter(({ operation }) => operation.kind === 'http' && operation.tags.length > 0)
    .map(
      ({ section, name, why, operation }): Finding => ({
        rule: 'group-is-left-out',
        level: 'note',
        location: operation.source.locate(),
        message: `the operations of ${section} have no group${name && ` ${name}`} in the client: ${why}`,
      }),
    )

/**
 * The section of a document that an operation belongs to: its first tag. In a document without tags it is the first part of the
 * path that not all paths begin with.
 */
export function sectionsOf(
  operations: readonly HttpOperation[],
): ReadonlyMap<HttpOperation, string> {
  const paths = operations.map(({ path }) => partsOf(path))
  const [first = []] = paths
  const differing = first.findIndex((part, at) => paths.some((path) => path[at] !== part))
  const common = differing < 0 ? 0 : differing
  return new Map(
    operations.map((operation, index) => {
      const [tag] = operation.tags
      const part = paths[index]?.slice(common).find((one) => !one.startsWith('{'))
      return [operation, tag ?? part ?? paths[index]?.find((one) => !one.startsWith('{')) ?? '']
    }),
  )
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '')

type Member = { readonly operation: Operation; readonly name: string }

type Rejected = {
  readonly section: string
  readonly name: string
  readonly why: string
  readonly operation: Operation
}

function grouped(kind: Operation['kind'], operations: Api['operations']) {
  const sections = new Map<string, Member[]>()
  const add = (section: string, member: Member) => {
    const known = sections.get(section)
    if (known) known.push(member)
    else sections.set(section, [member])
  }
  const own = operations.filter((one) => one.kind === kind)
  const http = own.filter((one) => one.kind === 'http')
  const isTagged = http.some(({ tags }) => tags.length > 0)
  for (const [operation, section] of sectionsOf(http)) {
    if (section === '' || (isTagged && operation.tags.length === 0)) continue
    add(section, { operation, name: nameIn(section, operation) })
  }
  for (const operation of own) {
    if (operation.kind !== 'rpc') continue
    const [, prefix, rest = ''] = /^([^_./]+)[_./](.+)$/s.exec(operation.method) ?? []
    if (prefix !== undefined) add(prefix, { operation, name: camelCase(rest) })
  }
  return withoutClashes(kind, sections, new Set(own.map(({ id }) => id)))
}

/** The groups by name, and the sections without a group. */
function withoutClashes(
  kind: Operation['kind'],
  sections: ReadonlyMap<string, readonly Member[]>,
  ids: ReadonlySet<string>,
) {
  const named = [...sections].map(([section, members]) => ({
    section,
    members,
    name: groupName(section),
  }))
  const groups = new Map<string, readonly Member[]>()
  const rejected: Rejected[] = []
  for (const { section, members, name } of named) {
    const other = named.find((one) => one.name === name && one.section !== section)
    const isUsed = ids.has(name) || TAKEN[kind].has(name) || name in Object.prototype
    const why = !isIdentifier(name)
      ? 'its name contains no letter that an identifier can begin with'
      : other !== undefined
        ? `the operations of ${other.section} would have the same group`
        : isUsed
          ? 'an operation, or the client itself, has that name'
          : undefined
    const [first] = members
    if (why === undefined) groups.set(name, members)
    else if (first) rejected.push({ section, name, why, operation: first.operation })
  }
  return { groups, rejected }
}

/** Members of clients other than operations. A `then` would make a client a promise. */
const TAKEN: Readonly<Record<Operation['kind'], ReadonlySet<string>>> = {
  http: new Set(['then']),
  rpc: new Set(['then', 'request', 'raw', 'with', 'batch', 'notify']),
}

/** `Pet store` -> `petStore`, `API keys` -> `apiKeys`. */
const groupName = (section: string): string => {
  const [first = '', ...rest] = splitWords(section)
  return camelCase([first.toLowerCase(), ...rest].join(' '))
}

/** The name of each operation in its group, or its id if two operations would have one name. */
function namesIn(members: readonly Member[]): readonly (readonly [name: string, id: string])[] {
  const short = members.map(({ operation, name }) => {
    const isFit = isIdentifier(name) && name !== 'then' && !(name in Object.prototype)
    return { id: operation.id, name: isFit ? name : operation.id }
  })
  const uses = new Map<string, number>()
  for (const { id, name } of short) {
    uses.set(name, (uses.get(name) ?? 0) + 1)
    if (name !== id) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  return short.map(({ id, name }) => [uses.get(name) === 1 ? name : id, id])
}

/**
 * The name of an operation in the group of its section: its id, unless this repeats the group. `orders/list-all` and
 * `Orders_listAll` have the group before a separator, so the name is `listAll`. `listOrders` and `orderCreate` are a verb and the
 * group in singular or plural, so the names are `list` and `create`. Nothing is cut out of an id of more words, such as
 * `buyConcertTickets`, because the rest would mean something else.
 */
function nameIn(section: string, { id, operationId }: HttpOperation): string {
  const group = splitWords(section).map(stem)
  const isGroup = (words: readonly string[]) =>
    words.length === group.length && words.every((word, at) => stem(word) === group[at])
  const [, prefix, after, rest = after] = SEPARATED.exec(operationId) ?? []
  if (prefix !== undefined && rest !== undefined && isGroup(splitWords(prefix)))
    return camelCase(rest)
  const words = splitWords(id)
  const [first = '', last = ''] = [words.at(0), words.at(-1)].map((word) => word?.toLowerCase())
  if (VERBS.has(first) && isGroup(words.slice(1))) return first
  return VERBS.has(last) && isGroup(words.slice(0, -1)) ? last : id
}

/** What is before the first `/`, `.` or `:`, or before the only `_`, and what is behind it. */
const SEPARATED = /^([^/.:_]+)(?:[/.:](.+)|_([^/.:_]+))$/s

/** What operations of a collection are usually called. */
const VERBS: ReadonlySet<string> = new Set(
  `add cancel close count create delete edit find get list open patch post put query read remove replace retrieve save
  search set show start stop submit try update upsert`.split(/\s+/),
)

/** A stem that is equal for singular and plural: `charges` and `charge`, `policies` and `policy`. */
const stem = (word: string): string => {
  const lower = word.toLowerCase()
  if (/(?:ss|us|is)$/.test(lower)) return lower
  return lower.replace(/ies$/, 'y').replace(/e?s$|e$/, '')
}
