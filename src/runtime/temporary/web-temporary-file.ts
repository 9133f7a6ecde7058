import type { CreateTemporaryFile } from './temporary-file.js'

/**
 * `#temporary-file` (`imports` of package.json) is this file where there is no file system, and `node-temporary-file.ts` on
 * Node, Deno and Bun. Uploads stay in memory here, within the limit of a body.
 */
export const createTemporaryFile: CreateTemporaryFile | undefined = undefined
