/**
 * The style `deepObject`, for parameters and forms, clients and servers: `filter[a]=1`, `items[0][price]=2`. OpenAPI leaves
 * lists and deeper levels open. They are written with indices, and read with indices, empty brackets or repeated names.
 */

/** A name with its text, neither of them encoded. */
export type Field = readonly [name: string, text: string]

/** The fields of a value. What is null or undefined has none, and neither has an empty list or object. */
export const deepFields = (name: string, value: unknown): readonly Field[] => {
  if (value === undefined || value === null) return []
  if (value instanceof Date) return [[name, value.toISOString()]]
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, member]) => deepFields(`${name}[${key}]`, member))
}

/**
 * What the fields that begin with `name[` can mean: with lists where all keys are numbers, and with objects alone. None
 * where there are no such fields.
 */
export const readDeep = (name: string, fields: readonly Field[]): readonly unknown[] => {
  const own = fields.filter(([one]) => one.startsWith(`${name}[`))
  if (own.length === 0) return []
  const root: Tree = new Map()
  for (const [path, text] of own) {
    const inner = path.slice(name.length).matchAll(/\[([^[\]]*)\]/g)
    const keys = [...inner].map(([, key = '']) => key).slice(0, DEEPEST)
    let tree = root
    for (const key of keys.slice(0, -1)) {
      const below = tree.get(key)
      const next: Tree = below instanceof Map ? below : new Map()
      tree.set(key, next)
      tree = next
    }
    const last = keys.at(-1) ?? ''
    const before = tree.get(last)
    tree.set(last, before === undefined || before instanceof Map ? text : [before, text].flat())
  }
  return hasLists(root) ? [treeValue(root, 'lists'), treeValue(root, 'objects')] : [treeValue(root)]
}

const DEEPEST = 16

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

/** A gap is closed: an index says the order, and never the size. */
const isList = (tree: Tree): boolean => [...tree.keys()].every((key) => /^\d*$/.test(key))

const hasLists = (tree: Tree): boolean =>
  isList(tree) || [...tree.values()].some((one) => one instanceof Map && hasLists(one))
