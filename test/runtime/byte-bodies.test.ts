import { describe, expect, it } from 'vitest'
import { createHttp, type HttpOptions } from '../../src/runtime/http.js'
import { codecOf } from '../../src/runtime/shared/codecs.js'
import { readPieces } from '../../src/runtime/wire/read-multipart.js'
import { declaredResponses } from './declared.js'
import { operation } from './http-fixture.js'
import { listen } from './listen.js'

type Upload = (input: { readonly body: unknown; readonly contentType?: string }) => Promise<unknown>

const OCTETS = 'application/octet-stream'
const MULTIPART = 'multipart/form-data'

const upload = operation('upload', {
  method: 'POST',
  path: '/upload',
  responses: declaredResponses({ 204: [] }),
  body: {
    required: true,
    content: [
      { type: OCTETS, codec: codecOf(OCTETS) },
      { type: 'image/*', codec: codecOf('image/*') },
      { type: MULTIPART, codec: codecOf(MULTIPART), encoding: { file: { isFile: true } } },
    ],
  },
})

/** Bytes that are no UTF-8. */
const BYTES = [0, 255, 128, 10, 13, 195]

const sharedBytes = (): Uint8Array => {
  const shared = new Uint8Array(new SharedArrayBuffer(BYTES.length))
  shared.set(BYTES)
  return shared
}

/** The same bytes in the shapes in which Node and browsers have them. */
const SOURCES: readonly (readonly [name: string, body: ArrayBuffer | ArrayBufferView])[] = [
  ['a Uint8Array', Uint8Array.from(BYTES)],
  ['a part of a longer one', Uint8Array.from([1, ...BYTES, 2]).subarray(1, BYTES.length + 1)],
  ['a Buffer of a shared pool', Buffer.from(BYTES)],
  ['an ArrayBuffer', Uint8Array.from(BYTES).buffer],
  ['a DataView', new DataView(Uint8Array.from(BYTES).buffer)],
  ['a Uint8Array of shared memory', sharedBytes()],
]

const TRANSPORTS: readonly (readonly [string, HttpOptions['fetch']])[] = [
  ['the transport of Node', undefined],
  ['the platform’s fetch', (url, init) => fetch(url, init)],
]

describe.each(TRANSPORTS)('over a socket, by %s', (_, by) => {
  /** The type and the bytes that a server received. */
  const received = async (body: unknown, contentType: string) => {
    let found: { type: string; bytes: Buffer; length: string | undefined } | undefined
    const url = await listen(async (request, response) => {
      const { 'content-type': type = '', 'content-length': length } = request.headers
      found = { type, bytes: Buffer.concat(await request.toArray()), length }
      response.statusCode = 204
      response.end()
    })
    const service = { servers: [], limits: {}, operations: { upload } }
    const client = createHttp<{ readonly upload: Upload }>(
      service,
      { upload: { responses: {} } },
      { server: url, fetch: by },
    )
    await client.upload({ body, contentType })
    if (!found) throw new Error('nothing was sent')
    return found
  }

  it.each(SOURCES)('%s is sent as its bytes', async (_name, source) => {
    const { type, bytes, length } = await received(source, OCTETS)
    expect([type, [...bytes], length]).toEqual([OCTETS, BYTES, `${BYTES.length}`])
  })

  it.each(SOURCES)('%s is sent as a type of a range', async (_name, source) => {
    const { type, bytes } = await received(source, 'image/png')
    expect([type, [...bytes]]).toEqual(['image/png', BYTES])
  })

  it.each(SOURCES)('%s is a file of a form', async (_name, source) => {
    const { type, bytes } = await received({ file: source }, MULTIPART)
    const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? ''
    const pieces = [...readPieces(bytes, boundary)]
    expect(pieces.flatMap((one) => (one.kind === 'data' ? [...one.bytes] : []))).toEqual(BYTES)
    expect(pieces.flatMap((one) => (one.kind === 'data' ? [] : [one.name, one.type]))).toEqual([
      'file',
      OCTETS,
    ])
  })

  it('an empty one is an empty body', async () => {
    const { bytes, length } = await received(new Uint8Array(), OCTETS)
    expect([bytes.length, length]).toEqual([0, '0'])
  })
})
