import { expect, it } from 'vitest'
import { isJsonRpc } from '../../src/runtime/shared/media-type.js'

it.each([
  ['application/json; charset=utf-8', true],
  ['application/json-rpc', true],
  ['application/json-seq', false],
  ['text/json', false],
])('%s carries JSON-RPC: %s', (type, want) => {
  expect(isJsonRpc(type)).toBe(want)
})
