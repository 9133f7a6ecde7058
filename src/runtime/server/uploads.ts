import { createTemporaryFile } from '#temporary-file'
import type { TemporaryFile } from '../temporary/web-temporary-file.js'

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

/** The files of one request: in memory up to a number of bytes, beyond it in temporary files. */
export const createUploads = ({ memoryBytes, folder }: UploadLimits): Uploads => {
  const files: TemporaryFile[] = []
  let free = memoryBytes
  let hasFiles = false
  let isReleased = false
  return {
    receive: ({ name, type }) => {
      hasFiles = true
      const chunks: Uint8Array<ArrayBuffer>[] = []
      let file: TemporaryFile | undefined
      let size = 0
      const read = async (from: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
        if (isReleased) throw new Error(`The file ${name} was removed after the response`)
        if (file === undefined) return chunks[from]
        const bytes = await file.read(from * CHUNK, CHUNK)
        return bytes.byteLength === 0 ? undefined : bytes
      }
      return {
        write: async (chunk) => {
          size += chunk.byteLength
          free -= chunk.byteLength
          if (file === undefined && free < 0 && createTemporaryFile !== undefined) {
            file = await createTemporaryFile(folder)
            files.push(file)
            for (const one of chunks.splice(0)) {
              free += one.byteLength
              await file.write(one)
            }
          }
          if (file === undefined) return void chunks.push(new Uint8Array(chunk))
          free += chunk.byteLength
          await file.write(chunk)
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
      await Promise.all(files.splice(0).map((file) => file.remove()))
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
  /** Removes the files. */
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
