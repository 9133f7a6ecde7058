import type { IncomingMessage } from 'node:http'
import type { BodyStream } from './request.js'

/** The body of a request of node:http. It can be iterated once; what is left of it can be iterated after `collect` gave up. */
export const nodeBody = (request: IncomingMessage): BodyStream => {
  // One iterator for the server and for what is thrown away after it: a second would see nothing.
  let chunks: AsyncIterator<Uint8Array> | undefined
  return {
    [Symbol.asyncIterator]: () => {
      chunks ??= request[Symbol.asyncIterator]()
      return chunks
    },
    collect: (limit) => collect(request, limit),
  }
}

const collect = (request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= limit) return
      request.pause()
      for (const [event, listener] of listeners) request.off(event, listener)
      resolve(undefined)
    }
    const finish = (): void => {
      const [first] = chunks
      resolve(chunks.length === 1 ? first : Buffer.concat(chunks, size))
    }
    // It comes after the end as well, when nothing is left to be settled.
    const breakOff = (): void => {
      if (!request.readableEnded) reject(new Error('The body broke off'))
    }
    const listeners = [
      ['data', take],
      ['end', finish],
      ['close', breakOff],
    ] as const
    for (const [event, listener] of listeners) request.on(event, listener)
  })
