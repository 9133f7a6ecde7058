import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { adoptDocuments } from '../../src/init/adopt-documents.js'
import { initFiles, type PackageVersions } from '../../src/init/init.js'
import { disk } from '../../src/read/file-tree.js'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'take-over-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
}

const take = (sources: { readonly openapi?: string; readonly openrpc?: string }) => {
  const { openapi, openrpc } = sources
  const taken = adoptDocuments(
    {
      openapi: openapi === undefined ? undefined : join(home, openapi),
      openrpc: openrpc === undefined ? undefined : join(home, openrpc),
    },
    { ...disk, allowed: home },
  )
  return { ...taken, texts: Object.fromEntries(taken.files.map(({ path, text }) => [path, text])) }
}

/** An OpenAPI document whose one answer is what `ref` refers to. */
const openapi = (ref: string): string => `# ours, and the comment stays
openapi: 3.0.3
info: { title: T,   version: '1' }
paths:
  /now: { get: { operationId: now, responses: { '200': { description: it, content: { application/json: { schema: { $ref: ${ref} } } } } } } }
`

const openrpc = (ref: string): string =>
  `{"openrpc":"1.3.2","info":{"title":"T","version":"1"},"methods":[{"name":"now","params":[],"result":{"name":"r","schema":{"$ref":"${ref}"}}}]}`

describe('documents are taken over', () => {
  it('letter for letter, with all that they refer to, where nothing has to move', () => {
    const files = {
      'api.yaml': openapi("'parts/time.yaml#/Time'"),
      'parts/time.yaml': 'Time: { $ref: deep/iso.yaml }   # kept\n',
      'parts/deep/iso.yaml': 'type: string\n',
    }
    put({ ...files, 'parts/unused.yaml': 'nobody: refers to it' })
    const { texts, rewritten, bundled } = take({ openapi: 'api.yaml' })
    expect(texts).toEqual({
      'spec/openapi.yaml': files['api.yaml'],
      'spec/parts/time.yaml': files['parts/time.yaml'],
      'spec/parts/deep/iso.yaml': files['parts/deep/iso.yaml'],
    })
    expect({ rewritten, bundled }).toEqual({ rewritten: [], bundled: [] })
  })

  it.each([
    ['api.yaml', 'spec/openapi.yaml'],
    ['api.yml', 'spec/openapi.yml'],
    ['API.YAML', 'spec/openapi.yaml'],
    ['api.txt', 'spec/openapi.yaml'],
  ])('%s as %s', (name, path) => {
    put({ [name]: openapi("'#/info'").replace("$ref: '#/info'", 'type: string') })
    expect(Object.keys(take({ openapi: name }).texts)).toEqual([path])
  })

  it('as JSON where they are JSON, both sharing what they share', () => {
    put({
      'http/api.yaml': openapi('../shared/time.yaml'),
      'rpc/methods.json': openrpc('../shared/time.yaml'),
      'shared/time.yaml': 'type: string\n',
    })
    const { texts, rewritten, bundled } = take({
      openapi: 'http/api.yaml',
      openrpc: 'rpc/methods.json',
    })
    expect(texts).toEqual({
      'spec/openapi.yaml': openapi('./shared/time.yaml'),
      'spec/openrpc.json': openrpc('./shared/time.yaml'),
      'spec/shared/time.yaml': 'type: string\n',
    })
    expect(rewritten).toEqual(['spec/openapi.yaml', 'spec/openrpc.json'])
    expect(bundled).toEqual([])
  })

  it('and references back to a document follow it to its new name, in every way of writing them', () => {
    put({
      'api.yaml': `${openapi('parts/a.yaml')}components: { schemas: { Text: { type: string } } }\n`,
      'parts/a.yaml': [
        'type: object',
        'properties:',
        '  plain: { $ref: ../api.yaml#/components/schemas/Text }',
        "  single: { $ref: '../api.yaml#/components/schemas/Text' }",
        '  double: { "$ref": "../api.yaml#/components/schemas/Text" }',
        '',
      ].join('\r\n'),
    })
    const { texts, rewritten, bundled } = take({ openapi: 'api.yaml' })
    expect(texts['spec/parts/a.yaml']).toBe(
      readFileSync(join(home, 'parts/a.yaml'), 'utf8').replaceAll('../api.yaml', '../openapi.yaml'),
    )
    expect({ rewritten, bundled }).toEqual({ rewritten: ['spec/parts/a.yaml'], bundled: [] })
  })

  it('under names of their own where two files would have the same', () => {
    put({
      'a/api.yaml': openapi('schemas.yaml#/Time'),
      'a/schemas.yaml': 'Time: { type: string }\n',
      'b/methods.json': openrpc('schemas.yaml#/Time'),
      'b/schemas.yaml': 'Time: { type: integer }\n',
    })
    const { texts } = take({ openapi: 'a/api.yaml', openrpc: 'b/methods.json' })
    expect(texts).toEqual({
      'spec/openapi.yaml': openapi('schemas.yaml#/Time'),
      'spec/schemas.yaml': 'Time: { type: string }\n',
      'spec/openrpc.json': openrpc('./schemas-2.yaml#/Time'),
      'spec/schemas-2.yaml': 'Time: { type: integer }\n',
    })
  })

  it('as one file where a reference cannot be changed in its place', () => {
    put({
      // The path stands behind an escape, where no text of it can be found.
      'sub/api.yaml': openapi('"..\\u002fshared/time.yaml"'),
      'shared/time.yaml': 'type: string\n',
    })
    const { texts, bundled } = take({ openapi: 'sub/api.yaml' })
    expect(bundled).toEqual(['openapi'])
    expect(Object.keys(texts)).toEqual(['spec/openapi.yaml'])
    expect(texts['spec/openapi.yaml']).toContain("$ref: '#/components/schemas/Time'")
  })

  it.each(['yaml', 'json'])(
    'and an integer of a document that becomes one %s file keeps all digits',
    (format) => {
      const text = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"A":{"maximum":18446744073709551615},"B":{"$ref":"..\\u002fshared/time.yaml"}}}}`
      put({ [`sub/api.${format}`]: text, 'shared/time.yaml': 'type: string\n' })
      const { texts, bundled } = take({ openapi: `sub/api.${format}` })
      expect(bundled).toEqual(['openapi'])
      expect(texts[`spec/openapi.${format}`]).toMatch(/maximum"?: 18446744073709551615$/m)
    },
  )

  it('and a mapping of a discriminator goes with its files, an example keeps what it says', () => {
    const pet = (mapping: string, example: string) =>
      [
        'oneOf: [{ $ref: cat.yaml }]',
        `discriminator: { propertyName: kind, mapping: { cat: ${mapping} } }`,
        `example: { kind: cat, note: ${example} }`,
        '',
      ].join('\n')
    put({
      'sub/api.yaml': openapi('../pets/pet.yaml'),
      'pets/pet.yaml': pet('../pets/cat.yaml', '../pets/cat.yaml'),
      'pets/cat.yaml': 'type: object\nproperties: { kind: { type: string } }\n',
    })
    const { texts, bundled } = take({ openapi: 'sub/api.yaml' })
    expect(bundled).toEqual([])
    expect(texts['spec/pets/pet.yaml']).toBe(pet('../pets/cat.yaml', '../pets/cat.yaml'))
  })
})

it('the server of a new project checks a security scheme of any name', () => {
  const versions = Object.fromEntries(
    ['twinspec', '@types/node', 'tsx', 'typescript'].map((name) => [name, '^1.0.0']),
  ) as PackageVersions
  const taken = { kinds: [], isSwagger: false, files: [], bundled: [], rewritten: [], leftOut: [] }
  const schemes = ['token', '__proto__', 'a\u202eb']
  const files = initFiles({ name: 'Tides', isNew: true, adopted: taken, schemes, versions })
  const { text } = files.find(({ path }) => path === 'src/server.ts') ?? { text: '' }
  expect([...text.matchAll(/^ {4}(.*): \(\) => undefined,$/gm)].map(([, name]) => name)).toEqual([
    'token',
    "['__proto__']",
    "'a\\u202eb'",
  ])
})
