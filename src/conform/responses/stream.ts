import type { HttpOperation } from '../../model/api.js'
import type { HttpResponse, MediaType } from '../../model/http-content.js'
import { holdsItems } from '../../runtime/shared/codecs.js'
import { createSplitter, itemOf } from '../../runtime/streams/pieces.js'
import type { ReceivedResponse } from '../../traffic/exchange.js'
import type { ResponseCheck } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { readReceivedBody } from './read.js'
import { checkValue } from './value.js'

/** Rules for a response that streams. */
export const STREAM_ANSWER_RULES: readonly Rule[] = [
  {
    id: 'stream-framing-invalid',
    level: 'error',
    purpose:
      'The items of a stream are separated as its media type requires, and no item is truncated.',
    clause: 'WHATWG HTML, 9.2.6; RFC 7464, 2; OpenAPI 3.2, Media Type Object',
    checks: ['H36'],
  },
  {
    id: 'stream-item-invalid',
    level: 'error',
    purpose: 'Each item of a stream matches the schema that the document declares for an item.',
    clause: 'OpenAPI 3.2, Media Type Object, itemSchema',
    checks: ['H36'],
  },
  {
    id: 'stream-end-missing',
    level: 'error',
    purpose:
      'A stream whose end is declared ends with it, so that clients know that it is complete.',
    clause: 'x-stream-end',
    checks: ['H36'],
  },
]

/** Checks the items received from a stream; a stream that does not end is read for a short time. */
export const checkStream = (
  check: ResponseCheck,
  answer: ReceivedResponse,
  operation: HttpOperation,
  { status, source }: HttpResponse,
  { codec: format, schema, stream }: MediaType,
): void => {
  const { report } = check
  if (!holdsItems(format) || stream === undefined) return
  const body = readReceivedBody(answer)
  const broken = (message: string, expected: string) =>
    report('stream-framing-invalid', message, expected, { aspect: status, cause: '' })
  if (body.kind === 'bytes') {
    broken(`the stream ${body.why}`, 'UTF-8')
    return
  }
  const { text } = body
  const splitter = createSplitter(format, '')
  const pieces = [...splitter.push(text), ...(answer.isOpen ? [] : splitter.end())]
  const isPreceded = format === 'sequence' && !text.trimStart().startsWith('\u001e')
  if (isPreceded && text !== '')
    broken('the stream does not begin with a record separator', 'U+001E before each item')
  const lost = answer.isOpen ? undefined : splitter.pending()
  if (lost !== undefined && lost !== stream.end)
    broken(`the stream ends within an event: ${quoted(lost)}`, 'an empty line after each event')
  const end = pieces.findIndex(({ data }) => data === stream.end)
  if (stream.end !== undefined && end === -1 && lost !== stream.end && !answer.isOpen)
    report('stream-end-missing', `the stream ends without ${stream.end}`, stream.end, {
      aspect: status,
    })
  const items = end === -1 ? pieces : pieces.slice(0, end)
  if (answer.isOpen && items.length === 0)
    check.skip(`${ownName(operation)}, the items of its stream`, 'none arrived while it was read')
  for (const [index, piece] of items.entries()) {
    const before = check.found.length
    try {
      const value = itemOf(piece, stream)
      const rule = 'stream-item-invalid'
      checkValue(check, { value, schema, operation, source, root: '', rule, aspect: status })
    } catch {
      const what = piece.isCutOff ? 'has no whitespace at its end' : 'is not JSON'
      const message = `item ${index + 1} of the stream ${what}: ${quoted(piece.data)}`
      const expected = piece.isCutOff ? 'a line feed after the number or word' : 'a JSON text'
      report('stream-item-invalid', message, expected, { aspect: status })
    }
    // Only the first invalid item is reported, because the same error usually repeats.
    if (check.found.length > before) return
  }
}
