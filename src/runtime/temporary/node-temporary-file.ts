import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreateTemporaryFile } from './web-temporary-file.js'

/**
 * A temporary file that only this process can read. Its name is removed immediately, so that it does not remain after a crash.
 */
export const createTemporaryFile: CreateTemporaryFile | undefined = async (folder = tmpdir()) => {
  const path = join(folder, `twinspec-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  // Some systems cannot remove the name of an open file.
  const isNameless = await unlink(path).then(
    () => true,
    () => false,
  )
  let end = 0
  return {
    write: async (chunk) => {
      for (let at = 0; at < chunk.byteLength; ) {
        const { bytesWritten } = await handle.write(chunk, at, chunk.byteLength - at, end)
        at += bytesWritten
        end += bytesWritten
      }
    },
    read: async (from, size) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(size, end - from)))
      if (bytes.byteLength === 0) return bytes
      const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, from)
      return bytes.subarray(0, bytesRead)
    },
    remove: async () => {
      await handle.close()
      if (!isNameless) await unlink(path)
    },
  }
}
