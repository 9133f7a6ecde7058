import { expect, it } from 'vitest'
import { createTarget } from '../../../src/conform/target.js'
import { type Route, routeOf } from '../../../src/traffic/route.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from '../../read/api-of.js'

it.each([
  ['/', 'root'],
  ['/pets/', 'pets'],
  ['/pets/?limit=1', 'pets'],
  ['/owners/7/', 'owner'],
  ['/shops', 'shops'],
  // Servers by the document have no such path.
  ['/shops/', undefined],
  ['/pets', undefined],
  ['/others/', undefined],
])(
  'a request to %s belongs to the operation %s: its path may end with a slash',
  async (path, want) => {
    const paths = {
      '/': answering({}, 'root'),
      '/pets/': answering({}, 'pets'),
      '/owners/{id}/': answering({}, 'owner'),
      '/shops': answering({}, 'shops'),
    }
    const api = await apiOf({ openapi: openapiOf({ paths }) })
    const target = createTarget(api, { url: 'http://127.0.0.1:9/v1' })
    const found = routeOf(api, target, { method: 'GET', url: `http://127.0.0.1:9/v1${path}` })
    expect(idOf(found)).toBe(want)
  },
)

it('a request belongs to the operation whose path has more literal text', async () => {
  const paths = {
    '/files/{name}': answering({}, 'file'),
    '/files/{name}.json': answering({}, 'json'),
  }
  const api = await apiOf({ openapi: openapiOf({ paths }) })
  const target = createTarget(api, { url: 'http://127.0.0.1:9/v1' })
  const found = (path: string) =>
    idOf(routeOf(api, target, { method: 'GET', url: `http://127.0.0.1:9/v1${path}` }))
  expect([found('/files/a.json'), found('/files/a.txt')]).toEqual(['json', 'file'])
})

it.each([
  ['/rpc/secret', 'rpc'],
  ['/rpc/another', 'rpc'],
  ['/rpc/secret/', 'rpc'],
  ['/rpc/secret?trace=1', 'rpc'],
  ['/rpc/a%2Fb', 'rpc'],
  // A server decodes the literal parts of a path.
  ['/%72pc/secret', 'rpc'],
  ['/rpc', undefined],
  ['/rpc/a/b', undefined],
  ['/RPC/secret', undefined],
  ['/other/rpc/secret', undefined],
])('POST %s is a request to the JSON-RPC address, with any key: %s', async (path, want) => {
  const variables = { key: { default: 'KEY', 'x-secret': true } }
  const servers = [{ url: 'http://127.0.0.1:9/rpc/{key}', variables }]
  const api = await apiOf({ openrpc: openrpcOf({ methods: [method('get')], servers }) })
  const target = createTarget(api, { url: 'http://127.0.0.1:9', key: 'secret' })
  const url = `http://127.0.0.1:9${path}`
  expect(idOf(routeOf(api, target, { method: 'POST', url }))).toBe(want)
  expect(routeOf(api, target, { method: 'GET', url })).toBeUndefined()
})

const idOf = (route: Route | undefined) => {
  const { operation } = route ?? {}
  return operation === 'rpc' ? operation : operation?.id
}
