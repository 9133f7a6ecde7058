/** How both databases read the types whose values would otherwise differ: a parser of PostgreSQL's text form for each OID. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  // int8: PGlite would return a BigInt past 2^53, and pg a string.
  20: Number,
  // bytea: PGlite's own parser takes 80 ms for 1 MB, and this one takes two.
  17: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')),
}
