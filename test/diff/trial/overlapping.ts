import { diff } from '../../../src/diff/diff.js'
import { lint } from '../../../src/lint/lint.js'
import type { Level } from '../../../src/model/finding.js'
import { parseDocument } from '../../../src/read/document.js'
import { disk } from '../../../src/read/file-tree.js'
import { loadApi } from '../../../src/read/load.js'
import { segmentsOf } from '../../../src/runtime/shared/pointer.js'

type Json = { [key: string]: unknown }

/** One changed property of an alternative, and what `diff` reports of it. */
export type Changed = {
  readonly place: string
  readonly change: string
  /** The highest level in a request and in a response: of the alternative, and of the same change where it is alone. */
  readonly found: Levels
  readonly alone: Levels
}

type Levels = { readonly request: Level | undefined; readonly response: Level | undefined }

/**
 * Changes properties of each alternative of a real document that lint calls overlapping, each change by itself. The union and its
 * components are the body of a request and of a response; so is, for comparison, the alternative alone.
 */
export async function changeOverlapping(
  file: RealDocument,
  { alternatives, properties }: Sizes,
): Promise<readonly Changed[]> {
  const { kind } = file
  const document = await bundledOf(file)
  const api = await loadApi(kind === 'openapi' ? { openapi: document } : { openrpc: document })
  const raw = document.value as Json
  const pointers = lint(api, { only: [RULE] })
    .filter(({ rule }) => rule === RULE)
    .map(({ location }) => location.pointer)
  const found: Changed[] = []
  for (const pointer of [...new Set(pointers)].slice(0, alternatives)) {
    const steps = segmentsOf(pointer)
    const [holder, index] = [at(raw, steps.slice(0, -2)), Number(steps.at(-1))]
    const branch = at(raw, steps)
    if (!isJson(holder) || !isJson(branch)) continue
    const owner = ownerOf(raw, branch)
    if (!owner) continue
    const names = Object.keys(owner.properties as Json).filter((name) => !isTag(holder, name))
    for (const name of names.slice(0, properties)) {
      for (const [change, apply] of CHANGES) {
        const changed = changedTo(raw, { holder, branch, index, owner }, (one) => apply(one, name))
        const levels = await Promise.all([
          levelsOf(raw, holder, changed.raw, changed.holder, dialectOf(raw)),
          levelsOf(raw, branch, changed.raw, changed.branch, dialectOf(raw)),
        ])
        const [union, alone] = levels
        found.push({ place: pointer, change: `${change} ${name}`, found: union, alone })
      }
    }
  }
  return found
}

export type RealDocument = {
  readonly path: string
  readonly kind: 'openapi' | 'openrpc'
  /** A folder into which references of the document may lead. */
  readonly folder: string
}

/** The document as one file, because its references may lead to others. */
async function bundledOf({ path, kind, folder }: RealDocument) {
  const tree = { ...disk, allowed: folder }
  const { http, rpc } = await loadApi(
    kind === 'openapi' ? { openapi: path } : { openrpc: path },
    tree,
  )
  return parseDocument(JSON.stringify((http ?? rpc)?.bundled), 'real')
}

type Sizes = { readonly alternatives: number; readonly properties: number }

const RULE = 'one-of-branch-never-matches'

const CHANGES: readonly (readonly [string, (owner: Json, name: string) => void])[] = [
  [
    'another type of',
    (owner, name) => {
      const properties = owner.properties as Json
      const own = properties[name]
      const isText = isJson(own) && own.type === 'string'
      properties[name] = { type: isText ? 'integer' : 'string' }
    },
  ],
  [
    'another requirement of',
    (owner, name) => {
      const required = (owner.required ?? []) as readonly string[]
      const rest = required.filter((one) => one !== name)
      const made = rest.length < required.length ? rest : [...required, name]
      if (made.length > 0) owner.required = made
      else delete owner.required
    },
  ],
]

/** Copies of the document and of the union, in which the alternative is changed wherever it is. */
function changedTo(
  raw: Json,
  { holder, branch, index, owner }: Place,
  apply: (owner: Json) => void,
) {
  const copies = new Map<unknown, unknown>()
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    const made: unknown[] | Json = Array.isArray(value) ? [] : {}
    copies.set(value, made)
    for (const [key, one] of Object.entries(value)) (made as Json)[key] = copy(one)
    return made
  }
  const made = copy(raw) as Json
  apply(copies.get(owner) as Json)
  const union = copies.get(holder) as Json
  // Only this alternative means the changed schema where it is written within the union.
  return { raw: made, holder: union, branch: (union.oneOf as readonly Json[])[index] ?? branch }
}

type Place = {
  readonly holder: Json
  readonly branch: Json
  readonly index: number
  readonly owner: Json
}

/** The object with properties that an alternative is, refers to or extends another one with. */
function ownerOf(raw: Json, schema: unknown, depth = 0): Json | undefined {
  if (!isJson(schema) || depth > 8) return undefined
  if (typeof schema.$ref === 'string')
    return ownerOf(raw, at(raw, segmentsOf(schema.$ref)), depth + 1)
  if (isJson(schema.properties) && Object.keys(schema.properties).length > 0) return schema
  const parts: readonly unknown[] = Array.isArray(schema.allOf) ? schema.allOf.toReversed() : []
  for (const part of parts) {
    const found = ownerOf(raw, part, depth + 1)
    if (found) return found
  }
  return undefined
}

/** A property that selects the alternative: another value of it selects another one. */
const isTag = ({ discriminator }: Json, name: string): boolean =>
  isJson(discriminator) && discriminator.propertyName === name

async function levelsOf(
  raw: Json,
  before: Json,
  changed: Json,
  after: Json,
  dialect: string,
): Promise<Levels> {
  const load = (document: Json, schema: Json) => {
    const { openapi: _, openrpc: __, ...rest } = document
    const body = { content: { 'application/json': { schema } } }
    const operation = {
      operationId: 'tried',
      requestBody: { required: true, ...body },
      responses: { '200': { description: 'Ok', ...body } },
    }
    const made = {
      openapi: dialect,
      info: { title: 'Tried', version: '1' },
      paths: { '/tried': { post: operation } },
      components: rest.components,
    }
    return loadApi({ openapi: parseDocument(JSON.stringify(made), 'tried.json') })
  }
  const [was, is] = await Promise.all([load(raw, before), load(changed, after)])
  const findings = diff(was, is, { today: new Date('2026-06-15T12:00:00Z') })
  const highest = (direction: string): Level | undefined => {
    const own = findings.filter(({ rule }) => rule.startsWith(direction)).map(({ level }) => level)
    return (['error', 'warning', 'note'] as const).find((level) => own.includes(level))
  }
  return { request: highest('request'), response: highest('response') }
}

const dialectOf = ({ openapi }: Json): string => (typeof openapi === 'string' ? openapi : '3.1.0')

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (raw: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Json)[step] : undefined,
    raw,
  )

/** What a change is counted as: the levels in which the change is breaking where the alternative is alone. */
export function countsOf(changes: readonly Changed[]) {
  const isBreaking = (level: Level | undefined) => level === 'error' || level === 'warning'
  const directions = changes.flatMap(({ place, change, found, alone }) =>
    (['request', 'response'] as const).map((direction) => ({
      ...{ place, change, direction },
      ...{ found: found[direction], alone: alone[direction] },
    })),
  )
  const breaking = directions.filter(({ alone }) => isBreaking(alone))
  return {
    alternatives: new Set(changes.map(({ place }) => place)).size,
    changes: breaking.length,
    reported: breaking.filter(({ found }) => isBreaking(found)).length,
    same: breaking.filter(({ found, alone }) => found === alone).length,
    missed: breaking.filter(({ found }) => !isBreaking(found)),
  }
}
