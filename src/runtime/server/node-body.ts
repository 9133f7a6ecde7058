import type { IncomingMessage } from 'node:http'
import { type BodyStream, brokenOff, joinChunks, type Outcome, tooLarge } from './request.js'

/** The body of a request of node:http. What `collect` gave up can still be iterated, to throw it away. */
export const nodeBody = (request: IncomingMessage): NodeBody => {
  const body: NodeBody = Object.create(BODY)
  body.request = request
  return body
}

export type NodeBody = BodyStream & {
  request: IncomingMessage
  chunks?: AsyncIterator<Uint8Array>
  /** Read to its last byte, which node may tell of a little later. */
  isWhole: boolean
}

/** A prototype, as two functions and an object that holds them would have to be made for every request. */
const BODY: BodyStream & Pick<NodeBody, 'isWhole'> & ThisType<NodeBody> = {
  isWhole: false,
  [Symbol.asyncIterator]() {
    // One iterator for the server and for what is thrown away after it: a second would see nothing.
    this.chunks ??= this.request[Symbol.asyncIterator]()
    return this.chunks
  },
  collect(limit) {
    const { request } = this
    // With others reading too, what is left to be read is not all of it.
    if (request.readableFlowing === null && isAllThere(request)) {
      this.isWhole = true
      return readWhole(request, limit)
    }
    // What has broken off already will not say so again.
    return request.destroyed ? brokenOff() : collect(request, limit)
  },
}

/** Node tells that a request is complete only after the tick in which its last byte is there to be read. */
const isAllThere = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || (readableLength > 0 && readableLength === Number(headers['content-length']))

/** A body that has come to its end before anybody wanted it, as short ones do, needs neither events nor a promise. */
const readWhole = (request: IncomingMessage, limit: number): Outcome<Uint8Array> => {
  const bytes: Uint8Array | null = request.read()
  // A host that waits for the end hears of it only where the stream goes on.
  if (request.listenerCount('end') + request.listenerCount('close') > 0) request.resume()
  if (bytes === null) return { value: NO_BYTES }
  return bytes.byteLength > limit ? tooLarge(limit) : { value: bytes }
}

const NO_BYTES = new Uint8Array()

const collect = (request: IncomingMessage, limit: number): Promise<Outcome<Uint8Array>> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const take = (chunk: Uint8Array): void => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= limit) return
      request.pause()
      request.off('data', take).off('end', finish).off('close', breakOff)
      resolve(tooLarge(limit))
    }
    const finish = (): void => resolve({ value: joinChunks(chunks, size) })
    // It is called after the end as well, when nothing is left to be settled.
    const breakOff = (): void => resolve(brokenOff())
    request.on('data', take)
    request.on('end', finish)
    request.on('close', breakOff)
  })
