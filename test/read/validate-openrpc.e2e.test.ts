import { validateOpenRPCDocument } from '@open-rpc/schema-utils-js'
import { describe, expect, it } from 'vitest'
import type { Bundle } from '../../src/read/bundle.js'
import { parseDocument } from '../../src/read/document.js'
import { validateOpenRpc } from '../../src/read/validate-openrpc.js'
import type { JsonObject } from '../../src/runtime/validate/json-value.js'

const document = {
  openrpc: '1.3.2',
  info: { title: 'Clock', version: '1', license: { name: 'MIT' }, contact: { name: 'A' } },
  servers: [{ name: 'main', url: 'http://{zone}', variables: { zone: { default: 'utc' } } }],
  methods: [
    {
      name: 'now',
      tags: [{ name: 'time' }, { $ref: '#/components/tags/time' }],
      paramStructure: 'by-name',
      params: [{ name: 'zone', required: true, schema: {} }, { $ref: '#/components/x' }],
      result: { name: 'time', schema: {} },
      errors: [{ code: 1, message: 'late', data: 1 }],
      links: [{ name: 'next', method: 'now', params: { zone: 'utc' } }],
      examples: [
        { name: 'one', params: [{ name: 'zone', value: 1 }], result: { name: 'r', value: 1 } },
      ],
      externalDocs: { url: 'http://a.example' },
      'x-own': 1,
    },
    { $ref: '#/components/methods/then' },
  ],
  components: {
    contentDescriptors: { Zone: { name: 'zone', schema: {} } },
    errors: { Late: { code: 1, message: 'late' } },
    tags: { time: { name: 'time' } },
    examplePairings: { One: { name: 'one', params: [] } },
  },
}

/** What may stand in place of a member. */
const WRONG = [null, 1, '', 'text', true, [], {}, [1], { $ref: 1 }, { $ref: '#/components/a' }]

const bundleOf = (value: JsonObject): Bundle => {
  const read = parseDocument(JSON.stringify(value), 'openrpc.json')
  return { value, originOf: () => ({ document: read, pointer: '' }) } as unknown as Bundle
}

const isValid = (value: JsonObject) => validateOpenRpc(bundleOf(value)).next().done === true

/** It throws for what it cannot read, and changes what it is given. */
const isValidToOracle = (value: JsonObject): boolean => {
  try {
    return validateOpenRPCDocument(structuredClone(value) as never) === true
  } catch {
    return false
  }
}

/** The document with each member removed, each replaced by each wrong value, and a member added to each object. */
function* mutants(): Generator<{ readonly name: string; readonly value: JsonObject }> {
  for (const path of pathsIn(document)) {
    const at = path.join('/')
    yield { name: `${at} removed`, value: changed(path, (parent, key) => delete parent[key]) }
    yield {
      name: `${at} beside a member that is not known`,
      value: changed(path, (parent) => {
        parent.unknown = 1
      }),
    }
    for (const wrong of WRONG) {
      yield {
        name: `${at} = ${JSON.stringify(wrong)}`,
        value: changed(path, (parent, key) => {
          parent[key] = wrong
        }),
      }
    }
  }
}

/** Schemas are left to the reader of schemas, and the version to the reader of versions. */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (key === 'schema' || key === 'openrpc') continue
    yield [...path, key]
    yield* pathsIn(member, [...path, key])
  }
}

const changed = (
  path: readonly string[],
  change: (parent: Record<string, unknown>, key: string) => unknown,
): JsonObject => {
  const copy = structuredClone(document) as Record<string, unknown>
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string, unknown>
  change(parent, path.at(-1) as string)
  return copy
}

describe('an OpenRPC document', () => {
  it('is valid exactly where @open-rpc/schema-utils-js says so', () => {
    expect(isValidToOracle(document)).toBe(true)
    expect(isValid(document)).toBe(true)
    const all = [...mutants()]
    expect(all.length).toBeGreaterThan(800)
    const invalid = all.filter(({ value }) => !isValidToOracle(value))
    expect(invalid.length).toBeGreaterThan(300)
    // The library asserts `format: uri`, an annotation here: the URL of a server may be relative.
    const others = all
      .filter(({ name }) => !/\/url = "(text)?"$/.test(name))
      .filter(({ value }) => isValid(value) !== isValidToOracle(value))
    expect(others.map(({ name }) => name)).toEqual([])
  })
})
