import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHttp, type HttpService } from 'twinspec/runtime/http'
import {
  createServerCore,
  toFetchHandler,
  toNodeListener,
  type UploadedFile,
} from 'twinspec/runtime/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { twinspec } from '../cli/command-line.js'
import { compileErrors, STRICT } from '../compile.js'

const DOCUMENT = `openapi: 3.1.0
info: { title: Files, version: '1' }
servers: [{ url: http://h.example }]
paths:
  /file:
    get:
      operationId: download
      responses:
        '200': { description: d, content: { application/octet-stream: { schema: { type: string, format: binary } } } }
        '206': { description: d, content: { application/octet-stream: {} } }
    put:
      operationId: replace
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: { '200': { description: d, content: { application/json: { schema: { type: integer } } } } }
  /report:
    get:
      operationId: report
      responses: { '200': { description: d, content: { application/json: { schema: { type: object } } } } }
  /invoice:
    get:
      operationId: invoice
      responses:
        '200':
          description: d
          content:
            application/json: { schema: { type: object, required: [total], properties: { total: { type: integer } } } }
            application/pdf: {}
            text/csv: { schema: { type: string } }
  /note:
    post:
      operationId: note
      requestBody: { required: true, content: { text/plain; charset=utf-8: { schema: { type: string } } } }
      responses: { '200': { description: d, content: { 'Text/Plain; Charset="UTF-8"': { schema: { type: string } } } } }
  /upload:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [file, title]
              properties:
                file: { type: string, format: binary }
                more: { type: array, items: { type: string, format: binary } }
                title: { type: string, maxLength: 5 }
                tags: { type: array, items: { type: string } }
                options: { type: object, properties: { copies: { type: integer } } }
            encoding:
              options: { style: deepObject, explode: true }
              more: { contentType: image/png, headers: { X-Version: { schema: { const: 2 } } } }
      responses: { '200': { description: d, content: { application/json: { schema: { type: string } } } } }
  /files:
    post:
      operationId: uploadEncoded
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                'files[0]': { type: string, contentEncoding: binary }
                scan: { type: string, contentMediaType: application/pdf }
      responses: { '204': { description: d } }
  /form:
    post:
      operationId: form
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties:
                metadata: { type: object, additionalProperties: { type: string } }
                items: { type: array, items: { type: string } }
                lines: { type: array, items: { type: object, properties: { price: { type: integer } } } }
                flat: { type: array, items: { type: string } }
            encoding:
              metadata: { style: deepObject, explode: true }
              items: { style: deepObject, explode: true }
              lines: { style: deepObject, explode: true }
              flat: { style: form, explode: false }
      responses: { '200': { description: d, content: { application/json: { schema: { type: object } } } } }
`

let out: string
let folder: string
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let generated: {
  readonly httpService: HttpService
  readonly httpValidators: object
  readonly all: Readonly<Record<string, unknown>>
}

// Each test reads it, and none changes it.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twinspec-bodies-'))
  writeFileSync(join(folder, 'openapi.yaml'), DOCUMENT)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'node_modules/twinspec'))
  out = join(folder, 'out')
  await twinspec(
    'generate',
    '--openapi',
    join(folder, 'openapi.yaml'),
    '--with',
    'server',
    '--out',
    out,
  )
  const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(out, name)).href)
  const { httpService } = await load('operations.ts')
  const { httpValidators } = await load('validators.ts')
  generated = { httpService, httpValidators, all: await load('explanations.ts') }
})

type Handler = (input: { readonly body: never }) => unknown
type Call = ((input?: object, options?: object) => Promise<unknown>) & {
  readonly raw: (input?: object, options?: object) => Promise<Response>
}
type Client = Readonly<Record<string, Call>>

const serverOf = (handlers: Readonly<Record<string, Handler>>, options: object = {}) => {
  const { httpService, all } = generated
  const rest = (): never => {
    throw new Error('not offered')
  }
  const named = [
    'note',
    'download',
    'replace',
    'report',
    'upload',
    'uploadEncoded',
    'form',
    'invoice',
  ]
  const every = Object.fromEntries(named.map((name) => [name, handlers[name] ?? rest]))
  return createServerCore({ http: httpService, validators: all }, every as never, {
    validateOutput: true,
    ...options,
  })
}

const clientOf = (fetch: (url: string, init: RequestInit) => Promise<Response>): Client =>
  createHttp<Client>(generated.httpService, generated.httpValidators, { fetch })

/** A client whose requests are answered by handlers, over the Fetch standard. */
const connected = (handlers: Readonly<Record<string, Handler>>, options?: object): Client => {
  const handle = toFetchHandler(serverOf(handlers, options))
  return clientOf((url, init) => handle(new Request(url, init)))
}

const textOf = async (file: UploadedFile) => [
  file.name,
  file.type,
  file.size,
  new TextDecoder().decode(await file.bytes()),
]

describe('bytes', () => {
  it.each<[title: string, body: () => unknown]>([
    ['a Blob', () => new Blob(['abc'])],
    ['bytes', () => new TextEncoder().encode('abc')],
    ['a stream', () => new Blob(['abc']).stream()],
    [
      'a file',
      () => ({ name: 'a.txt', type: 'text/plain', stream: () => new Blob(['abc']).stream() }),
    ],
  ])('a handler answers %s with the declared type', async (_, body) => {
    const { download } = connected({ download: () => ({ status: 200, body: body() }) })
    const response = await download?.raw()
    expect(response?.headers.get('content-type')).toBe('application/octet-stream')
    expect(await response?.text()).toBe('abc')
  })

  it('the same over a socket, with ranges where 206 is declared', async () => {
    const bodies = [new Blob(['abcdef']), new TextEncoder().encode('abcdef'), 'stream'] as const
    for (const given of bodies) {
      const body = () => (given === 'stream' ? new Blob(['abcdef']).stream() : given)
      const server = serverOf({ download: () => ({ status: 200, body: body() }) })
      const listener = createServer(toNodeListener(server))
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void listener.close())
      const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/file`
      const whole = await fetch(url)
      expect([whole.status, await whole.text()]).toEqual([200, 'abcdef'])
      const part = await fetch(url, { headers: { Range: 'bytes=2-3' } })
      const isPart = given !== 'stream'
      expect([part.status, await part.text()]).toEqual(isPart ? [206, 'cd'] : [200, 'abcdef'])
      if (isPart) expect(part.headers.get('content-range')).toBe('bytes 2-3/6')
      // 416 is not declared, so the whole is sent.
      const behind = await fetch(url, { headers: { Range: 'bytes=9-' } })
      expect([behind.status, await behind.text()]).toEqual([200, 'abcdef'])
      // RFC 9110, 14.2 and 14.1: a range is of GET alone, and the name of its unit has any case.
      const head = await fetch(url, { method: 'HEAD', headers: { Range: 'bytes=2-3' } })
      expect([head.status, head.headers.get('content-range')]).toEqual([200, null])
      const other = await fetch(url, { headers: { Range: 'Bytes=0-1' } })
      expect([other.status, await other.text()]).toEqual(isPart ? [206, 'ab'] : [200, 'abcdef'])
    }
  })

  it('a Blob where JSON is declared is an error of the server', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const { report } = connected(
      { report: () => ({ status: 200, body: new Blob(['a']) }) },
      { onError },
    )
    expect((await report?.raw())?.status).toBe(500)
    expect(String(errors)).toContain('application/json is declared')
  })

  it('what handlers may answer, and what both sides are given, compiles', () => {
    const file = join(out, 'try.ts')
    const text = `import { createServer, notOffered } from './server.js'
import { createHttpClient } from './http.client.js'
export const servers = [new Blob(['a']), new Uint8Array(1), new Blob(['a']).stream(), new File(['a'], 'a')].map((body) =>
  createServer({ ...notOffered, download: () => ({ status: 200, body }),
    upload: async ({ body }) => ({ status: 200, body: body.file.name + body.title + (await body.more?.[0]?.bytes())?.length }),
    replace: ({ body }) => ({ status: 200, body: body.size }) }))
const http = createHttpClient({ server: 'http://h.example' })
export const calls = () => [
  http.uploadEncoded({ body: { 'files[0]': new File(['x'], 'x'), scan: new Uint8Array(3) } }),
  http.upload({ body: { title: 'a', file: { name: 'a', type: 'a/b', stream: new Blob(['x']).stream() }, more: [new Blob(['x'])] } }),
  // @ts-expect-error a file is no text
  http.upload({ body: { title: 'a', file: 1 } }),
]
export const total = async (): Promise<number> => (await http.invoice()).total
export const pdf = async (): Promise<Blob> => await http.invoice({ accept: 'application/pdf' })
export const csv = async (): Promise<string> => await http.invoice({ accept: 'text/csv' })
export const size = async (): Promise<number> => (await http.download()).size
export const note = async (): Promise<string> => await http.note({ body: 'a' })
// @ts-expect-error a text is no number
export const wrongNote = () => http.note({ body: 1 })
`
    const texts = new Map([[file, text]])
    expect(compileErrors({ files: [file], texts, options: STRICT })).toEqual([])
  })

  it('a response of any media type is bytes where those are declared, and rejected where JSON is', async () => {
    const bytes = (type: string) => async () =>
      new Response('abc', { headers: { 'content-type': type } })
    const warnings: unknown[] = []
    for (const type of ['audio/mpeg', 'text/plain', 'application/json']) {
      const blob = await clientOf(bytes(type)).download?.()
      expect(blob).toBeInstanceOf(Blob)
      expect(blob).toMatchObject({ type, size: 3 })
    }
    const { report } = createHttp<Client>(generated.httpService, generated.httpValidators, {
      fetch: bytes('application/octet-stream'),
      onWarning: ({ message }) => void warnings.push(message),
    })
    await expect(report?.()).rejects.toMatchObject({
      reason: 'malformed-answer',
      mediaType: 'application/octet-stream',
      text: 'abc',
    })
    expect(warnings).toEqual([])
  })

  it('of several media types of a response, the caller chooses one', async () => {
    const all: Record<string, unknown> = {
      'application/json': { total: 1 },
      'application/pdf': new Blob(['%PDF']),
      'text/csv': 'total,1',
    }
    const accepted: unknown[] = []
    const invoice = (_: unknown, { headers }: { headers: Record<string, string> }) => {
      const { accept = '' } = headers
      accepted.push(accept)
      return { status: 200, headers: { 'content-type': accept }, body: all[accept] }
    }
    const client = connected({ invoice: invoice as never })
    expect(await client.invoice?.()).toEqual({ total: 1 })
    const pdf = await client.invoice?.({ accept: 'application/pdf' })
    expect(pdf).toMatchObject({ type: 'application/pdf', size: 4 })
    expect(await client.invoice?.({ accept: 'text/csv' })).toBe('total,1')
    expect(accepted).toEqual(Object.keys(all))
  })

  it.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain;charset="utf-8"',
    'TEXT/PLAIN; Charset=UTF-8; format=flowed',
  ])('text is text whatever the parameters of its media type: %s', async (type) => {
    const body = ({ body }: { readonly body: string }) => `${body}, ü`
    const { note } = connected({
      note: (input) => ({ status: 200, headers: { 'content-type': type }, body: body(input) }),
    })
    expect(await note?.({ body: 'ä', contentType: type })).toBe('ä, ü')
    expect(await note?.({ body: 'ä' })).toBe('ä, ü')
    const declared = connected({ note: (input) => ({ status: 200, body: body(input) }) })
    expect(await declared.note?.({ body: 'ä', contentType: type })).toBe('ä, ü')
  })

  it('a whole body of bytes is a file, up to the limit of a body', async () => {
    const seen: unknown[] = []
    const { replace } = connected(
      {
        replace: async ({ body }) => {
          seen.push(await textOf(body))
          return { status: 200, body: 1 }
        },
      },
      { payloadBytes: 3 },
    )
    await replace?.({ body: new Blob(['abc']) })
    const file = { stream: new Blob(['xyz']).stream() }
    await replace?.({ body: file, contentType: 'application/octet-stream' })
    expect(seen).toEqual([
      ['', 'application/octet-stream', 3, 'abc'],
      ['', 'application/octet-stream', 3, 'xyz'],
    ])
    expect((await replace?.raw({ body: new Blob(['abcd']) }))?.status).toBe(413)
  })
})

describe('forms', () => {
  it('the fields and files of a multipart body reach the handler as they are typed', async () => {
    const seen: unknown[] = []
    const { upload } = connected({
      upload: async ({ body }: { body: Record<string, unknown> }) => {
        const { file, more, ...texts } = body
        const files = [file, more].flat() as UploadedFile[]
        seen.push(texts, await Promise.all(files.map(textOf)))
        return { status: 200, body: 'done' }
      },
    })
    await upload?.({
      body: {
        title: 'a "b"',
        file: new File(['bytes'], 'ä "1".png', { type: 'image/png' }),
        more: [new Uint8Array([0x61])],
        tags: ['x'],
        options: { copies: 2 },
      },
    })
    expect(seen).toEqual([
      { title: 'a "b"', tags: ['x'], options: { copies: 2 } },
      [
        ['ä "1".png', 'image/png', 5, 'bytes'],
        ['blob', 'image/png', 1, 'a'],
      ],
    ])
  })

  it('a name of a file is decoded once, so that one that has `%22` comes back as it is', async () => {
    const names: string[] = []
    const { upload, download } = connected({
      upload: ({ body }: { body: { file: UploadedFile } }) => {
        names.push(body.file.name)
        return { status: 200, body: 'done' }
      },
      download: () => ({ status: 200, body: new File(['x'], names.at(-1) ?? '') }),
    })
    const sent = ['say "hi".txt', '100%2522.txt', 'a%b.txt']
    for (const name of sent) {
      await upload?.({ body: { title: 'a', file: new File(['x'], name) } })
      expect(await download?.()).toMatchObject({ name })
    }
    expect(names).toEqual(sent)
    // WHATWG escapes the quote alone, so a form cannot tell this name from one with a quote.
    names.push('50%22.txt')
    expect(await download?.()).toMatchObject({ name: '50%22.txt' })
  })

  it('files that exceed the memory are in files without a name, and parts are counted', async () => {
    const handlers = {
      upload: async ({ body }: { body: { file: UploadedFile; more?: UploadedFile[] } }) => {
        const files = [body.file, ...(body.more ?? [])]
        return { status: 200, body: JSON.stringify(await Promise.all(files.map(textOf))) }
      },
    }
    const large = 'x'.repeat(100_000)
    const more = [new Blob(['small'])]
    const form = { title: 'a', file: new Blob([large]), more }
    const limits = { memoryBytes: 10, parts: 3 }
    const { upload } = connected(handlers, { uploads: { ...limits, folder } })
    const before = readdirSync(folder)
    const files = JSON.parse(String(await upload?.({ body: form })))
    const type = 'application/octet-stream'
    const expected = [
      ['blob', type, large.length, large],
      ['blob', 'image/png', 5, 'small'],
    ]
    expect(files).toEqual(expected)
    expect(readdirSync(folder)).toEqual(before)
    const refused = await upload?.raw({ body: { ...form, more: [...more, ...more] } })
    expect([refused?.status, await refused?.text()]).toEqual([
      ...[400, '{"error":"The body has more than 3 parts"}'],
    ])
    // A folder that does not exist is needed by large files alone.
    const none = { ...limits, folder: join(folder, 'none') }
    const lost = connected(handlers, { uploads: none, onError: () => {} }).upload
    expect((await lost?.raw({ body: form }))?.status).toBe(500)
    expect((await lost?.raw({ body: { title: 'a', file: more[0] } }))?.status).toBe(200)
  })

  it('a part has the media type and the headers that its encoding declares', async () => {
    let sent = ''
    const { upload } = clientOf(async (url, init) => {
      sent = await new Request(url, init).text()
      return Response.json('done')
    })
    await upload?.({ body: { title: 'a', file: new Blob(['x']), more: [new Blob(['y'])] } })
    const part = sent.split('--').find((one) => one.includes('name="more"'))
    expect(part).toMatch(/Content-Type: image\/png\r\nX-Version: 2\r\n\r\ny/i)
  })

  it('properties of a form are written by their encoding, and read by the same rules', async () => {
    const sent: string[] = []
    const body = {
      metadata: { order: '6735' },
      items: ['a', 'b'],
      lines: [{ price: 2 }, { price: 3 }],
      flat: ['x', 'y,z'],
    }
    const handle = toFetchHandler(
      serverOf({ form: (input) => ({ status: 200, body: input.body }) }),
    )
    const { form } = clientOf(async (url, init) => {
      sent.push(String(init.body))
      return await handle(new Request(url, init))
    })
    expect(await form?.({ body })).toEqual(body)
    expect(sent.map(decodeURIComponent)).toEqual([
      'metadata[order]=6735&items[0]=a&items[1]=b&lines[0][price]=2&lines[1][price]=3&flat=x,y,z',
    ])
    expect(sent[0]).toContain('flat=x,y%2Cz')
  })
})
