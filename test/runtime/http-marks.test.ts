import { expect, it } from 'vitest'
import { createHttp } from '../../src/runtime/http.js'
import type { HttpOperation } from '../../src/runtime/operation.js'
import { service, validators } from './http-fixture.js'

const { submit, search } = service.operations
const { variants = [], sameAs = [], ...unmarked }: HttpOperation = submit
const refusal = { success: false, error: 'no' }

it.each<{
  readonly title: string
  readonly operation: HttpOperation
  readonly status?: number
  readonly answered: unknown
  readonly want: unknown
}>([
  {
    title: 'a body of HEAD is not read',
    operation: { ...search, id: 'search', method: 'HEAD' },
    answered: ['a'],
    want: undefined,
  },
  {
    title: 'what a form names an error is one',
    operation: { ...unmarked, id: 'submit', variants },
    answered: refusal,
    want: expect.objectContaining({ name: 'HttpError', status: 200, body: refusal }),
  },
  {
    title: 'what one property carries, its twin is given',
    operation: { ...unmarked, id: 'submit', sameAs },
    answered: { success: true, hash: 'a' },
    want: { success: true, hash: 'a', transactionHash: 'a' },
  },
  {
    title: 'a status that nobody documents is refused',
    operation: { ...unmarked, id: 'submit' },
    status: 201,
    answered: { success: true },
    want: expect.objectContaining({ reason: 'malformed-answer' }),
  },
])('$title', async ({ operation, status = 200, answered, want }) => {
  const { id } = operation
  type Calls = Readonly<Record<string, (input?: object) => Promise<unknown>>>
  const client = createHttp<Calls>({ ...service, operations: { [id]: operation } }, validators, {
    auth: id === 'submit' ? { apiKey: 'key' } : {},
    // A response that keeps what was given as its body, whatever was asked.
    fetch: async () => Response.json(answered, { status }),
  })
  const input = id === 'submit' ? { body: { arguments: 'a' } } : {}
  expect(await client[id]?.(input).catch((error: unknown) => error)).toEqual(want)
})

it('a form that nobody answers is no fault of its input', async () => {
  type Calls = Readonly<Record<'upload', (input: object) => Promise<unknown>>>
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { upload } = createHttp<Calls>(service, validators, { fetch })
  const form = { contentType: 'multipart/form-data', body: { title: 'a', file: new Blob(['b']) } }
  expect(await upload(form).catch((error: unknown) => error)).toMatchObject({ reason: 'network' })
})

it('a form goes where its method, path and query say', async () => {
  type Calls = Readonly<Record<'upload', (input: object) => Promise<unknown>>>
  const parameters = [
    { name: 'a', in: 'path', required: true, style: 'simple', explode: false },
    { name: 'b', in: 'query', required: true, style: 'form', explode: true },
  ] as const
  const upload = { ...service.operations.upload, path: '/to/{a}', parameters }
  const fetch = async (url: string, init: RequestInit) =>
    Response.json({ id: `${init.method} ${url}` }, { status: 201 })
  const options = { server: 'https://test.example', fetch }
  const client = createHttp<Calls>({ ...service, operations: { upload } }, validators, options)
  const form = { contentType: 'multipart/form-data', body: { title: 'a', file: new Blob(['b']) } }
  const sent = await client.upload({ ...form, path: { a: '1' }, query: { b: '2' } })
  expect(sent).toEqual({ id: 'PUT https://test.example/to/1?b=2' })
})
