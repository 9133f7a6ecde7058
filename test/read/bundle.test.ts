import { describe, expect, test } from 'vitest'
import { DocumentError } from '../../src/model/finding.js'
import { bundle } from '../../src/read/bundle.js'
import { type Document, parseDocument } from '../../src/read/document.js'
import { disk } from '../../src/read/file-tree.js'

/** Bundles files that stand in a test; the first is the entry. */
const bundled = (files: Record<string, object>) => {
  const documents = new Map(
    Object.entries(files).map(([name, value]) => [
      name,
      parseDocument(JSON.stringify(value), name),
    ]),
  )
  const [entry] = documents.values()
  const read = (file: string): Document => {
    const found = documents.get(file)
    if (!found) throw new TypeError(`${file} was not foreseen`)
    return found
  }
  // Files of this repository have an `$id`, too.
  return bundle(entry as Document, read, { ...disk, filesBelow: () => [] })
}

test('references inside one document are left as they are', () => {
  const entry = {
    paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/Ok' } } } } },
    components: {
      responses: { Ok: { content: { j: { schema: { $ref: '#/components/schemas/A' } } } } },
      schemas: { A: { properties: { next: { $ref: '#/components/schemas/A' } } } },
    },
  }
  expect(bundled({ 'entry.json': entry }).value).toEqual(entry)
})

test('a reference into the middle of something gets a component of its own', () => {
  const { value } = bundled({
    'entry.json': {
      paths: {},
      components: {
        schemas: {
          A: { properties: { b: { type: 'string' } } },
          C: { $ref: '#/components/schemas/A/properties/b' },
        },
      },
    },
  })
  expect(value.components).toEqual({
    schemas: {
      A: { properties: { b: { type: 'string' } } },
      C: { $ref: '#/components/schemas/AB' },
      AB: { type: 'string' },
    },
  })
})

test('what looks like a reference in an example, a default or an enum is data', () => {
  const schema = {
    default: { $ref: 'a' },
    enum: [{ $ref: 'b' }],
    examples: [{ $ref: 'c' }],
    properties: { default: { type: 'string' }, $ref: { type: 'string' } },
  }
  const entry = { components: { schemas: { A: schema } } }
  expect(bundled({ 'entry.json': entry }).value).toEqual(entry)
})

test('a reference in place of a description is replaced by the text, which is no component', () => {
  const written = (description: unknown, externalDocs: unknown) => ({
    info: { description },
    tags: [{ name: 'orders', description, externalDocs }],
    paths: { '/a': { get: { description, responses: { 200: { description } } } } },
    'x-texts': { orders: 'All orders.', docs: { url: 'https://example.com' } },
    components: {
      schemas: { A: { description, properties: { description: { type: 'string' } } } },
      securitySchemes: { key: { type: 'apiKey', description } },
    },
  })
  const entry = written({ $ref: '#/x-texts/orders' }, { $ref: '#/x-texts/docs' })
  expect(bundled({ 'entry.json': entry }).value).toEqual(
    written('All orders.', { url: 'https://example.com' }),
  )
})

test('a schema within an extension of the components becomes a component where it is referred to', () => {
  const entry = {
    components: {
      'x-shared': { Order: { type: 'object' }, other: { $ref: 'nowhere.yaml' } },
      schemas: { A: { properties: { order: { $ref: '#/components/x-shared/Order' } } } },
    },
  }
  const { components } = bundled({ 'entry.json': entry }).value as typeof entry
  expect(components['x-shared']).toEqual(entry.components['x-shared'])
  expect(components.schemas).toMatchObject({
    A: { properties: { order: { $ref: '#/components/schemas/XSharedOrder' } } },
    XSharedOrder: { type: 'object' },
  })
})

describe('what cannot be bundled is refused', () => {
  const refusal = (ref: string) => {
    try {
      bundled({
        'entry.json': { components: { schemas: { A: { properties: { a: { $ref: ref } } } } } },
      })
      return 'nothing'
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      const { location, rule, message } = error.finding
      return `${location.file} ${location.pointer} ${rule}: ${message}`
    }
  }
  test.each([
    [
      '#/components/schemas/B',
      'reference-is-dangling: the target of #/components/schemas/B does not exist: did you mean A?',
    ],
    [
      '#/components/schema/A',
      'reference-is-dangling: the target of #/components/schema/A does not exist: did you mean #/components/schemas/A?',
    ],
    [
      '#/component/schema/B',
      'reference-is-dangling: the target of #/component/schema/B does not exist: did you mean #/components/schemas/A?',
    ],
    [
      '#/components/schemas/A/properties/b',
      'reference-is-dangling: the target of #/components/schemas/A/properties/b does not exist: did you mean a?',
    ],
    [
      '#/components/parameters/A',
      'reference-is-dangling: the target of #/components/parameters/A does not exist',
    ],
    ['#/elsewhere/A', 'reference-is-dangling: the target of #/elsewhere/A does not exist'],
    [
      'other.json',
      'reference-is-dangling: other.json points at a file that does not exist: put it at other.json, correct the reference, or name the folder that it is relative to with --allow-outside',
    ],
    [
      '#name',
      'reference-is-no-pointer: #name is not a JSON pointer, and no schema has an $anchor of this name: write # and a path of /segments',
    ],
    [
      'file:///a.json',
      'reference-is-remote: file:///a.json is a URL of a file: write its path, relative to this document',
    ],
  ])('%s', (ref, due) => {
    expect(refusal(ref)).toBe(`entry.json /components/schemas/A/properties/a/$ref ${due}`)
  })
})

test('10,000 components that refer to each other in a chain are an ordinary input', () => {
  const count = 10_000
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      index + 1 < count
        ? { properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } }
        : { type: 'null' },
    ]),
  )
  const { components } = bundled({ 'entry.json': { components: { schemas } } }).value
  expect(components).toEqual({ schemas })
})
