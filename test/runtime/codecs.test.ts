import { describe, expect, expectTypeOf, it } from 'vitest'
import type { CodecKey, JsonKey } from '../../src/runtime/http/input.js'
import {
  type Codec,
  codecOf,
  isBinaryType,
  isPlainText,
  isStructuredType,
  isText,
  isXml,
  requestCodec,
  responseCodec,
} from '../../src/runtime/shared/codecs.js'

const TYPES = {
  'application/json': 'json',
  'application/json; charset=utf-8': 'json',
  'application/json ;charset=utf-8': 'json',
  'Application/JSON': 'json',
  'text/json': 'json',
  'application/problem+json': 'json',
  'application/vnd.shop!a+b+json': 'json',
  'application/*+json': 'json',
  'text/event-stream': 'events',
  'application/jsonl': 'lines',
  'application/x-ndjson': 'lines',
  'application/json-lines': 'lines',
  'application/json-seq': 'sequence',
  'application/geo+json-seq': 'sequence',
  'application/x-www-form-urlencoded; charset=utf-8': 'form',
  'multipart/form-data; boundary=x': 'multipart',
  'multipart/mixed': 'parts',
  'multipart/*': 'parts',
  'text/plain; format=json': 'text',
  'text/*': 'text',
  'application/json+xml': 'text',
  'image/svg+xml': 'text',
  'application/yaml': 'text',
  'application/octet-stream': 'bytes',
  'image/*': 'bytes',
  'application/jsonfoo': 'bytes',
  'application/xjson': 'bytes',
  '*/*': 'any',
  'application/*': 'any',
} as const satisfies Record<string, Codec>

describe('the codec of a media type', () => {
  it.each(Object.entries(TYPES))('%s is %s', (type, codec) => {
    expect(codecOf(type)).toBe(codec)
  })

  it('is the same for the compiler', () => {
    type Map = Record<keyof typeof TYPES, 0>
    type Of<Kind extends Codec> = {
      [Type in keyof typeof TYPES]: (typeof TYPES)[Type] extends Kind ? Type : never
    }[keyof typeof TYPES]
    expectTypeOf<JsonKey<Map>>().toEqualTypeOf<Of<'json'>>()
    expectTypeOf<CodecKey<Map, 'events'>>().toEqualTypeOf<Of<'events'>>()
    expectTypeOf<CodecKey<Map, 'lines'>>().toEqualTypeOf<Of<'lines'>>()
    expectTypeOf<CodecKey<Map, 'sequence'>>().toEqualTypeOf<Of<'sequence'>>()
    expectTypeOf<CodecKey<Map, 'form'>>().toEqualTypeOf<Of<'form'>>()
    expectTypeOf<CodecKey<Map, 'multipart'>>().toEqualTypeOf<Of<'multipart'>>()
    expectTypeOf<CodecKey<Map, 'any'>>().toEqualTypeOf<Of<'any'>>()
    // Rows above `text` decide first, at run time and in each conditional type that asks for text.
    expectTypeOf<
      Exclude<CodecKey<Map, 'text'>, JsonKey<Map> | CodecKey<Map, 'events'>>
    >().toEqualTypeOf<Of<'text'>>()
  })
})

it.each<[string, Codec, Codec]>([
  ['application/jsonl', 'bytes', 'lines'],
  ['text/event-stream', 'text', 'events'],
  ['application/x-www-form-urlencoded', 'form', 'text'],
  ['multipart/form-data', 'multipart', 'bytes'],
  ['multipart/mixed', 'parts', 'bytes'],
])('%s is %s in a request, %s in a response', (type, request, response) => {
  expect([requestCodec(type), responseCodec(type)]).toEqual([request, response])
})

it.each<[string, (type: string) => boolean, readonly string[], readonly string[]]>([
  [
    'text on the wire',
    (type) => isText(codecOf(type)),
    ['application/problem+json', 'application/jsonl', 'text/event-stream', 'image/svg+xml'],
    ['application/cbor', 'multipart/form-data', 'multipart/mixed', 'image/png', '*/*'],
  ],
  [
    'a plain sentence',
    isPlainText,
    ['text/plain', 'Text/Plain; charset=utf-8', 'text/*'],
    ['text/plainer', 'text/html', 'application/json'],
  ],
  [
    'XML',
    isXml,
    ['application/xml', 'text/xml; charset=utf-8', 'image/svg+xml', 'Application/XML'],
    ['text/html', 'application/xml-dtd', 'application/xhtml'],
  ],
  [
    'a structured text',
    isStructuredType,
    ['application/yaml', 'text/yaml', 'application/openapi+yaml', 'text/xml'],
    ['text/html', 'text/csv', 'application/json'],
  ],
  [
    'certainly bytes',
    isBinaryType,
    ['image/png', 'Font/woff2', 'application/octet-stream;x=1', 'application/zip', 'video/*'],
    ['image/svg+xml', 'image/svg', 'model/x+xml', 'application/x-chess-pgn', 'application/cbor'],
  ],
])('knows what is %s', (_, is, yes, no) => {
  expect([...yes, ...no].filter(is)).toEqual(yes)
})
