import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ordinaryRequest } from '../../src/runtime/http/ordinary-request.js'
import { type AnyInput, writeRequest } from '../../src/runtime/http/request.js'
import { transportOf } from '../../src/runtime/http/transport.js'
import { createHttp } from '../../src/runtime/http.js'
import type { HttpOperation, HttpValidators } from '../../src/runtime/operation.js'
import { service, validators } from './http-fixture.js'

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom('.', '..', '%2e', '/', ''),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, 1n),
)
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.constant(new Date(0)))
const body = fc.oneof(
  fc.record({ title: scalar }, { requiredKeys: [] }),
  fc.anything({ withDate: true, withMap: true, withBigInt: true, withSparseArray: true }),
)

/** Mostly what the operation documents. */
const inputOf = ({ parameters, body: declared }: HttpOperation): fc.Arbitrary<AnyInput> => {
  const placed = (place: string) => {
    const own = parameters
      .filter((one) => one.in === place)
      .map(({ name }) => [name, value] as const)
    const known = fc.record(Object.fromEntries(own), { requiredKeys: [] })
    return fc.oneof(
      { weight: 9, arbitrary: known },
      fc.constant({ more: 1 }),
      fc.constant(undefined),
    )
  }
  return fc.record({
    path: placed('path'),
    query: placed('query'),
    header: placed('header'),
    body: declared === undefined ? fc.constantFrom(undefined, undefined, 1) : body,
  }) as fc.Arbitrary<AnyInput>
}

it.each(['getStatus', 'search', 'remove', 'upload'] as const)(
  'what the ordinary way writes of %s, the careful way writes too',
  async (id) => {
    const operation: HttpOperation = service.operations[id]
    const own: HttpValidators = validators[id]
    const options = { server: 'https://test.example/v1//', headers: { 'X-Mine': 'a' } }
    const shared = { service, operation, validators: own, why: undefined, options }
    const context = { ...shared, transport: transportOf(options), accept: 'application/json' }
    let ordinary = 0
    await fc.assert(
      fc.asyncProperty(inputOf(operation), fc.boolean(), async (given, input) => {
        const headers = { Accept: 'b/c' }
        const written = ordinaryRequest(context, given, { headers, validate: { input } })
        if (written === undefined) return
        ordinary += 1
        const settings = {
          limits: service.limits,
          accept: context.accept,
          headers: { ...options.headers, ...headers },
          checks: input,
          credentials: {},
          explain: async () => [],
        }
        const { request } = written
        expect({ request }).toEqual(await writeRequest(operation, own, given, settings))
        expect(written.baseUrl).toBe('https://test.example/v1')
      }),
      { numRuns: 2_000 },
    )
    expect(ordinary).toBeGreaterThan(20)
  },
)

const { submit, search } = service.operations
const { variants = {}, sameAs = [], ...unmarked }: HttpOperation = submit
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
    auth: { apiKey: 'key' },
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
  const fetch = async (request: Request) =>
    Response.json({ id: `${request.method} ${request.url}` }, { status: 201 })
  const options = { server: 'https://test.example', fetch }
  const client = createHttp<Calls>({ ...service, operations: { upload } }, validators, options)
  const form = { contentType: 'multipart/form-data', body: { title: 'a', file: new Blob(['b']) } }
  const sent = await client.upload({ ...form, path: { a: '1' }, query: { b: '2' } })
  expect(sent).toEqual({ id: 'PUT https://test.example/to/1?b=2' })
})
