import { CallError } from '../errors.js'
import type { HttpOperation, HttpValidators } from '../operation.js'
import { covers, streamFormat } from '../shared/media-type.js'
import { writeEnd, writeItem } from '../streams/write.js'
import { declaredKey, describeFault, encodeReply, type LooseReply } from './reply.js'
import type { ReplyStream, ServerReply } from './request.js'

/**
 * A response whose body is the items of an async iterable, written as its media type has them. An item is asked for when the
 * reader wants one. Throws where the document declares no stream for the status.
 */
export const streamReply = (
  reply: LooseReply & { readonly body: AsyncIterable<unknown> },
  operation: HttpOperation,
  { validators, report }: StreamOptions,
): ServerReply => {
  const { body, ...head } = reply
  const { status, headers } = encodeReply(head, operation)
  const key = declaredKey(Object.keys(operation.responses), status) ?? ''
  const given = headers['content-type']
  const declared = Object.entries(operation.streams?.[key] ?? {})
  const found = declared.find(([type]) => given === undefined || covers(type, given))
  const [type = '', content] = found ?? []
  const format = streamFormat(given ?? type)
  if (content === undefined || format === undefined) {
    const message = `The handler answered ${status} with an async iterable, and no stream is declared`
    throw new CallError({ reason: 'invalid-answer', operation: operation.id, message })
  }
  const iterator = body[Symbol.asyncIterator]()
  const validator = validators?.items?.[key]
  let place = 0
  let isOver = false
  const encoder = new TextEncoder()
  const write = (item: unknown): Uint8Array => {
    place += 1
    const bytes = encoder.encode(writeItem(item, format, content))
    const [fault] = validator?.check(item) === false ? validator.explain(item) : []
    if (fault === undefined) return bytes
    throw new CallError({
      reason: 'invalid-answer',
      operation: operation.id,
      message: `Item ${place} of the handler's stream does not fit its schema: ${describeFault(fault)}`,
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
  return { status, headers: { ...headers, 'content-type': given ?? type }, body: pieces }
}

type StreamOptions = {
  /** Undefined where items are not validated. */
  readonly validators: HttpValidators | undefined
  /** Receives what ends the stream before its end. */
  readonly report: (error: unknown) => void
}

const DONE = { value: undefined, done: true } as const
