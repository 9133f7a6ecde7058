/** What is in the manifest of each package that was packed, so that one may be written over another. */
export const PACKED_BY = 'twinspec pack'
