import openapi from '../../generated/http.openapi.json' with { type: 'json' }
import openrpc from '../../generated/rpc.openrpc.json' with { type: 'json' }

/** Both documents that the service keeps, each with all that it refers to. */
export const documents: { readonly openapi: object; readonly openrpc: object } = {
  openapi,
  openrpc,
}
