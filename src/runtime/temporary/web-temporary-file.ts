/**
 * `#temporary-file` (`imports` of package.json) is this file where there is no file system, and `node-temporary-file.ts` on
 * Node, Deno and Bun. Uploads stay in memory here, within the limit of a body.
 */
export const createTemporaryFile: CreateTemporaryFile | undefined = undefined

/** A file without a name that lasts as long as one request. */
export type TemporaryFile = {
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** Up to `size` bytes from a place; none behind the end. */
  readonly read: (from: number, size: number) => Promise<Uint8Array<ArrayBuffer>>
  readonly remove: () => Promise<void>
}

/** `folder` is the one of the system where it is undefined. */
export type CreateTemporaryFile = (folder: string | undefined) => Promise<TemporaryFile>
