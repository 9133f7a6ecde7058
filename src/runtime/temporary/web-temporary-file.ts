/**
 * `#temporary-file` (`imports` of package.json) is this file on platforms without a file system, and `node-temporary-file.ts`
 * on Node, Deno and Bun. Uploads stay in memory here, within the limit of a body.
 */
export const createTemporaryFile: CreateTemporaryFile | undefined = undefined

/** A file without a name that lasts as long as one request. */
export type TemporaryFile = {
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** Reads up to `size` bytes from a position; none after the end. */
  readonly read: (from: number, size: number) => Promise<Uint8Array<ArrayBuffer>>
  readonly remove: () => Promise<void>
}

/** Undefined as `folder` means the system's own. */
export type CreateTemporaryFile = (folder: string | undefined) => Promise<TemporaryFile>
