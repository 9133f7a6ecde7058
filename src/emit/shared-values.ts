import { templateText } from '../text/escape.js'
import { camelCase, identifier, uniqueName } from '../text/names.js'
import { code, type Fragment, join, raw, string } from './file.js'

/**
 * Replaces large values that occur in several places by names, and returns their definitions, each after those that
 * it refers to. `nameOf` gets the path of a place, the shortest if there are several.
 */
export function shareValues(
  roots: readonly unknown[],
  nameOf: (path: ValuePath) => string,
  used: Set<string>,
): { readonly shared: readonly SharedValue[]; readonly values: readonly unknown[] } {
  const { root, nodes } = readNodes(roots)
  const large = sharedAmong(nodes)
  const places = new Map(placesOf(root))
  const names = new Map<Node, string>()
  const shared: SharedValue[] = []
  const referred = (node: Node): unknown => {
    if (!large.has(node)) return spelled(node)
    const known = names.get(node)
    if (known !== undefined) return raw(known)
    const value = spelled(node)
    const name = uniqueName(identifier(nameOf(places.get(node) ?? []), camelCase), used)
    names.set(node, name)
    shared.push({ name, value })
    return raw(name)
  }
  const spelled = ({ value, members }: Node): unknown => {
    if (members === undefined) return typeof value === 'string' ? longText(value) : value
    const parts = members.map(([key, member]) => [key, referred(member)] as const)
    return Array.isArray(value) ? parts.map(([, one]) => one) : Object.fromEntries(parts)
  }
  return { values: (root.members ?? []).map(([, member]) => referred(member)), shared }
}

export type SharedValue = { readonly name: string; readonly value: unknown }

/** The keys and positions from the root to a value, with every value on the way, including the last. */
export type ValuePath = readonly { readonly key: string; readonly value: unknown }[]

/** A distinct value of the data, however often it occurs. */
type Node = {
  readonly id: number
  readonly value: unknown
  /** By key, or by position in lists; undefined for scalars. */
  readonly members: readonly (readonly [key: string, Node])[] | undefined
  /** How often it is a member of other values. */
  uses: number
}

/** The nodes of a value, members before the values that contain them. */
const readNodes = (whole: unknown): { readonly root: Node; readonly nodes: readonly Node[] } => {
  const known = new Map<string, Node>()
  const read = (value: unknown): Node => {
    const hasParts = typeof value === 'object' && value !== null
    const members = hasParts
      ? Object.entries(value).flatMap(([key, one]) =>
          one === undefined ? [] : [[key, read(one)] as const],
        )
      : undefined
    const content =
      members?.map(([key, { id }]) => `${JSON.stringify(key)}${id}`).join() ?? scalarText(value)
    const identity = `${hasParts ? (Array.isArray(value) ? 'list' : 'object') : ''} ${content}`
    const before = known.get(identity)
    if (before) return before
    for (const [, member] of members ?? []) member.uses += 1
    const made = { id: known.size, value, members, uses: 0 }
    known.set(identity, made)
    return made
  }
  return { root: read(whole), nodes: [...known.values()] }
}

const scalarText = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)

/** Values that occur in several places and do not fit on a line. */
const sharedAmong = (nodes: readonly Node[]): ReadonlySet<Node> => {
  const shared = new Set<Node>()
  const lengths = new Map<Node, number>()
  for (const node of nodes) {
    const length =
      node.members?.reduce(
        (sum, [key, one]) =>
          sum + (lengths.get(one) ?? 0) + (Array.isArray(node.value) ? 2 : key.length + 4),
        2,
      ) ?? scalarText(node.value).length
    const isShared = node.uses > 1 && length > LINE
    if (isShared) shared.add(node)
    lengths.set(node, isShared ? NAME : length)
  }
  return shared
}

/** Characters of a line, including its indentation, and of the name that replaces a longer value. */
const LINE = 90
const NAME = 20

/** Every node with the shortest path to it, those near the root first. */
function* placesOf(root: Node): Generator<readonly [Node, ValuePath]> {
  const seen = new Set([root])
  let level: (readonly [Node, ValuePath])[] = [[root, []]]
  while (level.length > 0) {
    yield* level
    level = level.flatMap(([{ members = [] }, path]) =>
      members.flatMap(([key, node]) => {
        if (seen.has(node)) return []
        seen.add(node)
        return [[node, [...path, { key, value: node.value }]] as const]
      }),
    )
  }
}

/**
 * A text in a readable form: many lines as a list of lines, and a long repetition of a character by its length. Other
 * texts are unchanged.
 */
export function longText(text: string): string | Fragment {
  if (text.length <= 80) return text
  if (text.split('\n').length > 2) return byLine(text)
  const runs = text.match(RUNS)?.join('').length ?? 0
  return runs > text.length / 2 ? byRuns(text) : text
}

const byLine = (text: string): Fragment => {
  const lines = text.split('\n').map((line) => code`${string(line)},`)
  return code`[\n  ${join(lines)}\n].join('\\n')`
}

/** A character that is repeated 24 times or more. */
const RUNS = /(.)\1{23,}/gs

const byRuns = (text: string): Fragment => {
  const pieces = text.split(/((.)\2{23,})/s)
  // Of three pieces the second is a run, and the third its character.
  const written = pieces.map((piece, at) => {
    if (at % 3 === 0) return templateText(piece)
    return at % 3 === 1 ? `\${${string(piece[0] ?? '')}.repeat(${piece.length})}` : ''
  })
  return raw(`\`${written.join('')}\``)
}
