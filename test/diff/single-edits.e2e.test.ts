import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { diff } from '../../src/diff/diff.js'
import { differences } from '../../src/diff/differences.js'
import { documentFaults } from '../../src/diff/document-faults.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { EVERY_OPENAPI, EVERY_OPENRPC } from './every-field.js'
import { randomOf } from './trial/sample-values.js'
import { TODAY } from './versions.js'

type Kind = 'openapi' | 'openrpc'
type Path = readonly string[]

const PATIENCE = 600_000

/** So many places of each document are edited: others with another seed. */
const PLACES = Number(process.env.PLACES ?? 150)
const SEED = Number(process.env.SEED ?? 15)

/** Those of `spec/` are large, and are read again for each edit. */
const PLACES_OF_SPEC = Math.ceil(PLACES / 8)

describe('"nothing changed" is said only where nothing differs: one edit anywhere is reported, or said not to be compared', () => {
  it.each<[Kind, string]>([
    ['openapi', EVERY_OPENAPI],
    ['openrpc', EVERY_OPENRPC],
  ])('in an %s document with every kind of field', { timeout: PATIENCE }, async (kind, text) => {
    const document = parse(text)
    const { tried, silent } = await edited(kind, document, someOf(pathsIn(document), PLACES))
    expect(silent).toEqual([])
    expect(tried).toBeGreaterThan(50)
  })

  it.each<Kind>(['openapi', 'openrpc'])(
    'in the %s document of spec/',
    {
      timeout: PATIENCE,
    },
    async (kind) => {
      const api = await loadApi({ [kind]: `spec/${kind}.yaml` })
      const document = (kind === 'openapi' ? api.http : api.rpc)?.bundled ?? {}
      const { silent } = await edited(kind, document, someOf(pathsIn(document), PLACES_OF_SPEC))
      expect(silent).toEqual([])
    },
  )
})

/** How many edits give a document that can be read, and those that nothing was said of. */
async function edited(kind: Kind, document: unknown, paths: readonly Path[]) {
  const load = (value: unknown, name: string) =>
    loadApi({ [kind]: parseDocument(JSON.stringify(value), name) })
  const before = await load(document, 'old.json')
  const silent: string[] = []
  let tried = 0
  for (const path of paths) {
    for (const how of ['altered', 'removed'] as const) {
      const changed = editedAt(document, path, how)
      if (changed === undefined) continue
      const after = await load(changed, 'new.json').catch(() => undefined)
      if (!after) continue
      tried += 1
      const said = [
        ...diff(before, after, { today: TODAY }),
        ...documentFaults(before, after),
        ...differences(before, after),
      ]
      if (said.length === 0) silent.push(`${how}: /${path.join('/')}`)
    }
  }
  return { tried, silent }
}

function someOf(all: readonly Path[], count: number): readonly Path[] {
  const random = randomOf(SEED)
  const mixed = all.map((path) => ({ path, at: random() })).sort((a, b) => a.at - b.at)
  return mixed.slice(0, count).map(({ path }) => path)
}

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const inner = members.flatMap(([key, member]) => pathsIn(member, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

/** A copy with one change; undefined where only leaves are altered. */
function editedAt(document: unknown, path: Path, how: 'altered' | 'removed'): unknown {
  const copy = structuredClone(document) as Record<string, unknown>
  const holder = path.slice(0, -1).reduce((one, key) => one[key] as Record<string, unknown>, copy)
  const key = path.at(-1) ?? ''
  if (how === 'altered') {
    if (typeof holder[key] === 'object' && holder[key] !== null) return undefined
    holder[key] = otherThan(holder[key])
  } else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
  return copy
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  return typeof value === 'number' ? value + 1 : `${value}x`
}
