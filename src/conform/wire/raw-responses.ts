import { decode } from './decode.js'
import type { Answer } from './exchange.js'

/** The answers in what came over a connection (RFC 9112, 6), in their order; interim ones (1xx) are left out. */
export const readAnswers = (bytes: Buffer, isClosed: boolean): RawResponses => {
  const answers: Answer[] = []
  let at = 0
  while (at < bytes.length) {
    const read = readResponse(bytes.subarray(at), isClosed)
    if (read === 'broken') return { answers, rest: bytes.subarray(at), isBroken: true }
    if (read === undefined) break
    if (read.answer.status >= 200) answers.push(read.answer)
    at += read.length
  }
  return { answers, rest: bytes.subarray(at), isBroken: false }
}

export type RawResponses = {
  readonly answers: readonly Answer[]
  /** What belongs to no whole answer yet. */
  readonly rest: Uint8Array
  /** What came is no HTTP. */
  readonly isBroken: boolean
}

type Read = { readonly answer: Answer; readonly length: number }

const readResponse = (bytes: Buffer, isClosed: boolean): Read | 'broken' | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  const isHttp = bytes.subarray(0, 5).equals(HTTP.subarray(0, Math.min(5, bytes.length)))
  if (!isHttp) return 'broken'
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/\d\.\d (\d{3})/.exec(first)?.[1])
  if (Number.isNaN(status)) return 'broken'
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const of = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1]
  const from = end + 4
  const body = bytes.subarray(from)
  const whole = (content: Uint8Array, length: number): Read => ({
    answer: decode({ status, headers, body: content, milliseconds: 0 }),
    length: from + length,
  })
  if (status < 200 || status === 204 || status === 304) return whole(new Uint8Array(), 0)
  if (/chunked/i.test(of('transfer-encoding') ?? '')) {
    const chunked = readChunks(body)
    return chunked && (chunked === 'broken' ? chunked : whole(chunked.content, chunked.length))
  }
  const length = of('content-length')
  if (length === undefined) return isClosed ? whole(body, body.length) : undefined
  if (!/^\d+$/.test(length)) return 'broken'
  const size = Number(length)
  return body.length < size ? undefined : whole(body.subarray(0, size), size)
}

const HTTP = Buffer.from('HTTP/')

const readChunks = (
  bytes: Buffer,
): { readonly content: Uint8Array; readonly length: number } | 'broken' | undefined => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const [digits] = /^[\da-f]+(?=[\t ]*(?:;|$))/i.exec(bytes.toString('latin1', at, line)) ?? []
    if (digits === undefined) return 'broken'
    const size = Number.parseInt(digits, 16)
    at = line + 2
    if (size === 0) {
      const end = bytes.indexOf('\r\n\r\n', line)
      return end < 0 ? undefined : { content: Buffer.concat(parts), length: end + 4 }
    }
    if (bytes.length < at + size + 2) return undefined
    parts.push(bytes.subarray(at, at + size))
    at += size + 2
  }
}
