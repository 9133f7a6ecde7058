import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'
import { isObject } from '../model/json.js'

/** Parses a document for edits that keep its comments, order and layout; undefined if it does not parse. */
export const readEditable = (text: string): Editable | undefined => {
  const document = parse(text)
  const root = document.contents
  const before: unknown = document.toJS({ maxAliasCount: -1 })
  if (document.errors.length > 0 || !isMap(root) || !isObject(before)) return undefined
  const change: Editable['change'] = (changes) => {
    const edits = changes.flatMap((one) => editOf(text, root, one) ?? [])
    if (edits.length < changes.length) return { problem: 'place' }
    const changed = edited(text, edits)
    const expected: unknown = structuredClone(before)
    for (const one of changes) apply(expected, one)
    // The parsed result must differ only in the changes.
    const after = parse(changed)
    return after.errors.length === 0 &&
      isDeepStrictEqual(after.toJS({ maxAliasCount: -1 }), expected)
      ? changed
      : { problem: 'layout' }
  }
  return { before, change }
}

type Editable = {
  readonly before: Tree
  /** The changed text; `place` if a map is missing or empty; `layout` if another value would change too. */
  readonly change: (
    changes: readonly MemberEdit[],
  ) => string | { readonly problem: 'place' | 'layout' }
}

export type Tree = { readonly [key: string]: unknown }

/** Sets a member of a map of the document, or adds it if it does not exist. */
export type MemberEdit = {
  readonly path: readonly string[]
  readonly key: string
  readonly value: unknown
}

const parse = (text: string) =>
  parseDocument(text, { merge: true, prettyErrors: false, uniqueKeys: false, logLevel: 'error' })

/** Replaces `length` characters by the text. */
type Edit = { readonly offset: number; readonly length: number; readonly text: string }

const editOf = (text: string, root: YAMLMap, change: MemberEdit): Edit | undefined => {
  let map: unknown = root
  for (const segment of change.path) {
    if (isMap(map)) map = pairOf(map, segment)?.value
    else map = isSeq(map) ? map.items[Number(segment)] : undefined
  }
  if (!isMap(map)) return undefined
  const pair = pairOf(map, change.key)
  return pair ? replacement(pair.value, change.value) : insertion(text, map, change)
}

/** Replaces a scalar by another one. */
const replacement = (node: unknown, value: unknown): Edit | undefined => {
  const [start, end] = (isScalar(node) && node.range) || []
  if (start === undefined || end === undefined) return undefined
  const isQuoted = isScalar(node) && node.type === 'QUOTE_DOUBLE'
  const text = isQuoted ? JSON.stringify(value) : String(value)
  return { offset: start, length: end - start, text }
}

/** Inserts a member after the last one that sorts before it; undefined if the map is empty. */
const insertion = (
  text: string,
  map: YAMLMap,
  { path, key, value }: MemberEdit,
): Edit | undefined => {
  const [first] = map.items
  const start = startOf(first)
  if (first === undefined || start === undefined) return undefined
  // Only the statuses of an operation are sorted, not the names of `components.responses`.
  const isSorted = path.at(-1) === 'responses' && path.length > 2
  const before = map.items.findLast((pair) => !isSorted || keyOf(pair) < key)
  if (before === undefined) return undefined
  const end = endOf(before)
  if (end === undefined) return undefined
  const indent = start - (text.lastIndexOf('\n', start - 1) + 1)
  if (map.flow !== true) {
    const entry = stringify({ [key]: value }, { singleQuote: true, lineWidth: 0 }).trimEnd()
    const lineEnd = text.indexOf('\n', trimmed(text, end))
    const offset = lineEnd === -1 ? text.length : text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd
    return { offset, length: 0, text: `\n${indented(entry, indent)}` }
  }
  const open = map.range?.[0] ?? start
  if (!text.slice(open, start).includes('\n'))
    return {
      offset: end,
      length: 0,
      text: `, ${keyLike(first, key)}: ${spaced(JSON.stringify(value, null, 1))}`,
    }
  const lineStart = text.lastIndexOf('\n', open) + 1
  const outer = /^\s*/.exec(text.slice(lineStart, open))?.[0].length ?? 0
  const json = JSON.stringify({ [key]: value }, null, Math.max(indent - outer, 1))
  const entry = json.split('\n').slice(1, -1).join('\n')
  return { offset: end, length: 0, text: `,\n${indented(entry, outer)}` }
}

/** A key in the style of the first key of its map: plain, or in JSON quotes. */
const keyLike = ({ key: first }: Pair, key: string): string =>
  isScalar(first) && first.type === 'PLAIN' && /^[a-z][\w-]*$/i.test(key)
    ? key
    : JSON.stringify(key)

/** Multi-line JSON on one line. */
const spaced = (json: string): string => json.replace(/\n\s*/g, ' ')

const pairOf = ({ items }: YAMLMap, key: string): Pair | undefined =>
  items.find((pair) => keyOf(pair) === key)

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '')

type Ranged = { readonly range?: readonly number[] | null } | null | undefined

const startOf = (pair: Pair | undefined): number | undefined => (pair?.key as Ranged)?.range?.[0]

const endOf = ({ key, value }: Pair): number | undefined =>
  (value as Ranged)?.range?.[1] ?? (key as Ranged)?.range?.[1]

/** The end of a value without the blank lines after it. */
const trimmed = (text: string, end: number): number => {
  let at = end
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1
  return at
}

const indented = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(width) + line))
    .join('\n')

/** The text with all edits, with the line endings that it has; edits at one place keep their order. */
const edited = (text: string, edits: readonly Edit[]): string => {
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  const sorted = edits.map((edit, index) => ({ ...edit, index }))
  sorted.sort((one, other) => one.offset - other.offset || one.index - other.index)
  let result = ''
  let from = 0
  for (const { offset, length, text: inserted } of sorted) {
    result += text.slice(from, offset) + inserted.replaceAll('\n', ending)
    from = offset + length
  }
  return result + text.slice(from)
}

/** Applies a change to plain data. */
const apply = (tree: unknown, change: MemberEdit): void => {
  let at = tree
  for (const segment of change.path) {
    if (Array.isArray(at)) at = at[Number(segment)]
    else if (isObject(at)) at = at[segment]
  }
  if (!isObject(at)) return
  Reflect.set(at, change.key, change.value)
}
