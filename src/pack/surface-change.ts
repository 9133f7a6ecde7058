import { posix } from 'node:path'
import type { File } from '../emit/file.js'
import { markdownCode } from '../model/escape.js'
import { CODE } from './manifest.js'
import type { Part } from './parts.js'
import { createReader, type Exported, surfaceOf } from './surface.js'

/** Names that code could say of the version before and cannot now, or the other way around. */
export type SurfaceChange = {
  readonly is: 'gone' | 'new'
  /** What the names are of: parts of the package, or what one of its parts exports or lists. */
  readonly kind: Kind
  /** Of a member: the exported name that lists it. */
  readonly owner?: string
  readonly names: readonly string[]
  /** The parts that they are, or are not, in; none of parts themselves. */
  readonly parts: readonly string[]
}

type Kind = keyof typeof NOUNS

/** In the order in which they are listed. */
const NOUNS = {
  part: ['', ''],
  server: ['the server ', 'the servers '],
  credential: ['the credential ', 'the credentials '],
  chain: ['the chain ', 'the chains '],
  function: ['the function ', 'the functions '],
  export: ['', ''],
  member: ['', ''],
} as const

/**
 * What differs between what code may name of a package before and now, whose files are recognised by their names in it. Nothing where
 * the one before has no manifest that names its parts.
 */
export const surfaceChanges = (
  before: ReadonlyMap<string, string>,
  now: readonly File[],
  parts: readonly Part[],
): readonly SurfaceChange[] => {
  const entries = entriesIn(before.get('package.json'))
  if (!entries) return []
  const read = createReader()
  const old = surfaceOf({ entries, files: before }, read)
  const young = surfaceOf(
    {
      entries: new Map(parts.map(({ entry, module }) => [entry, `${CODE}/${module}`])),
      files: new Map(now.map(({ name, text }) => [name, text])),
    },
    read,
  )
  const notes: Note[] = [...missing('gone', old, young), ...missing('new', young, old)]
  for (const [entry, modules] of old) {
    const others = young.get(entry)
    if (!others) continue
    notes.push(...missing('gone', modules, others), ...missing('new', others, modules))
    for (const [part, exported] of modules) {
      const other = others.get(part)
      if (exported && other) notes.push(...named(part, exported, other))
    }
  }
  return grouped(notes)
}

/** `the server \`testnet\` of \`./http\` is gone`, with as many names as are asked for. */
export const tellChange = (
  { is, kind, owner, names, parts }: SurfaceChange,
  most = Number.POSITIVE_INFINITY,
): string => {
  const noun = NOUNS[kind][names.length === 1 ? 0 : 1]
  const of = parts.length === 0 ? '' : listed(parts, most)
  const whole = owner === undefined ? of && ` of ${of}` : ` of ${markdownCode(owner)} in ${of}`
  return `${noun}${listed(names, most)}${whole} ${names.length === 1 ? 'is' : 'are'} ${is}`
}

/** Part -> its file, of a manifest as `manifestOf` writes it. */
const entriesIn = (manifest: string | undefined): ReadonlyMap<string, string> | undefined => {
  const { exports = {} } = JSON.parse(manifest ?? '{}') as {
    readonly exports?: Readonly<Record<string, string | { readonly default?: string }>>
  }
  const entries = Object.entries(exports).flatMap(([entry, target]) => {
    const path = typeof target === 'string' ? target : target.default
    return path === undefined || entry === './package.json'
      ? []
      : [[entry, posix.normalize(path)] as const]
  })
  return entries.length === 0 ? undefined : new Map(entries)
}

type Note = {
  readonly is: 'gone' | 'new'
  readonly kind: Kind
  readonly owner?: string
  readonly name: string
  readonly part?: string
}

const missing = (
  is: Note['is'],
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): readonly Note[] =>
  [...one.keys()].filter((name) => !other.has(name)).map((name) => ({ is, kind: 'part', name }))

const named = (part: string, before: Exported, now: Exported): readonly Note[] => {
  const names = (is: Note['is'], one: Exported, other: Exported): readonly Note[] =>
    [...one].flatMap(([name, members]): readonly Note[] => {
      if (!other.has(name)) return [{ is, kind: 'export', name, part }]
      const others = other.get(name)
      if (!members || !others) return []
      const gone = [...members].filter((member) => !others.has(member))
      const kind = kindOf(name)
      return gone.map((member) => ({
        is,
        kind,
        ...(kind === 'member' && { owner: name }),
        name: member,
        part,
      }))
    })
  return [...names('gone', before, now), ...names('new', now, before)]
}

const kindOf = (owner: string): Kind => {
  if (owner === 'chains') return 'chain'
  return OWNERS.find(([ending]) => owner.endsWith(ending))?.[1] ?? 'member'
}

const OWNERS = [
  ['Server', 'server'],
  ['Auth', 'credential'],
  ['Client', 'function'],
] as const

/** One for all names of the same parts; a name that several parts have is listed once. */
const grouped = (notes: readonly Note[]): readonly SurfaceChange[] => {
  const parts = new Map<string, Note & { readonly parts: Set<string> }>()
  for (const note of notes) {
    const key = JSON.stringify([note.is, note.kind, note.owner, note.name])
    const known = parts.get(key) ?? { ...note, parts: new Set<string>() }
    if (note.part !== undefined) known.parts.add(note.part)
    parts.set(key, known)
  }
  const groups = new Map<string, SurfaceChange & { readonly names: string[] }>()
  for (const { is, kind, owner, name, parts: all } of parts.values()) {
    const key = JSON.stringify([is, kind, owner, [...all]])
    const group = groups.get(key) ?? {
      is,
      kind,
      ...(owner !== undefined && { owner }),
      names: [],
      parts: [...all],
    }
    group.names.push(name)
    groups.set(key, group)
  }
  const rank = ({ is, kind }: SurfaceChange) =>
    (is === 'gone' ? 0 : ORDER.length) + ORDER.indexOf(kind)
  return [...groups.values()].sort((one, other) => rank(one) - rank(other))
}

const ORDER = Object.keys(NOUNS)

const listed = (names: readonly string[], most: number): string => {
  const shown = names.slice(0, most).map(markdownCode)
  const rest = names.length - shown.length
  const last = rest > 0 ? `${rest} more` : shown.pop()
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} and ${last}`
}
