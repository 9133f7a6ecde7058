import { createTemporaryFile } from '#temporary-file'
import type { CreateTemporaryFile, TemporaryFile } from '../temporary/web-temporary-file.js'

/** A file of a request, or a whole body of bytes. It is readable until the response has been sent. */
export type UploadedFile = {
  /** The last segment of the file name that the client sent; empty if it has no name. */
  readonly name: string
  /** Its media type. */
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Each call reads the file from its beginning. */
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * The files of one request, which are received one after the other: in memory up to a number of bytes, beyond it in one temporary
 * file. A file for each part would let a few requests use all descriptors of the process.
 */
export const createUploads = ({ memoryBytes, folder }: UploadLimits): Uploads => {
  let disk: TemporaryFile | undefined
  let end = 0
  let free = memoryBytes
  let hasFiles = false
  let isReleased = false
  const append = async (create: CreateTemporaryFile, chunk: Uint8Array): Promise<void> => {
    disk ??= await create(folder)
    await disk.write(chunk)
    end += chunk.byteLength
  }
  return {
    receive: ({ name, type }) => {
      hasFiles = true
      const chunks: Uint8Array<ArrayBuffer>[] = []
      /** The place in the temporary file; undefined in memory. */
      let start: number | undefined
      let size = 0
      const read = async (at: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
        if (isReleased) throw new Error(`The file ${name} was removed after the response`)
        if (start === undefined) return chunks[at]
        const bytes = Math.min(CHUNK, size - at * CHUNK)
        return bytes > 0 ? disk?.read(start + at * CHUNK, bytes) : undefined
      }
      return {
        write: async (chunk) => {
          size += chunk.byteLength
          const isFull = start !== undefined || chunk.byteLength > free
          if (!isFull || createTemporaryFile === undefined) {
            free -= chunk.byteLength
            chunks.push(new Uint8Array(chunk))
            return
          }
          start ??= end
          for (const one of chunks.splice(0)) {
            free += one.byteLength
            await append(createTemporaryFile, one)
          }
          await append(createTemporaryFile, chunk)
        },
        finish: () => ({
          name,
          type,
          size,
          stream: () => streamOf(read),
          bytes: () => whole(read, size),
        }),
      }
    },
    hasFiles: () => hasFiles,
    release: async () => {
      isReleased = true
      const file = disk
      disk = undefined
      await file?.remove()
    },
  }
}

export type UploadLimits = {
  /** Bytes of the files of one request that are kept in memory. */
  readonly memoryBytes: number
  /** The folder of temporary files; undefined for the system's own. */
  readonly folder: string | undefined
}

export type Uploads = {
  readonly receive: (head: Pick<UploadedFile, 'name' | 'type'>) => Receiver
  readonly hasFiles: () => boolean
  /** Removes the temporary file. */
  readonly release: () => Promise<void>
}

type Receiver = {
  readonly write: (chunk: Uint8Array) => Promise<void>
  readonly finish: () => UploadedFile
}

/** The chunk at an index; undefined after the last one. */
type Read = (at: number) => Promise<Uint8Array<ArrayBuffer> | undefined>

const CHUNK = 65_536

const streamOf = (read: Read): ReadableStream<Uint8Array<ArrayBuffer>> => {
  let at = 0
  return new ReadableStream({
    pull: async (controller) => {
      const chunk = await read(at)
      at += 1
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
}

const whole = async (read: Read, size: number): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(size)
  let end = 0
  for (let at = 0; ; at += 1) {
    const chunk = await read(at)
    if (chunk === undefined) return bytes
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
}
