import { expect, it } from 'vitest'
import { curlLines } from '../../src/mock/curl.js'
import { loadShop } from './shop.js'

it('prints a line of curl for each operation, with no secret in it', async () => {
  const api = await loadShop((texts) => ({
    ...texts,
    openapi: texts.openapi.replace('{ item: apple, count: 1 }', '{ item: "Ann\'s", count: 1 }'),
  }))
  const mock = {
    url: 'http://m',
    httpUrl: 'http://m',
    rpcUrl: 'http://m/rpc/{key}',
    stop: async () => {},
  }
  expect(curlLines(api, mock).join('\n')).toMatchInlineSnapshot(`
    "curl -s "http://m/orders/public" -H 'content-type: application/json' -d '{"item":"Ann'\\''s","count":1}'
    curl -s "http://m/orders/$KEY" -H 'content-type: application/json' -d '{"item":"Ann'\\''s","count":1}'
    curl -s "http://m/orders/$KEY/7"
    curl -s "http://m/slogans/1"
    curl -s "http://m/rpc/$KEY" -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"shop_price","params":["apple"]}'
    curl -s "http://m/rpc/$KEY" -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"shop_open","params":[]}'"
  `)
  expect(curlLines(api, { ...mock, httpUrl: undefined })).toHaveLength(2)
})
