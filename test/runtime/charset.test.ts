import { expect, it } from 'vitest'
import { createHttp } from '../../src/runtime/http.js'
import { declaredResponses } from './declared.js'
import { operation } from './http-fixture.js'
import { listen } from './listen.js'

type Read = () => Promise<unknown>

const reading = async (type: string, bytes: readonly number[], status = 200) => {
  const url = await listen((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(Buffer.from(bytes))
  })
  const servers = [{ name: 'one', url, variables: {} }]
  const read = operation('read', {
    responses: declaredResponses({
      200: [type.startsWith('application/json') ? 'application/json' : 'text/plain'],
      400: ['text/plain'],
    }),
  })
  return [undefined, globalThis.fetch.bind(globalThis)].map((fetch) => {
    const options = { fetch: fetch as never }
    return createHttp<{ read: Read }>(
      { servers, limits: {}, operations: { read } },
      { read: { responses: {} } },
      options,
    ).read
  })
}

it.each<readonly [string, readonly number[], unknown]>([
  ['text/plain; charset=iso-8859-1', [0x63, 0xe9], 'cé'],
  ['text/plain;CHARSET="ISO-8859-1"', [0x63, 0xe9], 'cé'],
  ['text/plain; charset=iso-8859-2', [0xb1], 'ą'],
  ['text/plain; charset=utf-16le', [0xe9, 0x00], 'é'],
  ['text/plain; charset=shift_jis', [0x82, 0xa0], 'あ'],
  ['text/plain; charset=utf-8', [0xc3, 0xa9], 'é'],
  ['text/plain; charset="UTF8"', [0xc3, 0xa9], 'é'],
  ['text/plain; charset=us-ascii', [0x61], 'a'],
  ['text/plain', [0xc3, 0xa9], 'é'],
  // The platform knows no such charset.
  ['text/plain; charset=x-none', [0xc3, 0xa9], 'é'],
  // RFC 8259, 11: JSON has no charset, and is UTF-8.
  ['application/json; charset=iso-8859-1', [0x22, 0xc3, 0xa9, 0x22], 'é'],
])('a response of %s', async (type, bytes, want) => {
  for (const read of await reading(type, bytes)) expect(await read()).toBe(want)
})

it('an error in another charset', async () => {
  for (const read of await reading('text/plain; charset=iso-8859-1', [0xe9], 400))
    await expect(read()).rejects.toMatchObject({ status: 400, body: 'é' })
})

it('the text of a success that cannot be read', async () => {
  for (const read of await reading('text/html; charset=iso-8859-1', [0xe9]))
    await expect(read()).rejects.toMatchObject({ reason: 'malformed-answer', text: 'é' })
})
