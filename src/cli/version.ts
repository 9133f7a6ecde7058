import { createRequire } from 'node:module'

/** Of the package, whose root lies two folders up from source and from what is built alike. */
export const version: string = createRequire(import.meta.url)('../../package.json').version
