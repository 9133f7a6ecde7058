import { expect, expectTypeOf, it } from 'vitest'
import type { JsonKey } from '../../src/runtime/http/input.js'
import { isForm, isJson, isJsonRpc } from '../../src/runtime/shared/media-type.js'

it.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json ;charset=utf-8', true],
  ['Application/JSON', true],
  ['text/json', true],
  ['application/problem+json', true],
  ['application/vnd.shop!a+b+json', true],
  ['application/json-seq', false],
  ['application/jsonl', false],
  ['application/x-ndjson', false],
  ['application/json+xml', false],
  ['text/plain; format=json', false],
  ['*/*', false],
])('%s is JSON: %s', (type, want) => {
  expect(isJson(type)).toBe(want)
})

it('is JSON to the types what is JSON at run time', () => {
  type Json =
    | 'application/json'
    | 'application/json; charset=utf-8'
    | 'application/json ;charset=utf-8'
    | 'Application/JSON'
    | 'text/json'
    | 'application/problem+json'
    | 'application/vnd.shop!a+b+json'
  type Other =
    | 'application/json-seq'
    | 'application/jsonl'
    | 'application/x-ndjson'
    | 'application/json+xml'
    | 'text/plain; format=json'
    | '*/*'
  expectTypeOf<JsonKey<Record<Json | Other, 0>>>().toEqualTypeOf<Json>()
})

it.each([
  ['application/x-www-form-urlencoded; charset=utf-8', true],
  ['multipart/form-data; boundary=x', true],
  ['multipart/mixed', false],
])('%s is a form: %s', (type, want) => {
  expect(isForm(type)).toBe(want)
})

it.each([
  ['application/json; charset=utf-8', true],
  ['application/json-rpc', true],
  ['application/json-seq', false],
  ['text/json', false],
])('%s carries JSON-RPC: %s', (type, want) => {
  expect(isJsonRpc(type)).toBe(want)
})
