import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diagnose } from '../emit/strictest.js'
import { folderOf, twinspec } from './command-line.js'

const openapi = (paths: string, more = '') => `openapi: 3.2.0
info: { title: Things, version: '1' }
paths:
${paths}
${more}`

/** What lint finds wrong with the structure of a document. */
const readingFindings = async (path: string): Promise<readonly string[]> => {
  const { stdout } = await twinspec('lint', '--openapi', path, '--format', 'json')
  const findings = JSON.parse(stdout) as readonly { rule: string }[]
  return findings
    .map(({ rule }) => rule)
    .filter((rule) => STRUCTURE.test(rule) && !rule.endsWith('-description'))
}

const STRUCTURE = /^(field|method|reference|document|parameter|querystring|schema|media|security)-/

it('OpenAPI 3.2: a stream may have the schema of its items alone', async () => {
  const folder = await folderOf({
    'api.yaml': openapi(`  /events:
    get:
      operationId: events
      responses:
        '200':
          description: Events
          content:
            application/jsonl: { itemSchema: { $ref: './event.yaml' } }`),
    'event.yaml': 'type: object\nproperties: { id: { type: integer } }\n',
  })
  const path = join(folder, 'api.yaml')
  expect(await readingFindings(path)).toEqual([])
  const out = join(folder, 'out')
  expect(await twinspec('generate', '--openapi', path, '--out', out)).toMatchObject({ code: 0 })
  // The schema of an item is read as any other: it has a name of its own, made from that of its file.
  expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).toMatch(/Event[:=\s]/)
})

it('OpenAPI 3.2: a later minor version is read as the last known one, with a warning', async () => {
  const text = openapi(`  /a:
    get: { operationId: a, responses: { '204': { description: Done } } }`)
  const folder = await folderOf({ 'api.yaml': text.replace('3.2.0', '3.9.0') })
  const { code, stdout } = await twinspec('lint', '--openapi', join(folder, 'api.yaml'))
  expect(code).toBe(0)
  expect(stdout).toMatch(/api\.yaml:1:10 warning .*OpenAPI 3\.9\.0.*document-version-is-newer/)
})

it('OpenAPI 3.2: query and the methods of additionalOperations have types and compile', async () => {
  const folder = await folderOf({
    'api.yaml': openapi(`  /things:
    get: { operationId: list, responses: { '204': { description: Done } } }
    query:
      operationId: search
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [q], properties: { q: { type: string } } } } }
      responses:
        '200': { description: Found, content: { application/json: { schema: { type: array, items: { type: string } } } } }
    additionalOperations:
      LINK: { operationId: link, responses: { '204': { description: Done } } }`),
  })
  const path = join(folder, 'api.yaml')
  const out = join(folder, 'out')
  expect(await readingFindings(path)).toEqual([])
  expect(await twinspec('generate', '--openapi', path, '--out', out)).toMatchObject({ code: 0 })
  const names = ['http.types.ts', 'http.client.ts', 'operations.ts', 'validators.ts', 'server.ts']
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  expect(read('http.types.ts')).toMatch(/query: operations\["search"\]/)
  expect(read('http.types.ts')).toMatch(/LINK: operations\["link"\]/)
  expect(read('operations.ts')).toContain("method: 'QUERY'")
  const files = ['explanations.ts', 'schemas.ts', 'client.ts', ...names]
  expect(diagnose(new Map(files.map((name) => [name, read(name)])), 'strictest')).toEqual([])
})
