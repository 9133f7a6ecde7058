import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startVersions } from '../../src/cli/version.js'
import { conform } from '../../src/conform/conform.js'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { initFiles } from '../../src/init/init.js'
import { lint } from '../../src/lint/lint.js'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'
import { createFolder } from './begun-project.js'

/** A service with a login and lists in pages, over both protocols; its handlers and its caller have no cast. */
const OPENAPI = `openapi: 3.1.0
info: { title: Notes, version: '1' }
servers: [{ url: 'http://127.0.0.1:8080/v1', x-name: local }]
paths:
  /login:
    post:
      operationId: logIn
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, additionalProperties: false, required: [name, password], properties: { name: { type: string }, password: { type: string } } }
            example: { name: ada, password: lovelace }
      responses:
        '200':
          description: A token.
          content:
            application/json:
              schema: { type: object, required: [token], properties: { token: { type: string } } }
              example: { token: token-of-ada }
        '401': { $ref: '#/components/responses/Problem' }
        4XX: { $ref: '#/components/responses/Problem' }
  /notes:
    get:
      operationId: listNotes
      security: [{ token: [] }]
      x-pagination: { items: /notes, next: { cursor: /next } }
      parameters:
        - { name: cursor, in: query, schema: { type: integer, minimum: 0, maximum: 1000 }, example: 1 }
      responses:
        '200':
          description: Some of them.
          content:
            application/json:
              schema: { type: object, required: [notes], properties: { notes: { type: array, items: { $ref: '#/components/schemas/Note' } }, next: { type: integer } } }
              example: { notes: [{ text: milk, by: ada }], next: 1 }
        4XX: { $ref: '#/components/responses/Problem' }
    post:
      operationId: addNote
      security: [{ token: [] }]
      x-idempotency-key: true
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, additionalProperties: false, required: [text], properties: { text: { type: string } } }
            example: { text: eggs }
      responses:
        '201':
          description: It is there.
          content:
            application/json: { schema: { $ref: '#/components/schemas/Note' }, example: { text: eggs, by: ada } }
        4XX: { $ref: '#/components/responses/Problem' }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
  schemas:
    Note: { type: object, required: [text, by], properties: { text: { type: string }, by: { type: string } } }
  responses:
    Problem:
      description: Why not.
      content:
        application/json: { schema: { type: object, required: [error], properties: { error: { type: string } } }, example: { error: no } }
`

const OPENRPC = `openrpc: 1.3.2
info: { title: Notes, version: '1' }
servers: [{ name: local, url: 'http://127.0.0.1:8080/rpc' }]
methods:
  - name: notes_list
    paramStructure: by-name
    x-idempotent: true
    x-pagination: { items: /notes, next: { cursor: /next } }
    params: [{ name: cursor, schema: { type: integer, minimum: 0, maximum: 1000 } }]
    result:
      name: page
      schema: { type: object, required: [notes], properties: { notes: { type: array, items: { type: string } }, next: { type: integer } } }
    examples:
      - { name: first, params: [], result: { name: page, value: { notes: [milk], next: 1 } } }
`

const SERVER = `import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, toNodeListener } from '../generated/server.js'

const tokens = new Map([['token-of-ada', { name: 'ada' }]])
const notes = [{ text: 'milk', by: 'ada' }, { text: 'bread', by: 'ada' }, { text: 'salt', by: 'bob' }]

/** One note a page. */
const pageFrom = <Item>(items: readonly Item[], cursor = 0) => ({
  notes: items.slice(cursor, cursor + 1),
  ...(cursor + 1 < items.length && { next: cursor + 1 }),
})

const server = createServer<{ token: { readonly name: string } }>(
  {
    logIn: ({ body }) =>
      body.name === 'ada' && body.password === 'lovelace'
        ? { status: 200, body: { token: 'token-of-ada' } }
        : { status: 401, body: { error: 'the name or the password is wrong' } },
    listNotes: ({ query }) => ({ status: 200, body: pageFrom(notes, query.cursor) }),
    addNote: ({ body }, { identity }) => {
      const note = { ...body, by: identity.token.name }
      notes.push(note)
      return { status: 201, body: note }
    },
    notesList: ({ cursor }) => pageFrom(notes.map(({ text }) => text), cursor),
  },
  { authenticate: { token: (token) => tokens.get(token) } },
)

const node = listen(toNodeListener(server))
node.listen(0, '127.0.0.1', () => {
  console.log(\`http://127.0.0.1:\${(node.address() as AddressInfo).port}\`)
})
`

const CALLER = `import { createClient } from '../generated/client.js'

export const read = async (server: string) => {
  const { token } = await createClient({ server }).http.logIn({ body: { name: 'ada', password: 'lovelace' } })
  const { http, rpc } = createClient({ server, auth: { token } })
  const note = await http.addNote({ body: { text: 'eggs' } })
  const texts: string[] = []
  for await (const { text } of http.listNotes.items()) texts.push(text)
  const over: string[] = []
  for await (const text of rpc.notesList.items()) over.push(text)
  const pages: (number | undefined)[] = []
  for await (const { next } of http.listNotes.pages({ query: { cursor: 1 } })) pages.push(next)
  return { note, texts, over, pages }
}
`

const project = createFolder()
let api: Api

beforeAll(async () => {
  const files = initFiles({
    name: 'Notes',
    isNew: true,
    adopted: undefined,
    versions: startVersions,
  })
  project.write(files.filter(({ path }) => !path.startsWith('spec/')))
  project.write([
    { path: 'spec/openapi.yaml', text: OPENAPI },
    { path: 'spec/openrpc.yaml', text: OPENRPC },
    { path: 'src/server.ts', text: SERVER },
    { path: 'src/caller.ts', text: CALLER },
  ])
  const spec = join(project.folder, 'spec')
  api = await loadApi({ openapi: join(spec, 'openapi.yaml'), openrpc: join(spec, 'openrpc.yaml') })
  project.write(
    emitAll(api, [], [...DEFAULT_KINDS, 'server']).map(({ name, text }) => ({
      path: `generated/${name}`,
      text,
    })),
  )
})

afterAll(() => project.remove())

it('P12, V8: a service with login and pages compiles without a cast', async () => {
  const problems = await lint(api, { only: undefined })
  expect(problems.filter(({ level }) => level === 'error')).toEqual([])
  expect(project.diagnose()).toEqual([])
})

it('V3: a server of generated stubs passes conform, and its pages are read over both protocols', async () => {
  const url = await project.start('src/server.ts')
  const { read } = await project.load('src/caller.ts')
  expect(await read?.(url)).toEqual({
    note: { text: 'eggs', by: 'ada' },
    texts: ['milk', 'bread', 'salt', 'eggs'],
    over: ['milk', 'bread', 'salt', 'eggs'],
    pages: [2, 3, undefined],
  })
  const { findings } = await conform(api, { url, rate: null, key: 'token-of-ada' })
  expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
})
