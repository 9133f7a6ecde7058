import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Checks } from '../../src/runtime/validate.js'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { CORPORA, named } from '../conformance/corpora.js'
import { diagnose } from '../emit/strictest.js'
import { runText } from '../emit/validators/written.js'
import { isFull } from '../trials/size.js'

/** The files that `generate` writes for one document, by their path within the output folder. */
const generated = async (kind: 'openapi' | 'openrpc', path: string, out: string) => {
  const { code, stderr } = await twinspec(
    'generate',
    ...[`--${kind}`, path, '--with', 'server,typebox,documents', '--out', out],
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => /\.(ts|json)$/.test(name))
      .map((name) => [name, readFileSync(join(out, name), 'utf8')] as const),
  )
}

/** Files of several documents side by side, so that one TypeScript program checks all of them. */
const together = (outputs: Readonly<Record<string, ReadonlyMap<string, string>>>) =>
  new Map(
    Object.entries(outputs).flatMap(([folder, files]) =>
      [...files].map(([name, text]) => [`${folder}/${name}`, text] as const),
    ),
  )

const openapi = (schema: string, more = '') => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: readThing
      responses:
        '200': { description: One, content: { application/json: { schema: ${schema} } } }
${more}`

const openrpc = (method: string, more = '', version = '1.2.6') => `openrpc: ${version}
info: { title: Things, version: '1' }
methods:
  - ${method}
${more}`

const result = 'result: { name: r, schema: { type: string } }'

const UNION = openapi(
  "{ $ref: '#/components/schemas/Status' }",
  `components:
  schemas:
    Status:
      oneOf:
        - { type: object, required: [status], properties: { status: { type: string, enum: [off] } } }
        - { type: object, required: [status, peer], properties: { status: { type: string, enum: [on] }, peer: { type: integer } } }
`,
)

/** A field called as a helper of the validators is, and required names beside an allOf of a nullable schema. */
const NAMES = openapi(
  "{ $ref: '#/components/schemas/Item' }",
  `components:
  schemas:
    Task: { type: object, properties: { Name: { type: string } } }
    Acl: { type: object, properties: { Group: { type: string }, Task: { type: string } } }
    Error: { type: [object, 'null'], properties: { error_code: { type: string } } }
    Item:
      allOf: [{ $ref: '#/components/schemas/Error' }]
      required: [error_code]
      properties: { acl: { $ref: '#/components/schemas/Acl' }, task: { $ref: '#/components/schemas/Task' } }
`,
)

const WORDS =
  `await arguments async eval implements interface let new package private protected public static yield class
  function this`.split(/\s+/)

const RESERVED = openrpc(`name: submit
    params:
${WORDS.map((word) => `      - { name: ${word}, schema: { type: string } }`).join('\n')}
    ${result}`)

describe('generated files compile with strict alone, and with every stricter flag', () => {
  it('inline documents; G7: nothing is unused, and index signatures are read by brackets', async () => {
    const folder = await folderOf({
      'union.yaml': UNION,
      'names.yaml': NAMES,
      'reserved.yaml': RESERVED,
    })
    const texts = together({
      union: await generated('openapi', join(folder, 'union.yaml'), join(folder, 'union')),
      names: await generated('openapi', join(folder, 'names.yaml'), join(folder, 'names')),
      reserved: await generated('openrpc', join(folder, 'reserved.yaml'), join(folder, 'reserved')),
    })
    expect(diagnose(texts, 'strict')).toEqual([])
    expect(diagnose(texts, 'strictest')).toEqual([])
  })

  const documents = ['openapi/accumulate.yaml', 'openrpc/lotus-eth.json']
  const more = [
    ...['openapi/qdrant.json', 'openapi/xero-payroll-uk.yaml', 'openapi/stripe.json'],
    ...['openrpc/near.json', 'openrpc/lotus-gateway.json'],
  ]
  const asked = isFull ? [...documents, ...more] : documents
  const found = asked.filter((name) => existsSync(join(CORPORA, 'documents', name)))

  it.skipIf(found.length === 0)(named('G1: published documents', found), async () => {
    const folder = await folderOf({})
    const outputs: Record<string, ReadonlyMap<string, string>> = {}
    for (const name of found) {
      const [kind = '', file = ''] = name.split('/')
      const path = join(CORPORA, 'documents', name)
      outputs[file] = await generated(kind as 'openapi' | 'openrpc', path, join(folder, file))
    }
    const texts = together(outputs)
    expect(diagnose(texts, 'strict')).toEqual([])
    expect(diagnose(texts, 'strictest')).toEqual([])
  })
})

it('params may be called by words that are reserved in strict mode', async () => {
  const folder = await folderOf({ 'openrpc.yaml': RESERVED })
  const files = await generated('openrpc', join(folder, 'openrpc.yaml'), join(folder, 'out'))
  expect(diagnose(files, 'strict')).toEqual([])
  const text = files.get('rpc.types.ts') ?? ''
  for (const word of ['package', 'static', 'let', 'yield', 'await']) {
    expect(text).toContain(`${word}_?: string`)
  }
})

describe('a keyword that JSON Schema 2020-12 does not define is an annotation', () => {
  const document = openapi(
    "{ $ref: '#/components/schemas/Filter' }",
    `components:
  schemas:
    Filter: { $recursiveAnchor: true, type: object, properties: { inner: { $recursiveRef: '#' } } }
`,
  )

  it('generate writes the files, lint warns with the place', async () => {
    const folder = await folderOf({ 'openapi.yaml': document })
    const path = join(folder, 'openapi.yaml')
    await generated('openapi', path, join(folder, 'out'))
    const { code, stdout } = await twinspec('lint', '--openapi', path)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /openapi\.yaml:11:\d+ warning \$recursiveAnchor .*schema-keyword-is-outdated/,
    )
    expect(stdout).toMatch(
      /openapi\.yaml:11:\d+ warning \$recursiveRef .*schema-keyword-is-outdated/,
    )
  })
})

describe('OpenRPC 1.0, 1.1 and release candidates are read', () => {
  it.each(['1.0.0', '1.0.0-rc1', '1.1.12'])('%s', async (version) => {
    const text = openrpc(`{ name: get, params: [], ${result} }`, '', version)
    const folder = await folderOf({ 'openrpc.yaml': text })
    const path = join(folder, 'openrpc.yaml')
    await generated('openrpc', path, join(folder, 'out'))
    const linted = await twinspec('lint', '--openrpc', path, '--verbose')
    expect(linted.code).toBe(0)
    expect(linted.stdout).toMatch(
      new RegExp(
        `openrpc\\.yaml:1:10 note .*OpenRPC ${version}.*document-version-is-read-as-later`,
      ),
    )
    const compared = await twinspec('diff', '--openrpc', path, '--against', path)
    expect(compared).toMatchObject({ code: 0, stderr: 'nothing changed\n' })
  })

  it('another major version is rejected', async () => {
    const folder = await folderOf({ 'openrpc.yaml': openrpc('{}', '', '2.0.0') })
    const { code, stdout } = await twinspec('lint', '--openrpc', join(folder, 'openrpc.yaml'))
    expect(code).toBe(1)
    expect(stdout).toContain('document-version-is-unknown')
  })
})

describe('a schema that is an alternative of itself', () => {
  const schemas = (schema: string) =>
    openrpc(
      "{ name: get, params: [], result: { name: r, schema: { $ref: '#/components/schemas/Value' } } }",
      `components:
  schemas:
    Value: ${schema}
`,
    )

  it.each(['anyOf', 'oneOf'])('is read without that alternative of %s', async (key) => {
    const text = schemas(
      `{ ${key}: [{ type: integer }, { $ref: '#/components/schemas/Value' }, { type: array, items: { $ref: '#/components/schemas/Value' } }] }`,
    )
    const folder = await folderOf({ 'openrpc.yaml': text })
    const path = join(folder, 'openrpc.yaml')
    await generated('openrpc', path, join(folder, 'out'))
    const { Value } = await runText(readFileSync(join(folder, 'out/validators.ts'), 'utf8'))
    expect([5, [5, [6]], 'a', [5, ['a']]].map((one) => Value?.check(one))).toEqual([
      true,
      true,
      false,
      false,
    ])
    const { code, stdout } = await twinspec('lint', '--openrpc', path, '--verbose')
    expect(code).toBe(0)
    expect(stdout).toMatch(/openrpc\.yaml:7:\d+ note .*alternative-is-the-schema-itself/)
  })

  it('without any other alternative, it is an error with its place', async () => {
    const text = schemas("{ anyOf: [{ $ref: '#/components/schemas/Value' }] }")
    const folder = await folderOf({ 'openrpc.yaml': text })
    const { code, stdout } = await twinspec('lint', '--openrpc', join(folder, 'openrpc.yaml'))
    expect(code).toBe(1)
    expect(stdout).toMatch(/openrpc\.yaml:7:12 error .*reference-is-circular/)
  })
})

describe('an empty enum, oneOf or anyOf is a warning, and the schema accepts nothing', () => {
  const document = openapi(
    '{ type: object, properties: { e: { type: string, enum: [] }, o: { oneOf: [] }, a: { anyOf: [] }, s: { type: string } } }',
  )

  it('lint, generate, docs, diff and mock go on', async () => {
    const folder = await folderOf({ 'openapi.yaml': document })
    const path = join(folder, 'openapi.yaml')
    const linted = await twinspec('lint', '--openapi', path)
    expect(linted.code).toBe(0)
    expect(
      linted.stdout.match(/openapi\.yaml:8:\d+ warning .*schema-accepts-nothing/g),
    ).toHaveLength(3)
    const files = await generated('openapi', path, join(folder, 'out'))
    expect(diagnose(files, 'strict')).toEqual([])
    expect(files.get('http.types.ts')).toMatch(/e\?: never/)
    const module: unknown = await runText(readFileSync(join(folder, 'out/validators.ts'), 'utf8'))
    const { check } = (module as Responding).readThing.responses[200]
    expect([{ s: 'x' }, { e: 'x' }, { o: 1 }, { a: null }].map(check)).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(await twinspec('docs', '--openapi', path, '--out', join(folder, 'docs'))).toMatchObject({
      code: 0,
    })
    expect(await twinspec('diff', '--openapi', path, '--against', path)).toMatchObject({ code: 0 })
    const ending = new AbortController()
    const mock = startTwinspec(['mock', path, '--port', '0'], ending.signal)
    await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
    const [, url = ''] = /HTTP +(http:\S+)/.exec(mock.said.stdout) ?? []
    const answer = await fetch(`${url}/things`)
    expect(answer.status).toBe(200)
    expect(check(await answer.json())).toBe(true)
    ending.abort()
    expect(await mock.code).toBe(0)
  })

  it('in an OpenRPC document too', async () => {
    const text = openrpc(`{ name: get, params: [{ name: p, schema: { oneOf: [] } }], ${result} }`)
    const folder = await folderOf({ 'openrpc.yaml': text })
    const path = join(folder, 'openrpc.yaml')
    await generated('openrpc', path, join(folder, 'out'))
    const { code, stdout } = await twinspec('lint', '--openrpc', path)
    expect(code).toBe(0)
    expect(stdout).toMatch(/openrpc\.yaml:4:\d+ warning .*schema-accepts-nothing/)
  })
})

describe('a duplicate operationId', () => {
  const paths = (second: string) => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /a:
    get: { operationId: read, responses: { '204': { description: Done } } }
  /b/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: read, responses: { '${second}': { description: Done } } }
`

  it('lint reports an error, generate names the second operation after its path', async () => {
    const folder = await folderOf({ 'openapi.yaml': paths('204') })
    const path = join(folder, 'openapi.yaml')
    const { code, stdout } = await twinspec('lint', '--openapi', path)
    expect(code).toBe(1)
    expect(stdout).toMatch(/openapi\.yaml:8:25 error .*GET \/a.*operation-id-is-duplicate/)
    const files = await generated('openapi', path, join(folder, 'out'))
    expect(diagnose(files, 'strict')).toEqual([])
    const { read, getBId } = await import(join(folder, 'out/operations.ts'))
    expect([read, getBId].map((one) => `${one.method} ${one.path}`)).toEqual([
      'GET /a',
      'GET /b/{id}',
    ])
  })

  it('diff compares by method and path', async () => {
    const folder = await folderOf({ 'old.yaml': paths('204'), 'new.yaml': paths('205') })
    const { code, stdout } = await twinspec(
      'diff',
      '--openapi',
      join(folder, 'new.yaml'),
      '--against',
      join(folder, 'old.yaml'),
    )
    expect({ code, stdout }).toMatchObject({ code: 1 })
    expect(stdout).toMatch(/GET \/b\/\{id\}/)
    expect(stdout).not.toMatch(/GET \/a (no longer|may)/)
  })
})

describe('references stay below the folder of the document', () => {
  const document = (ref: string) => openapi(`{ $ref: '${ref}' }`)
  const SECRET = 'top-secret: not for messages\n'
  const schema = 'Thing: { type: string }\n'

  it.each([
    ['a path upwards', '../secret.yaml'],
    ['an encoded path upwards', '%2e%2e/secret.yaml'],
    ['a symbolic link', './link.yaml'],
    ['a file through a linked folder', './linked/secret.yaml'],
    ['a file that does not exist', '../nothing.yaml'],
  ])('%s is an error that shows nothing of the file', async (_, file) => {
    const folder = await folderOf({ 'api/openapi.yaml': document(file), 'secret.yaml': SECRET })
    symlinkSync(join(folder, 'secret.yaml'), join(folder, 'api/link.yaml'))
    symlinkSync(folder, join(folder, 'api/linked'))
    const path = join(folder, 'api/openapi.yaml')
    for (const args of [
      ['lint', '--openapi', path],
      ['generate', '--openapi', path, '--out', join(folder, 'out')],
      ['docs', '--openapi', path, '--out', join(folder, 'docs')],
      ['diff', '--openapi', path, '--against', path],
      ['mock', path],
      ['pack', '--openapi', path, '--name', 'things', '--out', join(folder, 'package')],
      ['conform', 'http://127.0.0.1:9', '--openapi', path],
      ['init', '--from-openapi', path, '--dir', join(folder, 'project')],
    ]) {
      const { code, stdout, stderr } = await twinspec(...args)
      expect(code).toBe(args[0] === 'lint' ? 1 : 2)
      expect(stdout + stderr).toMatch(
        /openapi\.yaml:8:\d+ error .*--allow-outside .*reference-is-outside/,
      )
      expect(stdout + stderr).not.toContain('top-secret')
    }
    expect(existsSync(join(folder, 'project'))).toBe(false)
  })

  it('--allow-outside names a folder that references may lead into', async () => {
    const folder = await folderOf({
      'api/openapi.yaml': document('../shared/thing.yaml#/Thing'),
      'shared/thing.yaml': schema,
    })
    const path = join(folder, 'api/openapi.yaml')
    const allowed = ['--allow-outside', join(folder, 'shared')]
    const lint = await twinspec('lint', '--openapi', path, ...allowed)
    expect(lint).toMatchObject({ code: 0 })
    const diff = await twinspec('diff', '--openapi', path, '--against', path, ...allowed)
    expect(diff).toMatchObject({ code: 0, stderr: 'nothing changed\n' })
    const init = await twinspec(
      'init',
      '--from-openapi',
      path,
      '--dir',
      join(folder, 'new'),
      ...allowed,
    )
    expect(init).toMatchObject({ code: 0 })
    const other = ['--allow-outside', join(folder, 'api')]
    expect(await twinspec('lint', '--openapi', path, ...other)).toMatchObject({ code: 1 })
  })

  it('files below the folder are read, also through a link to one of them', async () => {
    const folder = await folderOf({
      'openapi.yaml': document('schemas/linked.yaml#/Thing'),
      'other/thing.yaml': schema,
      'schemas/readme.md': '',
    })
    symlinkSync('../other/thing.yaml', join(folder, 'schemas/linked.yaml'))
    const lint = await twinspec('lint', '--openapi', join(folder, 'openapi.yaml'))
    expect(lint).toMatchObject({ code: 0 })
  })
})

it('an alternative { nullable: true } is null, so that the other alternatives have types', async () => {
  const text = `openapi: 3.0.3
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: readThing
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
components:
  schemas:
    Thing:
      type: object
      properties:
        size: { anyOf: [{ $ref: '#/components/schemas/Size' }, { nullable: true }] }
        open: { anyOf: [{ $ref: '#/components/schemas/Size' }, {}] }
    Size: { type: object, required: [width], properties: { width: { type: integer } } }
`
  const folder = await folderOf({ 'openapi.yaml': text })
  const out = join(folder, 'generated')
  const { code } = await twinspec(
    'generate',
    '--openapi',
    join(folder, 'openapi.yaml'),
    '--out',
    out,
  )
  expect(code).toBe(0)
  const types = readFileSync(join(out, 'http.types.ts'), 'utf8')
  expect(types).toMatch(/size\?: Size \| null$/m)
  expect(types).toMatch(/open\?: Size \| unknown$/m)
})

it('a generated server rejects filter=1 for a deepObject parameter, as conform expects', async () => {
  const text = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: filter, in: query, style: deepObject, explode: true, schema: { type: object, properties: { owner: { type: string } } } }]
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { type: string } } } } }
        '400': { description: Rejected, content: { application/json: { schema: { type: object } } } }
`
  const folder = await folderOf({ 'openapi.yaml': text, 'package.json': '{ "type": "module" }' })
  mkdirSync(join(folder, 'node_modules'))
  const root = fileURLToPath(new URL('../..', import.meta.url))
  symlinkSync(root, join(folder, 'node_modules/twinspec'))
  const path = join(folder, 'openapi.yaml')
  await generated('openapi', path, join(folder, 'generated'))
  const href = pathToFileURL(join(folder, 'generated/server.ts')).href
  const { createServer, toNodeListener } = await import(/* @vite-ignore */ href)
  const listThings = ({ query }: { query: { filter?: { owner?: string } } }) => ({
    status: 200,
    body: [query.filter?.owner ?? 'anybody'],
  })
  const server = listen(toNodeListener(createServer({ listThings })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const statusOf = async (query: string) => (await fetch(`${url}/things${query}`)).status
  expect(await statusOf('?filter[owner]=me')).toBe(200)
  expect(await statusOf('?filter=1')).toBe(400)
  const { stdout } = await twinspec('conform', url, '--openapi', path, '--rate', '0')
  expect(stdout).not.toContain('invalid-request-accepted')
})

type Responding = { readonly readThing: { readonly responses: { readonly 200: Checks } } }
