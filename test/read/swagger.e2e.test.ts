import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'
import { diagnose } from '../emit/strictest.js'

const PETS = `swagger: '2.0'
info: { title: Pets, version: '1' }
host: pets.example
basePath: /v1
schemes: [https]
securityDefinitions: { key: { type: apiKey, in: header, name: x-key } }
security: [{ key: [] }]
paths:
  /pets/{id}:
    put:
      operationId: putPet
      consumes: [application/json]
      produces: [application/json]
      parameters:
        - { name: id, in: path, required: true, type: integer, minimum: 1 }
        - { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: multi }
      responses:
        200: { description: ok, schema: { $ref: '#/definitions/Pet' } }
        404: { $ref: '#/responses/NoPet' }
responses:
  NoPet: { description: none, schema: { type: object, required: [error], properties: { error: { type: string } } } }
definitions:
  Pet:
    type: object
    required: [name]
    properties: { name: { type: string, minLength: 1 }, tag: { type: string } }
`

const USE = `import { createHttpClient, isHttpError } from './http.client.js'
const http = createHttpClient({ auth: { key: 'a' } })
try {
  const pet = await http.putPet({ path: { id: 1 }, query: { tags: ['a'] }, body: { name: 'Rex' } })
  const name: string = pet.name
  console.log(name)
} catch (error) {
  if (isHttpError(error, 'putPet', 404)) console.log(error.body.error satisfies string)
}
// @ts-expect-error a name is a text
await http.putPet({ path: { id: 1 }, body: { name: 1 } })
`

describe('Swagger 2.0 is read through a converter', () => {
  it('lint: the version may be a number, as in YAML without quotes', async () => {
    const folder = await folderOf({ 'pets.yaml': PETS.replace("'2.0'", '2.0') })
    const { code, stdout } = await twinspec('lint', '--verbose', join(folder, 'pets.yaml'))
    expect(stdout).toContain('document-is-converted')
    expect(code).toBe(0)
  })

  it('generate: typed client that compiles', async () => {
    const folder = await folderOf({ 'pets.yaml': PETS })
    const out = join(folder, 'generated')
    const path = join(folder, 'pets.yaml')
    expect(await twinspec('generate', '--openapi', path, '--out', out)).toMatchObject({ code: 0 })
    expect(readFileSync(join(out, 'operations.ts'), 'utf8')).toContain('https://pets.example/v1')
    const files = readdirSync(out).filter((name) => name.endsWith('.ts'))
    const texts = new Map(files.map((name) => [name, readFileSync(join(out, name), 'utf8')]))
    expect(diagnose(new Map([...texts, ['use.ts', USE]]), 'strict')).toEqual([])
  })

  it('lint: a finding has the place that the document has', async () => {
    const folder = await folderOf({ 'pets.yaml': PETS.replace('minLength: 1', 'minLength: ten') })
    const { stdout } = await twinspec('lint', '--openapi', join(folder, 'pets.yaml'))
    expect(stdout).toContain('pets.yaml:27:52 warning minLength must be a whole number')
  })

  it('diff: the two versions are compared', async () => {
    const required = PETS.replace('required: [name]', 'required: [name, tag]')
    const folder = await folderOf({ 'old.yaml': PETS, 'new.yaml': required })
    const args = [
      'diff',
      '--openapi',
      join(folder, 'new.yaml'),
      '--against',
      join(folder, 'old.yaml'),
    ]
    const { code, stdout } = await twinspec(...args)
    expect(code).toBe(1)
    expect(stdout).toMatch(/new\.yaml:26:\d+ error /)
  })

  it('a body parameter or a response without a schema has its own keywords as the schema', async () => {
    const body = '- { name: body, in: body, type: object, properties: { tag: { type: string } } }'
    const text = `swagger: '2.0'
info: { title: Tags, version: '1' }
paths:
  /tags:
    post:
      operationId: tag
      parameters:
        ${body}
      responses:
        200: { description: done, type: object, properties: { count: { type: integer } } }
`
    const folder = await folderOf({ 'tags.yaml': text })
    const out = join(folder, 'generated')
    const run = await twinspec(
      'generate',
      '--openapi',
      join(folder, 'tags.yaml'),
      '--out',
      out,
      '--verbose',
    )
    expect(run.stderr).toMatch(/tags\.yaml:8:11 warning the body parameter body has no schema: /)
    expect(run.stderr).toMatch(/tags\.yaml:10:14 warning the response 200 has no schema: /)
    const types = readFileSync(join(out, 'http.types.ts'), 'utf8')
    expect(types).toMatch(/tag\?: string/)
    expect(types).toMatch(/count\?: number/)
  })

  const LISTS = `swagger: '2.0'
info: { title: Lists, version: '1' }
host: lists.example
paths:
  /lists:
    post:
      operationId: postLists
      schemes: [https]
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - { name: plain, in: query, type: array, items: { type: string, collectionFormat: csv } }
        - { name: tabs, in: query, type: array, items: { type: string }, collectionFormat: tsv }
        - { name: commas, in: formData, type: array, items: { type: string } }
        - { name: repeated, in: formData, type: array, items: { type: string }, collectionFormat: multi }
      responses:
        200:
          description: file
          headers: { X-List: { type: array, items: { type: string }, collectionFormat: csv } }
          schema: { type: file }
`

  it('lists are separated as the document says, and a file without a media type is bytes', async () => {
    const folder = await folderOf({ 'lists.yaml': LISTS })
    const path = join(folder, 'lists.yaml')
    const out = join(folder, 'generated')
    const run = await twinspec('generate', '--openapi', path, '--out', out, '--verbose')
    expect(run).toMatchObject({ code: 0 })
    expect(run.stderr).toContain(
      'lists.yaml:12:92 warning OpenAPI does not have tab-separated lists: tabs is read as a string',
    )
    expect(run.stderr).not.toContain('field-is-unknown')
    const { createHttpClient } = await importFile<{
      createHttpClient: (options: object) => { postLists: (input: object) => Promise<Blob> }
    }>(out, 'http.client.ts')
    const sent: string[] = []
    const fetch = async (url: string, init: RequestInit) => {
      const request = new Request(url, init)
      sent.push(new URL(request.url).search, await request.text())
      const headers = { 'content-type': 'application/octet-stream' }
      return new Response(new Uint8Array([0, 255]), { headers })
    }
    const file = await createHttpClient({ fetch }).postLists({
      query: { plain: ['a', 'b'], tabs: 'a\tb' },
      body: { commas: ['a', 'b'], repeated: ['a', 'b'] },
    })
    expect(sent).toEqual(['?plain=a,b&tabs=a%09b', 'commas=a,b&repeated=a&repeated=b'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array([0, 255]))
  })

  const SHARED = `swagger: '2.0'
info: { title: Shared, version: '1' }
host: shared.example
produces: [application/json, text/plain]
parameters:
  pet: { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
  file: { name: file, in: formData, type: file, required: true }
definitions: { Pet: { type: object, required: [name], properties: { name: { type: string } } } }
paths:
  /pets:
    post:
      operationId: addPet
      parameters: [{ $ref: '#/parameters/pet' }]
      responses: { 200: { description: ok, schema: { type: string }, examples: { text/plain: hi } } }
  /photos:
    put: { operationId: putPhoto, responses: { 204: { description: ok } } }
    post:
      operationId: addPhoto
      consumes: [multipart/form-data]
      parameters: [{ name: note, in: formData, type: string }]
      responses: { 204: { description: ok } }
    parameters: [{ $ref: '#/parameters/file' }]
`

  it('shared bodies and forms, and media types without an example, are not lost', async () => {
    const { operations, findings } = await loadApi({
      openapi: parseDocument(SHARED, 'shared.yaml'),
    })
    const bodies = operations.map((one) => {
      if (one.kind !== 'http') return undefined
      const media = one.body?.content.map(({ type, schema }) => [type, schema])
      return [one.id, one.body?.required, Object.fromEntries(media ?? [])]
    })
    const file = { file: { type: 'string', format: 'binary' } }
    const form = (properties: object) => ({
      'multipart/form-data': { type: 'object', properties, required: ['file'] },
    })
    expect(bodies).toMatchObject([
      ['addPet', true, { 'application/json': { $ref: '#/components/schemas/Pet' } }],
      ['putPhoto', true, form(file)],
      ['addPhoto', true, form({ note: { type: 'string' }, ...file })],
    ])
    const [add] = operations
    const types = add?.kind === 'http' ? add.responses[0]?.content : undefined
    expect(types?.map(({ type, schema }) => [type, schema])).toEqual([
      ['text/plain', { type: 'string' }],
      ['application/json', { type: 'string' }],
    ])
    expect(findings.map(({ rule }) => rule)).toEqual(['document-is-converted'])
  })
})
