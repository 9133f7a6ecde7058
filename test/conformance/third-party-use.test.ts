import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toFetchHandler } from '../../src/runtime/server.js'
import { createProject, type Generated, installed } from './foreign-documents.js'
import { outcomeOf } from './traffic.js'

const project = createProject()
afterAll(() => project.remove())

describe('a document with credentials, forms and answers in XML or JSON', () => {
  const pet = { name: 'Rex', photoUrls: ['https://pets.example/rex.png'], status: 'sold' }
  const order = { id: 3, petId: 7, quantity: 1, status: 'placed', complete: false }
  const secrets = { petstore_auth: 'token-1', api_key: 'key-1' }
  const received: unknown[] = []
  const presented = new Map<string, object>()
  // biome-ignore lint/suspicious/noExplicitAny: no compiler has seen the client
  let client: any

  const rows: readonly Row[] = [
    ['addPet', { body: pet }, { status: 405 }],
    ['updatePet', { body: pet }, { status: 404 }],
    ['findPetsByStatus', { query: { status: ['sold', 'pending'] } }, { status: 200, body: [pet] }],
    ['findPetsByTags', { query: { tags: ['a,b', 'c d'] } }, { status: 200, body: [] }],
    ['getPetById', { path: { petId: 7 } }, { status: 200, body: pet }],
    [
      'updatePetWithForm',
      { path: { petId: 7 }, body: { name: 'Rex & Co', status: 'sold' } },
      { status: 405 },
    ],
    ['deletePet', { path: { petId: 7 }, header: { api_key: 'mine' } }, { status: 400 }],
    [
      'uploadFile',
      { path: { petId: 7 }, body: { additionalMetadata: 'asleep' } },
      { status: 200, body: { code: 1 } },
    ],
    ['getInventory', {}, { status: 200, body: { sold: 3 } }],
    ['placeOrder', { body: order }, { status: 200, body: order }],
    ['getOrderById', { path: { orderId: 3 } }, { status: 200, body: order }],
    ['deleteOrder', { path: { orderId: 3 } }, { status: 404 }],
    ['createUser', { body: { username: 'ann' } }, { status: 204 }],
    ['createUsersWithArrayInput', { body: [{ username: 'ann' }] }, { status: 204 }],
    ['createUsersWithListInput', { body: [] }, { status: 500 }],
    ['loginUser', { query: { username: 'a&b', password: 'ü+' } }, { status: 200, body: 'token' }],
    ['logoutUser', {}, { status: 204 }],
    ['getUserByName', { path: { username: 'a/b' } }, { status: 200, body: { username: 'a/b' } }],
    ['updateUser', { path: { username: 'ann' }, body: { phone: '1' } }, { status: 400 }],
    ['deleteUser', { path: { username: 'ann' } }, { status: 404 }],
  ]

  beforeAll(async () => {
    const openapi = installed('@readme/oas-examples/3.0/json/petstore.json')
    const { api, load } = await project.generate('pets', { openapi })
    expect(rows.map(([id]) => id).sort()).toEqual(api.operations.map(({ id }) => id).sort())
    for (const operation of api.operations) {
      const names = operation.kind === 'http' ? operation.security.flat() : []
      const given = Object.entries(secrets).filter(([name]) => names.includes(name))
      presented.set(operation.id, Object.fromEntries(given))
    }
    const handlers = rows.map(([id, , { status, body }]) => [
      id,
      (input: unknown, { auth }: { auth: unknown }) => {
        received.push({ id, input, auth })
        return { status, body }
      },
    ])
    const { createServer } = await load('server.ts')
    const { createHttpClient } = await load('http.client.ts')
    // The documented address, with the `/v2` before its paths: the server answers there by itself.
    const handler = toFetchHandler(createServer?.(Object.fromEntries(handlers)))
    client = createHttpClient?.({
      auth: secrets,
      fetch: (url: string, init: RequestInit) => handler(new Request(url, init)),
    })
  })

  it.each(rows)('%s', async (id, input, { status, body }) => {
    const exchanged = await client[id].exchange(input)
    expect({ status: exchanged.status, body: exchanged.body }).toEqual({ status, body })
    expect(received.at(-1)).toMatchObject({ id, input, auth: presented.get(id) })
  })
})

describe('a document of methods, some by name, with no server of its own', () => {
  let generated: Generated
  // biome-ignore lint/suspicious/noExplicitAny: no compiler has seen the client
  let client: any
  const received: unknown[] = []
  const failures: unknown[] = []

  beforeAll(async () => {
    const openrpc = installed('@metamask/api-specs/dist/build/openrpc.json')
    generated = await project.generate('wallet', { openrpc })
    const handlers = methodsOf(generated).map(({ id, method, examples }) => [
      id,
      (params: unknown) => {
        received.push({ method, params })
        const [example] = examples
        return example?.outcome.kind === 'result' ? example.outcome.value : null
      },
    ])
    const { createServer } = await generated.load('server.ts')
    const { createRpcClient } = await generated.load('rpc.client.ts')
    const onError = (error: unknown) => failures.push(error)
    const handler = toFetchHandler(createServer?.(Object.fromEntries(handlers), { onError }))
    const fetch = (url: string, init: RequestInit) => handler(new Request(url, init))
    client = createRpcClient?.({ server: 'http://127.0.0.1', fetch })
  })

  it('every method that shows an example gives it, but for the examples that are wrong', async () => {
    const wrong: string[] = []
    let right = 0
    for (const { id, method, paramStructure, examples } of methodsOf(generated)) {
      const [example] = examples
      if (example?.outcome.kind !== 'result') continue
      const { params, namedParams, outcome } = example
      const byName = paramStructure === 'by-name'
      const given = byName ? [namedParams] : params
      const { answer, error } = await outcomeOf(client[id](...given))
      if (error === undefined) {
        expect(answer, method).toEqual(outcome.value)
        expect(received.at(-1)).toEqual({ method, params: byName ? namedParams : params })
        right += 1
      } else wrong.push(method)
    }
    // Reading the document has said so already, example by example.
    const reported = generated.api.findings.flatMap(
      ({ rule, message }) => (rule === 'example-invalid' && / of (\w+),/.exec(message)?.[1]) || [],
    )
    expect(wrong).toEqual([...new Set(reported)])
    expect({ right, wrong: wrong.length }).toEqual({ right: 34, wrong: 20 })
    // Wrong params never left the client; the server refused to send the wrong results.
    expect(failures).toHaveLength(16)
  })
})

const methodsOf = ({ api }: Generated) => api.operations.filter((one) => one.kind === 'rpc')

type Reply = {
  readonly status: number
  readonly body?: unknown
  /** What the handler sees, where that is not what was sent. */
}

/** The operation, what it is called with, what its handler replies. */
type Row = readonly [id: string, input: object, reply: Reply]
