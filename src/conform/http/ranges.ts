import type { HttpOperation } from '../../model/api.js'
import { headerOf } from '../../runtime/wire/headers.js'
import type { Exchange, ReceivedResponse, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Session } from '../case.js'
import { isAccepted, isNamed } from '../outcome.js'
import type { Rule } from '../rule.js'
import { assertAccess, describeExchange } from './send-malformed.js'
import type { HttpSubject } from './subject.js'

/** Rules for partial responses. */
export const RANGE_RULES: readonly Rule[] = [
  {
    id: 'range-ignored',
    level: 'warning',
    purpose: 'Where a GET declares 206, a request for an available range gets only that part.',
    clause: 'RFC 9110, 14.2; OpenAPI, Responses Object',
  },
  {
    id: 'range-invalid',
    level: 'error',
    purpose: 'A 206 response contains exactly the bytes of the whole that Content-Range names.',
    clause: 'RFC 9110, 14.4 and 15.3.7.1',
  },
  {
    id: 'range-beyond-end-accepted',
    level: 'warning',
    purpose: 'Where 416 is declared, a range that starts after the last byte is rejected with 416.',
    clause: 'RFC 9110, 15.5.17',
  },
]

/** For a GET that declares 206: the first byte, a part to the end, the last byte and a range beyond the end. */
export const rangeCases = (subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects.flatMap(({ operation, shown: [{ sent }] }) => {
    if (operation.method !== 'GET' || !isNamed(operation, 206)) return []
    const run = (session: Session) => tryRanges(session, operation, sent)
    return [{ name: `${operation.id}, parts of it`, operation, cost: 6, run }]
  })

const tryRanges = async (
  session: Session,
  operation: HttpOperation,
  shown: Sent,
): Promise<void> => {
  const headers = Object.entries(shown.headers).filter(([name]) => !/^(if-)?range$/i.test(name))
  const plain = { ...shown, headers: Object.fromEntries(headers) }
  const ask = (range: string) =>
    session.ask({ ...plain, headers: { ...plain.headers, range: `bytes=${range}` } })
  const { answer } = await assertAccess(session, plain)
  if (answer?.status !== 200) throw new NotTested('the request without a range does not get 200')
  const units = headerOf(answer.headers, 'accept-ranges') ?? 'bytes'
  if (!/\bbytes\b/i.test(units)) throw new NotTested(`Accept-Ranges of its response is ${units}`)
  const { length } = answer.body
  if (answer.isOpen || length < 2)
    throw new NotTested('its response has fewer than two bytes, or does not end')
  const wanted = [
    { range: '0-0', from: 0, to: 1 },
    { range: `${Math.floor(length / 2)}-`, from: Math.floor(length / 2), to: length },
    { range: '-1', from: length - 1, to: length },
  ]
  const parts: { readonly exchange: Exchange; readonly one: (typeof wanted)[number] }[] = []
  for (const one of wanted) parts.push({ exchange: await ask(one.range), one })
  const beyond = isNamed(operation, 416) ? await ask(`${length}-`) : undefined
  const again = await session.probe(plain)
  // If the resource changes between requests, its parts cannot be compared.
  if (!again.answer || !isSame(again.answer.body, answer.body))
    throw new NotTested('its response differs from one request to the next')
  for (const { exchange, one } of parts) {
    const { answer: part } = exchange
    const received = `bytes=${one.range} of ${length} bytes ${describeExchange(exchange)}`
    if (part?.status === 206) {
      const fault = faultOf(part, answer.body, one)
      if (fault !== undefined)
        session.report('range-invalid', exchange, {
          message: `${received}, but ${fault}`,
          expected: `Content-Range: bytes ${one.from}-${one.to - 1}/${length}, and these bytes`,
        })
    } else if (part?.status === 200 || part?.status === 416)
      session.report('range-ignored', exchange, {
        message: `${received}, but 206 is declared`,
        expected: '206 and the part',
      })
  }
  if (beyond && isAccepted(beyond, operation, session))
    session.report('range-beyond-end-accepted', beyond, {
      message: `bytes=${length}- of ${length} bytes ${describeExchange(beyond)}`,
      expected: `416 and Content-Range: bytes */${length}`,
    })
}

/** What is wrong with a part. A server may send a smaller one. */
const faultOf = (
  part: ReceivedResponse,
  whole: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): string | undefined => {
  const range = headerOf(part.headers, 'content-range')
  const type = headerOf(part.headers, 'content-type') ?? ''
  if (/^multipart\/byteranges/i.test(type))
    return 'the response to a single range is multipart/byteranges'
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(range ?? '') ?? []
  if (first === undefined)
    return range === undefined ? 'Content-Range is missing' : `Content-Range is ${range}`
  const [start, end] = [Number(first), Number(last) + 1]
  const isWithin = start === from && end > start && end <= to
  if (!isWithin || (size !== '*' && Number(size) !== whole.length))
    return `Content-Range is ${range}`
  if (part.body.length !== end - start)
    return `its body has ${part.body.length} bytes instead of ${end - start}`
  return isSame(part.body, whole.subarray(start, end))
    ? undefined
    : 'its bytes differ from those of the whole'
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
