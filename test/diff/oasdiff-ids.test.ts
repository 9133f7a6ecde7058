import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIFF_RULES } from '../../src/diff/rules.js'
import { CORPORA } from '../conformance/corpora.js'
import { MESSAGES } from './oasdiff-messages.js'
import { OPERATIONS, PARAMETERS } from './oasdiff-operations.js'
import { pairsOf } from './oasdiff-pair.js'
import { PROPERTIES } from './oasdiff-properties.js'
import { SHAPES } from './oasdiff-shapes.js'
import { everywhere, type SchemaChange } from './oasdiff-spots.js'
import { VALUES } from './oasdiff-values.js'
import { changesOf } from './versions.js'

/** Checks of oasdiff that no document of ours can fall under, and why. */
const ARGUED: Readonly<Record<string, string>> = {
  ...because('x-stability-level is of operations and methods, not of properties', [
    'request-property-stability-decreased',
    'response-property-stability-decreased',
  ]),
}

/** Checks of oasdiff that break nobody as we read it, and why. */
const QUIETER: Readonly<Record<string, string>> = {
  ...because('what is deprecated still works: who gets no day is warned', [
    'api-deprecated-sunset-missing',
    'request-parameter-deprecated-sunset-missing',
    'request-property-deprecated-sunset-missing',
    'response-property-deprecated-sunset-missing',
  ]),
  ...because('what takes more than it did refuses nobody', [
    'request-body-all-of-removed',
    'request-property-all-of-removed',
  ]),
  ...because('the text of an integer is a string', [
    'request-parameter-list-of-types-narrowed',
    'request-parameter-property-list-of-types-narrowed',
  ]),
  ...because('a property that nobody declared is nobody’s promise', [
    'request-body-unevaluated-properties-added',
    'request-property-unevaluated-properties-added',
    'response-body-unevaluated-properties-removed',
    'response-property-unevaluated-properties-removed',
  ]),
  ...because('who never got a property does not look for it', [
    'response-required-property-became-not-write-only',
  ]),
}

function because(reason: string, ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id) => [id, reason]))
}

const CHANGES: readonly SchemaChange[] = [...VALUES, ...SHAPES]
const TABLES = [OPERATIONS, PARAMETERS, MESSAGES, PROPERTIES]
const LIST = join(CORPORA, '../checks/breaking-changes.md')
const listed = existsSync(LIST) ? checksOf(readFileSync(LIST, 'utf8')) : []
const ids = new Set(listed.map(({ id }) => id))
/** A change at a place for which oasdiff has no check of its own is left out: without their list, all parameters and headers are. */
const hasCheck = ({ id }: { readonly id: string }): boolean =>
  ids.size === 0 ? !/^(request-(parameter|header)|response-header)-/.test(id) : ids.has(id)
const PAIRS = [...TABLES.flatMap(pairsOf), ...everywhere(CHANGES).filter(hasCheck)]

describe("a pair for each of oasdiff's breaking checks", () => {
  const named = PAIRS.map((pair) => [`${pair.id} in ${pair.protocol}`, pair] as const)
  it.each(named)('%s', async (_, { before, after, finds }) => {
    const found = (await changesOf(before, after)).map(({ level, rule }) => `${level} ${rule}`)
    expect(found.sort().join(', ')).toBe([...finds].sort().join(', '))
  })

  it('finds rules that there are', () => {
    const rules = new Set(DIFF_RULES.map(({ id }) => id))
    const found = PAIRS.flatMap(({ finds }) => finds.map((one) => one.split(' ')[1] ?? ''))
    expect(found.filter((rule) => !rules.has(rule))).toEqual([])
  })
})

describe.skipIf(!existsSync(LIST))(
  `oasdiff's breaking checks${existsSync(LIST) ? '' : ' (skipped: their list is not here)'}`,
  () => {
    const shown = new Set(PAIRS.map(({ id }) => id))

    it('are each shown by a pair, or argued', () => {
      expect(listed).toHaveLength(243)
      expect([...ids].filter((id) => !shown.has(id)).sort()).toEqual(Object.keys(ARGUED).sort())
    })

    it('are each shown in JSON-RPC where they apply to it', () => {
      const inRpc = new Set(PAIRS.flatMap(({ id, protocol }) => (protocol === 'HTTP' ? [] : id)))
      const missing = listed.filter(({ id, isRpc }) => isRpc && !inRpc.has(id))
      expect(missing.map(({ id }) => id).sort()).toEqual(Object.keys(ARGUED).sort())
    })

    it('are no mere notes of ours but where that is argued', () => {
      const notes = PAIRS.filter(({ finds }) => finds.every((one) => one.startsWith('note ')))
      const quieter = new Set(notes.map(({ id }) => id))
      expect([...quieter].sort()).toEqual(Object.keys(QUIETER).sort())
    })

    it('are what the tables name, place by place', () => {
      expect(TABLES.flatMap(Object.keys).filter((id) => !ids.has(id))).toEqual([])
      const unusedPathParameters = CHANGES.filter((change) =>
        everywhere([change]).every(({ id }) => !ids.has(id)),
      )
      expect(unusedPathParameters).toEqual([])
    })
  },
)

/** The rows of the list: an id, how bad it is, what it means, whether it applies to JSON-RPC. */
function checksOf(list: string): readonly { readonly id: string; readonly isRpc: boolean }[] {
  const rows = list.matchAll(/^\| `([a-z-]+)` \| (?:ERR|WARN) \|[^|]*\| (\w+) \|/gm)
  return [...rows].map(([, id = '', rpc = '']) => ({ id, isRpc: /yes|analog/.test(rpc) }))
}
