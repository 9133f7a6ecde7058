import { CallError } from '../errors.js'
import type { HttpOperation, HttpValidators, StreamContent } from '../operation.js'
import { codecOf, holdsItems } from '../shared/codecs.js'
import { writeJson } from '../shared/json.js'
import type { StreamFormat } from '../shared/media-type.js'
import { framedJson } from '../streams/pieces.js'
import { declaredContent } from '../wire/content.js'
import { declaredResponse, ofContent } from '../wire/status.js'
import { describeFault, encodeReply, type LooseReply } from './reply.js'
import type { ReplyStream, ServerReply } from './request.js'

/**
 * A response with the items of an async iterable as its body, in the format of its media type. An item is requested when the
 * reader needs one. Throws if the document declares no stream for the status.
 */
export const streamReply = (
  reply: LooseReply & { readonly body: AsyncIterable<unknown> },
  operation: HttpOperation,
  { validators, report }: StreamOptions,
): ServerReply => {
  const { body, ...head } = reply
  const { status, headers } = encodeReply(head, operation, {})
  const response = declaredResponse(operation.responses, status)
  const contentType = headers['content-type']
  const streams = (response?.content ?? []).filter(({ stream }) => stream !== undefined)
  const declared = contentType === undefined ? streams[0] : declaredContent(streams, contentType)
  const content = declared?.stream
  const format = contentType === undefined ? declared?.codec : codecOf(contentType)
  if (content === undefined || format === undefined || !holdsItems(format)) {
    const message = `The handler returned ${status} with an async iterable, but no stream is declared`
    throw new CallError({ reason: 'invalid-answer', operation: operation.id, message })
  }
  const iterator = body[Symbol.asyncIterator]()
  const validator = ofContent(validators?.items, response?.status, declared?.type)
  let place = 0
  let isOver = false
  const encoder = new TextEncoder()
  const write = (item: unknown): Uint8Array => {
    place += 1
    const bytes = encoder.encode(writeItem(item, format, content))
    const sent = operation.bigints === undefined ? item : JSON.parse(writeJson(item))
    const [fault] = validator?.check(sent) === false ? validator.explain(sent) : []
    if (fault === undefined) return bytes
    throw new CallError({
      reason: 'invalid-answer',
      operation: operation.id,
      message: `Item ${place} of the handler's stream does not match its schema: ${describeFault(fault)}`,
      issues: [fault],
    })
  }
  const stop = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    await iterator.return?.()
  }
  const pieces: ReplyStream = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (isOver) return DONE
        try {
          const step = await iterator.next()
          if (isOver) return DONE
          if (!step.done) return { value: write(step.value), done: false }
          isOver = true
          const end = writeEnd(format, content)
          return end === '' ? DONE : { value: encoder.encode(end), done: false }
        } catch (error) {
          report(error)
          stop().catch(report)
          throw error
        }
      },
      return: async () => {
        await stop()
        return DONE
      },
    }),
  }
  return {
    status,
    headers: { ...headers, 'content-type': contentType ?? declared?.type ?? '' },
    body: pieces,
  }
}

type StreamOptions = {
  /** Undefined if items are not validated. */
  readonly validators: HttpValidators | undefined
  /** Receives the error that ends the stream early. */
  readonly report: (error: unknown) => void
}

const DONE = { value: undefined, done: true } as const

/** The text of an item in its media type. Throws a TypeError for a value that the media type cannot represent. */
const writeItem = (item: unknown, format: StreamFormat, content: StreamContent): string => {
  if (format !== 'events') return framedJson(jsonOf(item), format)
  if (content.item === 'data') return `${writeData(item, content)}\n`
  const { data, event, id, retry } = Object(item) as Readonly<Record<string, unknown>>
  const fields = Object.entries({ event, id, retry }).map(([name, value]) =>
    value === undefined || value === null ? '' : writeField(name, String(value)),
  )
  return `${fields.join('')}${data === undefined ? '' : writeData(data, content)}\n`
}

/** The text of the declared end of a stream. */
const writeEnd = (format: StreamFormat, { end }: StreamContent): string => {
  if (end === undefined) return ''
  return format === 'events' ? `${dataLines(end)}\n` : framedJson(end, format)
}

const writeData = (value: unknown, { data }: StreamContent): string => {
  const isText = data !== 'json' && typeof value === 'string'
  return dataLines(isText ? value : jsonOf(value))
}

/** The field `data` of an event, which has a line for each line of the text. */
export const dataLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')

const writeField = (name: string, value: string): string => {
  if (/[\r\n\0]/.test(value))
    throw new TypeError(`the field ${name} of an event has a line end or a NUL: remove it`)
  return `${name}: ${value}\n`
}

const jsonOf = (value: unknown): string => {
  const text: string | undefined = writeJson(value)
  if (text === undefined)
    throw new TypeError(`an item of a stream is ${typeof value}, which JSON cannot represent`)
  return text
}
