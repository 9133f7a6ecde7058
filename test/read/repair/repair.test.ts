import { expect, it } from 'vitest'
import type { Finding } from '../../../src/model/finding.js'
import { bundle } from '../../../src/read/bundle.js'
import { locate, parseDocument } from '../../../src/read/document.js'
import { disk } from '../../../src/read/file-tree.js'
import { REPAIRS } from '../../../src/read/repair/rows.js'

const HEAD = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\n"

/** Bundles YAML files with repairs; the first is the entry. */
function repaired(files: Record<string, string>) {
  const documents = new Map(
    Object.entries(files).map(([name, text]) => [name, parseDocument(text, name)]),
  )
  const entry = parseDocument(Object.values(files)[0] ?? '', Object.keys(files)[0] ?? '')
  const read = (file: string) => documents.get(file) ?? entry
  const tree = {
    ...disk,
    filesBelow: () => [],
    kindOf: (path: string) => (documents.has(path) ? ('file' as const) : undefined),
  }
  const findings: Finding[] = []
  const faults = {
    attempt: <T>(work: () => T) => work(),
    report: (one: Finding) => findings.push(one),
  }
  const done = bundle(entry, read, tree, faults, REPAIRS)
  const places = findings.map(
    ({ rule, location }) => `${location.file}:${location.line} ${location.pointer} ${rule}`,
  )
  return { ...done, places }
}

it('a file is repaired by what refers to it, and the finding is in that file', () => {
  const { value, places } = repaired({
    'api.yaml': `${HEAD}paths: { /a: { get: { responses: { 200: { $ref: 'parts.yaml#/Done' } } } } }
components: { schemas: { Order: { $ref: 'parts.yaml#/Order' } } }`,
    'parts.yaml': 'Done: Done.\nOrder:\n  type: str\n  maxlength: 3',
  })
  expect(value.components).toEqual({
    responses: { Done: { description: 'Done.' } },
    schemas: { Order: { type: 'string', maxLength: 3 } },
  })
  expect(places.sort()).toEqual([
    'parts.yaml:1 /Done field-has-wrong-type',
    'parts.yaml:3 /Order/type schema-type-is-unknown',
    'parts.yaml:4 /Order/maxlength schema-keyword-is-unknown',
  ])
})

it('the name of a schema in another file is that of a schema of the entry', () => {
  const { value } = repaired({
    'api.yaml': `${HEAD}paths: {}
components: { schemas: { Order: { type: object }, Orders: { $ref: 'parts.yaml#/Orders' } } }`,
    'parts.yaml': 'Orders: { type: array, items: Order }',
  })
  expect(value.components).toMatchObject({
    schemas: { Orders: { items: { $ref: '#/components/schemas/Order' } } },
  })
})

it('a path item that two paths refer to is reported once', () => {
  const { places } = repaired({
    'api.yaml': `${HEAD}paths: { /a: { $ref: '#/components/pathItems/P' }, /b: { $ref: '#/components/pathItems/P' } }
components: { pathItems: { P: { GET: { responses: {} } } } }`,
  })
  expect(places).toEqual(['api.yaml:4 /components/pathItems/P/GET field-is-unknown'])
})

it('webhooks and callbacks are repaired too', () => {
  const responses = 'responses: { 4xx: { description: No. } }'
  const { places } = repaired({
    'api.yaml': `${HEAD}paths: { /a: { post: { responses: {}, callbacks: { done: { '{$url}': { post: { ${responses} } } } } } } }
webhooks: { done: { post: { ${responses} } } }`,
  })
  expect(places).toEqual([
    'api.yaml:3 /paths/~1a/post/callbacks/done/{$url}/post/responses/4xx response-has-no-status',
    'api.yaml:4 /webhooks/done/post/responses/4xx response-has-no-status',
  ])
})

it('a moved or renamed value has the position and the digits that are written', () => {
  const { value, originOf } = repaired({
    'api.yaml': `${HEAD}paths: {}
components:
  examples:
    big: 12345678901234567890
  schemas:
    Order: { maximun: 1, read_only: true }`,
  })
  const { examples, schemas } = value.components as Record<string, Record<string, object>>
  const big = originOf(examples?.big ?? {})
  expect(big.document.numberText(`${big.pointer}/value`)).toBe('12345678901234567890')
  const { line, column } = locate(originOf(schemas?.Order ?? {}), 'readOnly')
  expect([line, column]).toEqual([8, 37])
})

it('an extension and an example are data, which is not repaired', () => {
  const text = `${HEAD}paths: {}
x-any: { responses: { 200: Done } }
components: { schemas: { Order: { example: { type: str }, x-any: { type: str } } } }`
  const { places } = repaired({ 'api.yaml': text })
  expect(places).toEqual([])
})
