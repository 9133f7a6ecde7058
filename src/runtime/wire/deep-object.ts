/**
 * The style `deepObject`, for parameters and forms, clients and servers: `filter[a]=1`, `items[0][price]=2`. OpenAPI does not
 * define lists and deeper levels. They are written with indices, and read with indices, empty brackets or repeated names.
 */

/** A name with its text, both without encoding. */
export type Field = readonly [name: string, text: string]

/** The fields of a value; none for null, undefined, and empty lists and objects. */
export const deepFields = (name: string, value: unknown): readonly Field[] => {
  if (value === undefined || value === null) return []
  if (value instanceof Date) return [[name, value.toISOString()]]
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, member]) => deepFields(`${name}[${key}]`, member))
}

/** Whether a value has a key with a bracket, which would be parsed as another key. */
export const hasBracketInKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, member]) => /[[\]]/.test(key) || hasBracketInKey(member))

/**
 * The possible values of the fields of a name: with lists for groups of numeric keys, and with objects only. Empty if there are
 * no such fields.
 */
export const readDeep = (name: string, fields: readonly Field[]): readonly unknown[] => {
  const root: Tree = new Map()
  for (const [path, text] of fields) {
    const keys = keysBehind(name, path)
    if (keys !== undefined) put(root, keys, text)
  }
  if (root.size === 0) return []
  return hasLists(root) ? [treeValue(root, 'lists'), treeValue(root, 'objects')] : [treeValue(root)]
}

/** Whether a field is `name[key]`, `name[key][key]` and so on. */
export const isDeepField = (name: string, field: string): boolean =>
  keysBehind(name, field) !== undefined

/** The keys after a name; undefined if brackets are not in pairs, or there are too many keys. */
const keysBehind = (name: string, path: string): readonly string[] | undefined => {
  if (!path.startsWith(`${name}[`) || !path.endsWith(']')) return undefined
  const keys = path.slice(name.length + 1, -1).split('][', DEEPEST + 1)
  return keys.length > DEEPEST || keys.some((key) => /[[\]]/.test(key)) ? undefined : keys
}

const DEEPEST = 16

const put = (root: Tree, keys: readonly string[], text: string): void => {
  let tree = root
  for (const [index, written] of keys.slice(0, -1).entries()) {
    const key = written === '' ? itemOf(tree, keys[index + 1] ?? '') : written
    const below = tree.get(key)
    const next: Tree = below instanceof Map ? below : new Map()
    tree.set(key, next)
    tree = next
  }
  const last = keys.at(-1) ?? ''
  const before = tree.get(last)
  if (Array.isArray(before)) before.push(text)
  else tree.set(last, typeof before === 'string' ? [before, text] : text)
}

/** The item that empty brackets mean: the last one, or a new one if the last already has the key. */
const itemOf = (tree: Tree, key: string): string => {
  const last = String(tree.size - 1)
  const item = tree.get(last)
  return item instanceof Map && !item.has(key) ? last : String(tree.size)
}

type Tree = Map<string, string | string[] | Tree>

const treeValue = (tree: Tree, reading: 'lists' | 'objects' = 'objects'): unknown => {
  const members = [...tree].map(
    ([key, one]) => [key, one instanceof Map ? treeValue(one, reading) : one] as const,
  )
  if (reading === 'objects' || !isList(tree)) return Object.fromEntries(members)
  return [...members]
    .sort(([a], [b]) => Number(a) - Number(b))
    .flatMap(([key, one]) => (key === '' ? one : [one]))
}

/** Gaps are closed: an index determines only the order, never the size. */
const isList = (tree: Tree): boolean => [...tree.keys()].every((key) => /^\d*$/.test(key))

const hasLists = (tree: Tree): boolean =>
  isList(tree) || [...tree.values()].some((one) => one instanceof Map && hasLists(one))
