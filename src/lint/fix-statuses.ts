import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'
import type { Api } from '../model/api.js'
import { isObject } from '../model/json.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { type MissingStatuses, missingStatuses, type ServerStatus } from './server-statuses.js'

/**
 * The files of an OpenAPI document with the missing statuses of generated servers declared. Text is only inserted: comments,
 * order and layout stay. A file that cannot be changed so is returned with a reason and without a text.
 */
export const declareStatuses = (
  api: Api,
  read: (file: string) => string | undefined,
): readonly FixedFile[] => {
  const missing = distinct(missingStatuses(api))
  const entry = api.http?.source.locate().file
  return [...new Set(missing.map(({ location }) => location.file))].map((file) => {
    const own = missing.filter(({ location }) => location.file === file)
    const text = read(file)
    return text === undefined
      ? { file, missing: own, refused: 'it is no file of this machine' }
      : fixFile(file, text, own, file === entry)
  })
}

export type FixedFile = {
  readonly file: string
  readonly missing: readonly MissingStatuses[]
} & ({ readonly text: string } | { readonly refused: string })

/** Two paths may refer to one path item. */
const distinct = (missing: readonly MissingStatuses[]): readonly MissingStatuses[] => [
  ...new Map(missing.map((one) => [JSON.stringify(one.location), one])).values(),
]

const fixFile = (
  file: string,
  text: string,
  missing: readonly MissingStatuses[],
  isEntry: boolean,
): FixedFile => {
  const refuse = (refused: string): FixedFile => ({ file, missing, refused })
  const document = parse(text)
  const before: unknown = document.toJS({ maxAliasCount: -1 })
  const root = document.contents
  if (document.errors.length > 0 || !isMap(root) || !isObject(before))
    return refuse('its text cannot be edited')
  if (before.swagger !== undefined) return refuse('it is a document of Swagger 2.0')
  const expected = structuredClone(before) as Tree
  const wanted = [...new Set(missing.flatMap(({ statuses }) => statuses))]
  const { refs, additions } = isEntry ? shared(before, wanted) : { refs: new Map(), additions: [] }
  const all: readonly Addition[] = [
    ...missing.flatMap(({ statuses, location }) =>
      statuses.map((status): Addition => {
        const ref = refs.get(status)
        const value = ref === undefined ? responseOf(status, ERROR) : { $ref: ref }
        return { path: segmentsOf(location.pointer), key: status, value }
      }),
    ),
    ...additions,
  ]
  const edits = all.flatMap((one) => editOf(text, root, one) ?? [])
  if (edits.length < all.length) return refuse('responses of it have no map of their own')
  for (const { path, key, value } of all) define(expected, [...path, key], value)
  const changed = edited(text, edits)
  // A reader must find nothing but what was added.
  const after = parse(changed)
  return after.errors.length === 0 && isDeepStrictEqual(after.toJS({ maxAliasCount: -1 }), expected)
    ? { file, missing, text: changed }
    : refuse('its layout leaves no place for them')
}

const parse = (text: string) =>
  parseDocument(text, { merge: true, prettyErrors: false, uniqueKeys: false, logLevel: 'error' })

type Tree = { [key: string]: unknown }

/** A member that a map of the document gets. */
type Addition = { readonly path: readonly string[]; readonly key: string; readonly value: object }

/** The component to refer to for each status: the one that most operations use, or one that is added. */
const shared = (
  document: Tree,
  statuses: readonly ServerStatus[],
): { readonly refs: ReadonlyMap<string, string>; readonly additions: readonly Addition[] } => {
  const components = isObject(document.components) ? document.components : {}
  const taken = (section: string) =>
    isObject(components[section]) ? components[section] : ({} as Tree)
  const refs = new Map<string, string>()
  const responses: Tree = {}
  const own = ownError(document)
  const schema = own ?? freeName('ErrorMessage', taken('schemas'))
  for (const status of statuses) {
    const used = usedFor(document, status)
    const name = freeName(RESPONSES[status].name, taken('responses'))
    refs.set(status, used ?? `#/components/responses/${name}`)
    if (used === undefined)
      responses[name] = responseOf(status, { $ref: `#/components/schemas/${schema}` })
  }
  if (Object.keys(responses).length === 0) return { refs, additions: [] }
  const sections: readonly (readonly [string, Tree])[] = [
    ['responses', responses],
    ...(own === undefined ? [['schemas', { [schema]: ERROR }] as const] : []),
  ]
  if (!isObject(document.components))
    return {
      refs,
      additions: [{ path: [], key: 'components', value: Object.fromEntries(sections) }],
    }
  const additions = sections.flatMap(([section, members]): readonly Addition[] =>
    isObject(components[section])
      ? Object.entries(members).map(([key, value]) => ({
          path: ['components', section],
          key,
          value: value as object,
        }))
      : [{ path: ['components'], key: section, value: members }],
  )
  // Where two begin at one place, the deeper one comes first: a schema, then the map of responses after all schemas.
  return { refs, additions: additions.toSorted((a, b) => b.path.length - a.path.length) }
}

const freeName = (name: string, taken: object): string => {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}${count}`
    if (!Object.hasOwn(taken, tried)) return tried
  }
}

/** The component that most operations of the document refer to for a status. */
const usedFor = (document: Tree, status: string): string | undefined =>
  mostCommon(
    responsesOf(document).flatMap(([key, response]) => (key === status ? refOf(response) : [])),
  )

/** The name of the schema that most errors of the document have, if it is an object with a text `error`. */
const ownError = (document: Tree): string | undefined => {
  const components = memberOf(document, 'components')
  const schemas = memberOf(components, 'schemas')
  const names = responsesOf(document).flatMap(([key, response]) => {
    if (!/^([45]|default)/.test(key)) return []
    const [shared] = refOf(response).map((ref) => ref.replace('#/components/responses/', ''))
    const whole = shared === undefined ? response : memberOf(components, 'responses', shared)
    const schema = memberOf(whole, 'content', 'application/json', 'schema')
    return refOf(schema).map((ref) => ref.replace('#/components/schemas/', ''))
  })
  const fits = (name: string): boolean => {
    const { type, required = [], properties } = memberOf(schemas, name)
    const { type: text, ...rest } = memberOf(properties, 'error')
    const isPlain = Object.keys(rest).every((key) => /^(description|examples?)$/.test(key))
    return (
      type === 'object' && text === 'string' && isPlain && isDeepStrictEqual(required, ['error'])
    )
  }
  return mostCommon(names.filter(fits))
}

const responsesOf = (document: Tree): readonly (readonly [status: string, response: unknown])[] =>
  Object.values(memberOf(document, 'paths'))
    .flatMap((item) => (isObject(item) ? Object.values(item) : []))
    .flatMap((operation) => Object.entries(memberOf(operation, 'responses')))

/** The object at some keys, empty where there is none. */
const memberOf = (from: unknown, ...keys: readonly string[]): Tree => {
  const found = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), from)
  return isObject(found) ? found : {}
}

const refOf = (value: unknown): readonly string[] =>
  isObject(value) && typeof value.$ref === 'string' ? [value.$ref] : []

const mostCommon = (texts: readonly string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

const RESPONSES: Readonly<
  Record<ServerStatus, { readonly name: string; readonly description: string }>
> = {
  '400': { name: 'InvalidRequest', description: 'The request is invalid.' },
  '401': { name: 'Unauthorized', description: 'The credentials are missing or wrong.' },
  '413': { name: 'PayloadTooLarge', description: 'The body is too large.' },
  '415': { name: 'UnsupportedMediaType', description: 'The body has another media type.' },
}

const ERROR = {
  description: 'Why a request was rejected.',
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
}

const responseOf = (status: ServerStatus, schema: object): object => {
  const { description } = RESPONSES[status]
  const example = { error: description.replace(/\.$/, '') }
  return { description, content: { 'application/json': { schema, example } } }
}

type Edit = { readonly offset: number; readonly text: string }

/** The insertion of a member behind the last one that sorts before it; undefined where there is no map, or an empty one. */
const editOf = (text: string, root: YAMLMap, { path, key, value }: Addition): Edit | undefined => {
  let map: unknown = root
  for (const segment of path) map = isMap(map) ? pairOf(map, segment)?.value : undefined
  if (!isMap(map)) return undefined
  const [first] = map.items
  const start = startOf(first)
  if (first === undefined || start === undefined) return undefined
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
    return { offset, text: `\n${indented(entry, indent)}` }
  }
  const open = map.range?.[0] ?? start
  if (!text.slice(open, start).includes('\n'))
    return {
      offset: end,
      text: `, ${JSON.stringify(key)}: ${spaced(JSON.stringify(value, null, 1))}`,
    }
  const lineStart = text.lastIndexOf('\n', open) + 1
  const outer = /^\s*/.exec(text.slice(lineStart, open))?.[0].length ?? 0
  const json = JSON.stringify({ [key]: value }, null, Math.max(indent - outer, 1))
  const entry = json.split('\n').slice(1, -1).join('\n')
  return { offset: end, text: `,\n${indented(entry, outer)}` }
}

/** JSON of several lines on one. */
const spaced = (json: string): string => json.replace(/\n\s*/g, ' ')

const pairOf = ({ items }: YAMLMap, key: string): Pair | undefined =>
  items.find((pair) => keyOf(pair) === key)

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '')

type Ranged = { readonly range?: readonly number[] | null } | null | undefined

const startOf = (pair: Pair | undefined): number | undefined => (pair?.key as Ranged)?.range?.[0]

const endOf = ({ key, value }: Pair): number | undefined =>
  (value as Ranged)?.range?.[1] ?? (key as Ranged)?.range?.[1]

/** The end of a value without the blank lines behind it. */
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

/** The text with all edits; those of one place keep their order. */
const edited = (text: string, edits: readonly Edit[]): string => {
  const sorted = edits.map((edit, index) => ({ ...edit, index }))
  sorted.sort((one, other) => one.offset - other.offset || one.index - other.index)
  let result = ''
  let from = 0
  for (const { offset, text: inserted } of sorted) {
    result += text.slice(from, offset) + inserted
    from = offset
  }
  return result + text.slice(from)
}

/** Sets a member of nested maps, which are made where they are missing. */
const define = (tree: Tree, path: readonly string[], value: unknown): void => {
  let at = tree
  for (const segment of path.slice(0, -1)) {
    const below = isObject(at[segment]) ? (at[segment] as Tree) : {}
    at[segment] = below
    at = below
  }
  const last = path.at(-1)
  if (last !== undefined) at[last] = value
}
