import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../../cli/command-line.js'
import { bodyOf, conformed, listen, openrpc, startRpc, textMethod } from '../rpc/rpc-server.js'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const PET = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
}

const petId = { name: 'petId', in: 'path', required: true, schema: { type: 'string' } }

const NEW_PET = {
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      example: { name: 'Rex' },
    },
  },
}

const not = { description: 'no', ...json({ type: 'object' }) }

const PETS = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        responses: { 200: { description: 'all', ...json({ type: 'array', items: PET }) } },
      },
      post: {
        operationId: 'createPet',
        requestBody: NEW_PET,
        responses: { 201: { description: 'it', ...json(PET) }, 400: not, 415: not },
      },
    },
    '/pets/{petId}': {
      parameters: [petId],
      get: {
        operationId: 'getPet',
        responses: { 200: { description: 'it', ...json(PET) }, 404: not },
      },
      put: {
        operationId: 'changePet',
        requestBody: NEW_PET,
        responses: { 200: { description: 'it', ...json(PET) }, 400: not, 404: not, 415: not },
      },
      delete: { operationId: 'removePet', responses: { 204: { description: 'gone' }, 404: not } },
    },
  },
})

const startPets = async () => {
  const pets = new Map([['first-pet', 'Tom']])
  const removed: string[] = []
  const url = await listen(
    createServer(async (request, response) => {
      const send = (status: number, value?: unknown) =>
        response
          .writeHead(status, value === undefined ? {} : { 'content-type': 'application/json' })
          .end(value === undefined ? undefined : JSON.stringify(value))
      const bytes = await bodyOf(request)
      const { method, url: path = '' } = request
      const nameOf = (): string | undefined => {
        try {
          const { name } = JSON.parse(String(bytes))
          return typeof name === 'string' ? name : undefined
        } catch {
          return undefined
        }
      }
      if (path === '/pets' && method === 'GET')
        return void send(
          200,
          [...pets].map(([id, name]) => ({ id, name })),
        )
      if (path === '/pets' && method === 'POST') {
        const name = nameOf()
        if (name === undefined) return void send(400, {})
        const id = `pet-${pets.size}`
        pets.set(id, name)
        return void send(201, { id, name })
      }
      const id = /^\/pets\/([^/?]+)$/.exec(path)?.[1]
      if (id === undefined || !pets.has(id)) return void send(404, {})
      if (method === 'GET') return void send(200, { id, name: pets.get(id) })
      if (method === 'PUT') {
        const name = nameOf()
        if (name === undefined) return void send(400, {})
        pets.set(id, name)
        return void send(200, { id, name })
      }
      if (method === 'DELETE') {
        removed.push(id)
        pets.delete(id)
        return void send(204)
      }
      send(405)
    }),
  )
  return { url, removed }
}

it('values of path parameters are taken from list and create responses, and the report says so', async () => {
  const { url, removed } = await startPets()
  const { coverage, text } = await conformed(url, { openapi: PETS })
  const operations = coverage.find(({ name }) => name === 'operation')
  expect(operations?.met.toSorted()).toEqual(
    ['changePet', 'createPet', 'getPet', 'listPets', 'removePet'].toSorted(),
  )
  expect(text).toContain('  getPet: path.petId from listPets\n')
  expect(text).toContain('  removePet: path.petId from createPet\n')
  // What was there before is never removed.
  expect(removed).not.toContain('first-pet')
})

it('where no response has the value, the link to add is printed', async () => {
  const alone = JSON.parse(PETS)
  delete alone.paths['/pets']
  const { url } = await startPets()
  const { notTested } = await conformed(url, { openapi: JSON.stringify(alone) })
  expect(notTested.map(({ why }) => why)).toContainEqual(
    expect.stringContaining(
      "add a link for each operation to the response that has the value: links: { NAME: { operationId: NAME, parameters: { petId: '$response.body#/…' } } }",
    ),
  )
})

it.each([
  ['a list', (all: object) => all, '/0/id'],
  ['a page', (all: object) => ({ type: 'object', properties: { items: all } }), '/items/0/id'],
])('the link to add names the property that %s has', async (_, listed, pointer) => {
  const document = JSON.parse(PETS)
  // Nothing creates a pet, so that the run has no identifier of its own.
  delete document.paths['/pets'].post
  document.paths['/pets'].get.responses[200] = {
    description: 'all',
    ...json(listed({ type: 'array', items: PET })),
  }
  const { url } = await startPets()
  const { notTested } = await conformed(url, { openapi: JSON.stringify(document) })
  expect(notTested.map(({ why }) => why)).toContainEqual(
    expect.stringContaining(
      `add a link for each operation to the response of listPets: links: { NAME: { operationId: NAME, parameters: { petId: '$response.body#${pointer}' } } }`,
    ),
  )
})

it('where nothing is marked as idempotent, the line to add is printed for one named method', async () => {
  const { 'x-idempotent': _, ...unmarked } = textMethod('good')
  const url = await startRpc(['good'], () => ({ result: 'text' }))
  const { text } = await conformed(url, { openrpc: openrpc(unmarked) })
  expect(text).toMatch(
    /good is read-only, add this line to it at \S+api\.json:\d+: "x-idempotent": true,/,
  )
})

const LOGIN = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/login': {
      post: {
        operationId: 'login',
        security: [],
        responses: {
          200: {
            description: 'd',
            ...json({
              type: 'object',
              required: ['token'],
              properties: { token: { type: 'string' }, note: { type: 'string' } },
            }),
          },
        },
      },
    },
    '/me': {
      get: {
        operationId: 'me',
        security: [{ bearer: [] }],
        responses: { 204: { description: 'd' }, 401: { description: 'd' } },
      },
    },
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
})

const KEY = 'a-key-of-the-caller'

const startLogin = (body: object) =>
  listen(
    createServer((request, response) => {
      request.resume()
      if (request.url === '/login' && request.method === 'POST')
        return void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(body))
      const isKnown = request.headers.authorization === `Bearer ${KEY}`
      response.writeHead(isKnown ? 204 : 401, { 'www-authenticate': 'Bearer' }).end()
    }),
  )

it('the token in a declared property of a login response is no leak, and anywhere else it is', async () => {
  const rules = async (body: object) => {
    const { findings } = await conformed(
      await startLogin(body),
      { openapi: LOGIN },
      '--api-key',
      KEY,
    )
    return findings.map(({ rule }) => rule)
  }
  expect(await rules({ token: KEY })).not.toContain('api-key-leaked')
  expect(await rules({ token: 'x', note: KEY })).toContain('api-key-leaked')
})

it('recorded traffic is counted as exchanges, and a batch is judged', async () => {
  const call = (method: string, id: number) =>
    `{"jsonrpc":"2.0","method":"${method}","params":[],"id":${id}}`
  const folder = await folderOf({
    'api.json': openrpc(textMethod('one'), textMethod('two')),
    'a.ndjson': `{"request":[${call('one', 1)},${call('two', 2)}],"response":[{"jsonrpc":"2.0","result":"x","id":1},{"jsonrpc":"2.0","result":5,"id":2}]}\n`,
  })
  const args = ['conform', '--traffic', `${folder}/a.ndjson`, '--openrpc', `${folder}/api.json`]
  const { code, stdout, stderr } = await twinspec(...args)
  expect(code).toBe(1)
  expect(stdout).toContain('two: /result must be a string')
  expect(stderr).toBe('1 error in 1 recorded exchange\n')
  expect(stdout).not.toContain('keywords')
})

it('--only counts only the operations that it names', async () => {
  const url = await startRpc(['one', 'two'], () => ({ result: 'text' }))
  const { coverage } = await conformed(
    url,
    { openrpc: openrpc(textMethod('one'), textMethod('two')) },
    '--only',
    'one',
  )
  const operations = coverage.find(({ name }) => name === 'operation')
  expect(operations).toEqual({ name: 'operation', declared: ['one'], met: ['one'] })
})

it('without a URL the server of this machine that the document names is tested, and the run says which', async () => {
  const url = await startRpc(['one'], () => ({ result: 'text' }))
  const document = (server: string) =>
    JSON.stringify({
      ...JSON.parse(openrpc(textMethod('one'))),
      servers: [{ name: 'main', url: server }],
    })
  const folder = await folderOf({
    'near.json': document(url),
    'far.json': document('https://api.example/rpc'),
  })
  const near = await twinspec('conform', '--openrpc', `${folder}/near.json`, '--only', 'one')
  expect(near.stderr).toContain(`testing ${url}`)
  expect(near.code).toBe(0)
  const far = await twinspec('conform', '--openrpc', `${folder}/far.json`)
  expect(far.code).toBe(2)
  expect(far.stderr).toContain('https://api.example/rpc')
})

it('where the rate limit of the documents makes a run long, --rate 0 is suggested for this machine', async () => {
  const url = await startRpc(['one'], () => ({ result: 'text' }))
  const limited = {
    ...JSON.parse(openrpc(textMethod('one'))),
    'x-limits': { requestsPerMinute: 20 },
  }
  const folder = await folderOf({ 'api.json': JSON.stringify(limited) })
  const ending = new AbortController()
  const run = startTwinspec(
    ['conform', url, '--openrpc', `${folder}/api.json`, '--max-time', '1s'],
    ending.signal,
  )
  await run.code
  expect(run.said.stderr).toContain('--rate 0')
})

it('a report says request, received, expected and reproduce', async () => {
  const url = await startRpc(['one'], () => ({ result: 5 }))
  const { text } = await conformed(url, { openrpc: openrpc(textMethod('one')) })
  for (const label of ['request', 'received', 'expected', 'reproduce'])
    expect(text).toMatch(new RegExp(`^ {4}${label}: \\S`, 'm'))
  expect(text).toMatch(/^covered$/m)
  expect(text).not.toMatch(/^ {4}(came|due|again|sent):? /m)
})
