import { expect, it } from 'vitest'
import { routeOf } from '../../../src/conform/responses/read.js'
import { createTarget } from '../../../src/conform/target.js'
import { answering, apiOf, openapiOf } from '../../model/api-of.js'

it.each([
  ['/', 'root'],
  ['/pets/', 'pets'],
  ['/pets/?limit=1', 'pets'],
  ['/owners/7/', 'owner'],
  ['/shops', 'shops'],
  ['/shops/', 'shops'],
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
    expect(found === 'rpc' ? found : found?.id).toBe(want)
  },
)

it('a request belongs to the operation whose path has more literal text', async () => {
  const paths = {
    '/files/{name}': answering({}, 'file'),
    '/files/{name}.json': answering({}, 'json'),
  }
  const api = await apiOf({ openapi: openapiOf({ paths }) })
  const target = createTarget(api, { url: 'http://127.0.0.1:9/v1' })
  const idOf = (path: string) => {
    const found = routeOf(api, target, { method: 'GET', url: `http://127.0.0.1:9/v1${path}` })
    return found === 'rpc' ? found : found?.id
  }
  expect([idOf('/files/a.json'), idOf('/files/a.txt')]).toEqual(['json', 'file'])
})
