import { expect, it } from 'vitest'
import { type CallError, createHttp, type HttpOptions } from '../../src/runtime/http.js'
import type { Checks } from '../../src/runtime/validate.js'
import { type Client, service, validators } from './http-fixture.js'

/** What `validators.ts` exports where `explanations.ts` has the validators: the same verdicts, without a word. */
const checksOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if ('check' in value) {
    const { check, open } = value as Checks
    return open === undefined ? { check } : { check, open }
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, checksOf(item)]))
}
const checks = checksOf(validators) as object

const answering = (body: unknown, status = 200): HttpOptions => ({
  auth: { apiKey: 'secret-key' },
  retry: { attempts: 1 },
  fetch: async () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
})

const refused: readonly (readonly [
  string,
  unknown,
  number,
  (client: Client) => Promise<unknown>,
])[] = [
  ['a parameter', [], 200, (client) => client.search({ query: { limit: 0 } })],
  ['a body', {}, 200, (client) => client.upload({ body: { title: 1 } as never })],
  ['a form of a body', {}, 200, (client) => client.submit({ body: { arguments: 1 } as never })],
  ['an answer', [1], 200, (client) => client.search()],
  [
    'an answer that shows the key',
    { status: 1, queueId: 'secret-key' },
    200,
    (client) => client.getStatus({ path: { queueId: 'secret-key' } }),
  ],
  [
    'an answer to a form',
    { success: 1 },
    200,
    (client) => client.submit({ body: { arguments: 'a' } }),
  ],
  [
    'a documented refusal that does not fit',
    { no: 'secret-key' },
    400,
    (client) => client.submit({ body: { arguments: 'a' } }),
  ],
]

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (error) => error,
  )

it.each(refused)(
  'tells of %s what validators report, by checks and what explains',
  async (_, body, status, call) => {
    let loaded = 0
    const why = async () => {
      loaded += 1
      return validators
    }
    const own = await failure(
      call(createHttp<Client>(service, validators, answering(body, status))),
    )
    const error = await failure(
      call(createHttp<Client>(service, checks, answering(body, status), why)),
    )
    expect(error).toEqual(own)
    expect(error).toMatchObject({
      message: own.message,
      issues: (own as unknown as { issues: unknown }).issues,
    })
    expect(loaded).toBe(1)
  },
)

it.each(refused)(
  'says of %s that it was rejected, and how to learn why',
  async (_, body, status, call) => {
    const { issues } = (await failure(
      call(createHttp<Client>(service, checks, answering(body, status))),
    )) as unknown as {
      readonly issues: readonly { readonly message: string }[]
    }
    expect(issues).toHaveLength(1)
    expect(issues[0]?.message).toContain('the client option `explanations`')
  },
)

it('tells that a value was refused even where what explains cannot be loaded', async () => {
  const why = () => Promise.reject(new Error('offline'))
  const error = await failure(createHttp<Client>(service, checks, answering([1]), why).search())
  expect(error.message).toContain('search: the response (200) does not match its schema')
})

it('loads nothing while everything fits', async () => {
  const why = () => expect.fail('loaded')
  expect(await createHttp<Client>(service, checks, answering(['a']), why).search()).toEqual(['a'])
})

it('tells of an answer nothing that it may add, and of an input all that is wrong', async () => {
  const pointers = async (given: HttpOptions, call: (client: Client) => Promise<unknown>) => {
    const client = createHttp<Client>(service, checks, given, async () => validators)
    const error = (await failure(call(client))) as CallError
    return [error.message.split(':')[1], ...error.issues.map(({ pointer }) => pointer).sort()]
  }
  const status = (client: Client) => client.getStatus({ path: { queueId: 'a' } })
  const upload = (body: object) => (client: Client) => client.upload({ body: body as never })
  expect([
    await pointers(answering({ status: 1, queueId: 'a', more: 1 }), status),
    await pointers(answering({ id: 1, more: 1 }, 201), upload({ title: 'a' })),
    await pointers(answering({}), upload({ title: 1, more: 1 })),
  ]).toEqual([
    [' the response (200) does not match its schema', '/status'],
    [' the response (201) does not match its schema', '/id'],
    [' the input is not valid', '/body', '/body/title'],
  ])
})
