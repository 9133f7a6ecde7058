import { expect, it } from 'vitest'
import { createHttp, type HttpOptions } from '../../src/runtime/http.js'
import { type Client, service, validators } from './http-fixture.js'

const host = { default: 'a.example', enum: ['a.example', 'b.example'] }
const servers = [
  {
    name: 'one',
    url: 'https://{host}/{key}',
    variables: { host, key: { default: 'open', secret: true } },
  },
  { name: 'two', url: 'https://{host}', variables: { host } },
]

/** What is asked by one search, and how it ended. */
const search = async (options: HttpOptions, limit?: number) => {
  const asked: (readonly [url: string, header: string | null])[] = []
  const fetch = async (url: string, init: RequestInit) => {
    asked.push([url, new Headers(init.headers).get('x-a')])
    return Response.json(['a'])
  }
  const client = createHttp<Client>({ ...service, servers }, validators, { ...options, fetch })
  const query = limit === undefined ? {} : { query: { limit } }
  const reason = await client.search(query).then(
    () => undefined,
    (error) => error.reason,
  )
  return { asked, reason }
}

const rows: readonly (readonly [string, HttpOptions, number | undefined, string])[] = [
  ['a query', {}, 2, 'https://a.example/open/search?limit=2'],
  ['no query', {}, undefined, 'https://a.example/open/search'],
  ['a variable', { variables: { host: 'b.example' } }, 2, 'https://b.example/open/search?limit=2'],
  ['a secret variable', { auth: { key: 'k/1' } }, 2, 'https://a.example/k%2F1/search?limit=2'],
  ['no secret', { server: 'two' }, 2, 'https://a.example/search?limit=2'],
  [
    'a key that ends with a slash',
    { server: 'https://c.example/d/?key=AbC/' },
    2,
    'https://c.example/d/search?key=AbC/&limit=2',
  ],
  ['a URL', { server: 'https://c.example/d/' }, 2, 'https://c.example/d/search?limit=2'],
]

it.each(rows)('a call with %s goes where it should', async (_, options, limit, url) => {
  const headers = { 'X-A': 'b' }
  const want = { asked: [[url, 'b']], reason: undefined }
  expect(await search({ ...options, headers }, limit)).toEqual(want)
})

it('a client is not created with a variable that is none of those documented', async () => {
  for (const server of ['one', 'two'])
    for (const host of ['c.example', ''])
      await expect(search({ server, variables: { host } })).rejects.toThrow(TypeError)
})

it('a header that is null is not sent', async () => {
  const headers = { 'X-A': null } as never
  for (const server of ['one', 'https://c.example'])
    expect((await search({ server, headers })).asked).toEqual([[expect.any(String), null]])
})
