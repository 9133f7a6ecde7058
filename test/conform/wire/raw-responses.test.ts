import { expect, it } from 'vitest'
import { createResponseReader } from '../../../src/conform/wire/raw-responses.js'
import { cpuClock } from '../../cpu-time.js'

/** The responses in a text that arrives at once, or in pieces of so many bytes. */
const read = (text: string, isClosed = false, size = text.length) => {
  const reader = createResponseReader()
  for (let at = 0; at < text.length; at += size) reader.push(Buffer.from(text.slice(at, at + size)))
  if (isClosed) reader.end()
  const { answers, isBroken } = reader.read()
  return { bodies: answers.map(({ status, body }) => `${status} ${Buffer.from(body)}`), isBroken }
}

it.each<readonly [title: string, text: string, want: ReturnType<typeof read>, isClosed: boolean]>([
  [
    'two in a row',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 204 No Content\r\n\r\n',
    { bodies: ['200 ab', '204 '], isBroken: false },
    false,
  ],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nab\r\n3\r\ncde\r\n0\r\n\r\nHTTP/1.1',
    { bodies: ['200 abcde'], isBroken: false },
    false,
  ],
  [
    'a chunk that is not whole',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
    {
      bodies: [],
      isBroken: false,
    },
    false,
  ],
  [
    'after an interim one',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n',
    { bodies: ['413 '], isBroken: false },
    false,
  ],
  ['until the end', 'HTTP/1.0 200 OK\r\n\r\nall', { bodies: ['200 all'], isBroken: false }, true],
  ['no HTTP at all', 'hello', { bodies: [], isBroken: true }, false],
  ['only begun', 'HTT', { bodies: [], isBroken: false }, false],
])('%s', (_, text, want, isClosed) => {
  expect(read(text, isClosed)).toEqual(want)
  expect(read(text, isClosed, 1)).toEqual(want)
})

it.each(['-6', '+2', '0x2', ''])('a chunk of the size %j is no HTTP', (size) => {
  const text = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\nab\r\n0\r\n\r\n`
  expect(read(text)).toEqual({ bodies: [], isBroken: true })
})

it('reads each byte once, so that many megabytes in small pieces take no minutes', () => {
  const reader = createResponseReader()
  reader.push(Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'))
  const chunk = Buffer.from(`400\r\n${'x'.repeat(1024)}\r\n`)
  const used = cpuClock()
  for (let count = 0; count < 16 * 1024; count++) reader.push(chunk)
  reader.push(Buffer.from('0\r\n\r\n'))
  expect(reader.read().answers.map(({ body }) => body.length)).toEqual([16 * 1024 * 1024])
  expect(used()).toBeLessThan(10_000)
})

it('a head without an end is no HTTP', () => {
  expect(read(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}`, false, 65_536).isBroken).toBe(
    true,
  )
})
