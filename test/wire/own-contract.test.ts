import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'

const SHELF = `# The shelf.
openapi: 3.1.0
info: { title: Shelf, version: '1' }
servers: [{ url: 'https://api.shelf.example/v2' }]
paths:
  /documents:
    get:
      operationId: listDocuments
      parameters:
        - { name: filter, in: query, style: deepObject, explode: true, schema: { type: object, properties: { owner: { type: string } } } }
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { type: string } } } } }
    # Adds one.
    post:
      operationId: addDocument
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } }, example: { name: a } } } }
      responses:
        # Nothing to say.
        '204':
          description: Added
        '409': { description: There is one of this name }
`

/** A folder with a document, and what `generate` writes for it; `load` imports one of the files. */
const project = async (text: string) => {
  const folder = await folderOf({ 'openapi.yaml': text, 'package.json': '{ "type": "module" }' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(
    fileURLToPath(new URL('../..', import.meta.url)),
    join(folder, 'node_modules/twinspec'),
  )
  const path = join(folder, 'openapi.yaml')
  const load = async (name: string) =>
    import(/* @vite-ignore */ pathToFileURL(join(folder, 'generated', name)).href)
  const generate = async () => {
    const { code, stderr } = await twinspec(
      'generate',
      '--openapi',
      path,
      '--with',
      'server',
      '--out',
      join(folder, 'generated'),
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
  }
  return { path, load, generate }
}

/** Serves on a free port of the loopback until the test ends. */
const serve = async (listener: Parameters<typeof listen>[1]): Promise<string> => {
  const server = listen(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const HANDLERS = {
  listDocuments: () => ({ status: 200, body: ['a'] }),
  addDocument: () => ({ status: 204 }),
}

const conform = (path: string, ...args: readonly string[]) =>
  twinspec('conform', ...args, '--openapi', path, '--rate', '0', '--max-examples', '2')

it('client, server, mock and conform read an address by one rule', async () => {
  const { path, load, generate } = await project(SHELF)
  await generate()
  const { createServer, toNodeListener } = await load('server.ts')
  const { createHttpClient } = await load('http.client.ts')
  const url = await serve(toNodeListener(createServer(HANDLERS)))
  const controller = new AbortController()
  const mock = startTwinspec(['mock', path, '--port', '0'], controller.signal)
  onTestFinished(async () => {
    controller.abort()
    await mock.code
  })
  await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
  const mocked = /HTTP +(\S+)/.exec(mock.said.stdout)?.[1] ?? ''
  expect(mock.said.stdout).toContain(`${mocked}/v2/documents`)
  for (const server of [url, `${url}/v2`, mocked, `${mocked}/v2`, `${mocked}/v2/`])
    await expect(createHttpClient({ server }).listDocuments()).resolves.toBeInstanceOf(Array)
  for (const one of [url, mocked]) {
    expect((await fetch(`${one}/v2/documents`)).status).toBe(200)
    expect((await fetch(`${one}/documents`)).status).toBe(404)
  }
  // The mock says what is missing.
  expect(await (await fetch(`${mocked}/documents`)).text()).toContain('/v2/documents')
  for (const server of [url, `${url}/v2`]) {
    const { stdout } = await conform(path, server, '--only', 'listDocuments')
    expect(stdout).not.toContain('404')
  }
})

it('lint names the statuses that a generated server answers, and --fix declares them', async () => {
  const { path, load, generate } = await project(SHELF)
  const rule = 'server-status-is-undeclared'
  const before = await twinspec('lint', '--openapi', path, '--only', rule)
  expect(before.stdout).toContain('GET /documents does not declare 400 (an invalid request)')
  expect(before.stderr).toContain('2 notes')
  const fixed = await twinspec('lint', '--openapi', path, '--only', rule, '--fix')
  expect(fixed.stdout).toContain(`fixed ${path}:`)
  expect(fixed.stdout).toContain('POST /documents declares 400, 413, 415')
  expect(fixed.stderr).toContain('clean')
  const text = readFileSync(path, 'utf8')
  for (const line of SHELF.split('\n')) expect(text).toContain(line)
  expect(text).toContain(`        '204':
          description: Added
        '400':
          $ref: '#/components/responses/InvalidRequest'
        '409': { description: There is one of this name }
        '413':`)
  expect((await twinspec('lint', '--openapi', path, '--fail-on', 'error')).code).toBe(0)
  await generate()
  const { createServer, toNodeListener } = await load('server.ts')
  const url = await serve(toNodeListener(createServer(HANDLERS)))
  const { stderr, code } = await conform(path, url)
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no findings'),
  })
})

it('--fix keeps the layout of JSON, and uses the components that a document has', async () => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        get: {
          responses: { 200: { description: 'x' }, 400: { $ref: '#/components/responses/Bad' } },
        },
      },
      '/b': { get: { responses: { 200: { description: 'x' } } } },
    },
    components: { responses: { Bad: { description: 'Bad' } } },
  }
  const folder = await folderOf({ 'openapi.json': `${JSON.stringify(document, null, 4)}\n` })
  const path = join(folder, 'openapi.json')
  await twinspec('lint', '--openapi', path, '--fix')
  const { b, ...others } = { b: document.paths['/b'], a: document.paths['/a'] }
  const expected = {
    ...document,
    paths: {
      '/a': others.a,
      '/b': {
        get: { responses: { ...b.get.responses, 400: { $ref: '#/components/responses/Bad' } } },
      },
    },
  }
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(expected, null, 4)}\n`)
})

it('createServer checks credentials by a typed hook, and conform finds nothing', async () => {
  const text = `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      security: [{ bearer: [] }, { login: [] }]
      responses:
        '200': { description: All, content: { application/json: { schema: { type: string } } } }
        4XX: { description: Rejected, content: { application/json: { schema: { type: object, required: [error], properties: { error: { type: string } } } } } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    login: { type: http, scheme: basic }
`
  const { path, load, generate } = await project(text)
  await generate()
  const { createServer, toNodeListener } = await load('server.ts')
  type Identity = { readonly bearer?: { readonly name: string }; readonly login?: string }
  const server = createServer(
    {
      listNotes: (_: unknown, { identity }: { identity: Identity }) => ({
        status: 200,
        body: identity.bearer?.name ?? identity.login ?? '',
      }),
    },
    {
      authenticate: {
        bearer: async (token: string) => (token === 'good' ? { name: 'Ada' } : undefined),
        login: ({ username, password }: { username: string; password: string }) =>
          password === 'a:b' ? username : undefined,
      },
    },
  )
  const url = await serve(toNodeListener(server))
  const get = async (authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const response = await fetch(`${url}/notes`, { headers })
    return [response.status, await response.json()]
  }
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
  expect(await get('Bearer good')).toEqual([200, 'Ada'])
  expect(await get('Bearer bad')).toEqual([401, { error: 'Unauthorized' }])
  expect(await get()).toEqual([401, { error: 'Unauthorized' }])
  expect(await get(basic('bob:a:b'))).toEqual([200, 'bob'])
  expect(await get(basic('bob:wrong'))).toEqual([401, { error: 'Unauthorized' }])
  expect(() =>
    createServer({ listNotes: () => undefined }, { authenticate: { typo: () => 1 } }),
  ).toThrow(/no operation has the scheme 'typo'/)
  const { stdout } = await conform(path, url)
  expect(stdout).not.toContain('credentials')
})
