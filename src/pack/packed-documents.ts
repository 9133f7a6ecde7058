/** The name and version of a package, beside its documents: what a later version is compared with. */
export const PACKED = 'documents/packed.json'

/** The documents of a package. */
export const PACKED_DOCUMENTS = {
  openapi: 'documents/http.openapi.json',
  openrpc: 'documents/rpc.openrpc.json',
}
