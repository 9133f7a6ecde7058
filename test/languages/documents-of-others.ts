const SAMPLES = 'node_modules/@readme/oas-examples/3.1/json'

/** Documents of other people, and our own, of which packages are made end to end. */
export const DOCUMENTS = {
  ours: { openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' },
  petstore: { openapi: `${SAMPLES}/petstore.json` },
  trains: { openapi: `${SAMPLES}/train-travel.json` },
  security: { openapi: `${SAMPLES}/security.json` },
  wallet: { openrpc: 'node_modules/@metamask/api-specs/dist/build/openrpc.json' },
}

/** How many of the first ten operations with a success there are: each is called. */
export const CALLS: Readonly<Record<string, number>> = {
  ...{ ours: 10, petstore: 10, trains: 7, security: 10, wallet: 10 },
}
