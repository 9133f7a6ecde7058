import type { Bundle } from '../model/bundle.js'
import type { Document } from '../model/document.js'

/** A document, the one it becomes when it is bundled, and every file that it consists of. */
export type Family = {
  readonly kind: Kind
  readonly entry: Document
  readonly whole: Bundle
  readonly members: readonly Document[]
}

export type Kind = 'openapi' | 'openrpc'
