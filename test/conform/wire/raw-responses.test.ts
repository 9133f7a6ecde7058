import { expect, it } from 'vitest'
import { readAnswers } from '../../../src/conform/wire/raw-socket.js'

const read = (text: string, isClosed = false) => {
  const { answers, rest, isBroken } = readAnswers(Buffer.from(text), isClosed)
  const bodies = answers.map(({ status, body }) => `${status} ${Buffer.from(body)}`)
  return { bodies, rest: Buffer.from(rest).toString(), isBroken }
}

it.each<readonly [title: string, text: string, want: ReturnType<typeof read>, isClosed: boolean]>([
  [
    'two in a row',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 204 No Content\r\n\r\n',
    { bodies: ['200 ab', '204 '], rest: '', isBroken: false },
    false,
  ],
  [
    'in chunks',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nab\r\n3\r\ncde\r\n0\r\n\r\nHTTP/1.1',
    { bodies: ['200 abcde'], rest: 'HTTP/1.1', isBroken: false },
    false,
  ],
  [
    'a chunk that is not whole',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
    {
      bodies: [],
      rest: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
      isBroken: false,
    },
    false,
  ],
  [
    'after an interim one',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n',
    { bodies: ['413 '], rest: '', isBroken: false },
    false,
  ],
  [
    'until the end',
    'HTTP/1.0 200 OK\r\n\r\nall',
    { bodies: ['200 all'], rest: '', isBroken: false },
    true,
  ],
  ['no HTTP at all', 'hello', { bodies: [], rest: 'hello', isBroken: true }, false],
  ['only begun', 'HTT', { bodies: [], rest: 'HTT', isBroken: false }, false],
])('%s', (_, text, want, isClosed) => {
  expect(read(text, isClosed)).toEqual(want)
})

it.each(['-6', '+2', '0x2', ''])('a chunk of the size %j is no HTTP', (size) => {
  const text = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\nab\r\n0\r\n\r\n`
  expect(read(text)).toEqual({ bodies: [], rest: text, isBroken: true })
})
