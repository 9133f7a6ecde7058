/** The result of a parser: the data, and the offsets of a node (or of its nearest ancestor). */
export type ParsedText = {
  readonly value: unknown
  readonly find: (segments: readonly string[]) => NodePlace
}

export type NodePlace = {
  /** The segments that exist. */
  readonly segments: readonly string[]
  /** Undefined at the top and in an array. */
  readonly key: number | undefined
  readonly value: number
}

/** Throws DocumentError at an offset of the text. */
export type Reject = (
  rule: string,
  message: string,
  offset: number,
  segments?: readonly string[],
) => never

/** Reports an error at an offset that does not keep the text from being read. */
export type ReportFault = (
  rule: string,
  message: string,
  offset: number,
  segments?: readonly string[],
) => void

/** Deeper documents are rejected, because every reader of the Api is recursive. */
export const maximumDepth = 500
