const SAMPLES = 'node_modules/@readme/oas-examples/3.1/json'

/** Documents of other people, and our own, of which packages are made end to end. */
export const DOCUMENTS = {
  ours: { openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' },
  petstore: { openapi: `${SAMPLES}/petstore.json` },
  trains: { openapi: `${SAMPLES}/train-travel.json` },
  security: { openapi: `${SAMPLES}/security.json` },
  wallet: { openrpc: 'node_modules/@metamask/api-specs/dist/build/openrpc.json' },
}
