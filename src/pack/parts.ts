import { SHARED } from '../emit/split-by-tag/division.js'
import { BY_TAG, nameIn } from '../emit/split-by-tag/places.js'

/** A part of a package that can be imported, by its subpath. */
export type Part = {
  /** `./http`, or `./http/repos/*` for several modules. */
  readonly entry: string
  /** Its code or its data in the package, `http.client.js`; with a `*` if the entry has one. */
  readonly module: string
  /** A short description. */
  readonly gives: string
}

/** The parts for the files of a package, in the order of the table, then those of its tags. */
export const partsOf = (files: readonly string[]): readonly Part[] => {
  const there = new Set(files)
  return [...PARTS.filter(({ module }) => there.has(module)), ...tagParts(files)]
}

/** Modules of the runtime that are a part if certain files exist, and that no generated code imports. */
export const partsBeside = (files: readonly string[]): readonly PartBeside[] =>
  PARTS.flatMap(({ entry, module, beside }) =>
    beside !== undefined && files.includes(beside)
      ? [{ name: entry.slice('./'.length), module }]
      : [],
  )

/** A part for the library with this name: `fastify`. */
export type PartBeside = { readonly name: string; readonly module: string }

/** The names of all such parts. */
export const namesBeside = (): readonly string[] =>
  PARTS.flatMap(({ entry, beside }) => (beside === undefined ? [] : [entry.slice('./'.length)]))

/** A new part is a row: its generated module, or its module of the runtime, and a description. */
const PARTS: readonly (Part & { readonly beside?: string })[] = [
  { entry: './client', module: 'client.js', gives: 'a client for each protocol' },
  { entry: './http', module: 'http.client.js', gives: 'a client of the HTTP operations' },
  { entry: './rpc', module: 'rpc.client.js', gives: 'a client of the JSON-RPC methods' },
  {
    entry: './rpc/methods',
    module: 'rpc.methods.js',
    gives: 'each JSON-RPC method as a separate function',
  },
  {
    entry: './client-package',
    module: 'client-package.js',
    gives: 'the name and version that clients may send',
  },
  { entry: './server', module: 'server.js', gives: 'a server, typed, with handlers to fill in' },
  {
    entry: './validators',
    module: 'validators.js',
    gives: 'a check for each operation and schema',
  },
  {
    entry: './explanations',
    module: 'explanations.js',
    gives: 'the same, with the errors of a value',
  },
  { entry: './schemas', module: 'schemas.js', gives: 'the schemas in TypeBox' },
  { entry: './operations', module: 'operations.js', gives: 'the operations as data' },
  { entry: './http.types', module: 'http.types.js', gives: 'the types of the HTTP operations' },
  { entry: './rpc.types', module: 'rpc.types.js', gives: 'the types of the JSON-RPC schemas' },
  {
    entry: './viem',
    module: 'viem.js',
    gives: 'chains, a schema, a transport and actions for viem',
  },
  { entry: './eip1193', module: 'eip1193.js', gives: 'an EIP-1193 provider' },
  { entry: './contracts', module: 'contracts.js', gives: 'typed calls of contracts' },
  { entry: './msw', module: 'msw.js', gives: 'handlers for MSW, from the examples' },
  {
    entry: './fastify',
    module: 'runtime/fastify.js',
    beside: 'server.js',
    gives: 'the server as a plugin of Fastify',
  },
  { entry: './errors', module: 'runtime/errors.js', gives: 'the errors of clients and servers' },
  {
    entry: './runtime/http',
    module: 'runtime/http.js',
    gives: 'creates a client of selected operations',
  },
  {
    entry: './runtime/rpc',
    module: 'runtime/rpc.js',
    gives: 'creates a client of selected methods',
  },
  {
    entry: './runtime/validate',
    module: 'runtime/validate.js',
    gives: 'the types of checks, and descriptions of errors',
  },
  { entry: './openapi.json', module: 'http.openapi.json', gives: 'the OpenAPI document' },
  { entry: './openrpc.json', module: 'rpc.openrpc.json', gives: 'the OpenRPC document' },
]

/** For a large document, each tag is a part: its client, and all other files of its folder. */
const tagParts = (files: readonly string[]): readonly Part[] =>
  files.flatMap((file) => {
    const [folder, tag = '', ...rest] = file.split('/')
    if (folder !== BY_TAG || rest.join('/') !== CLIENT || tag === SHARED) return []
    return [
      { entry: `./http/${tag}`, module: file, gives: `a client of the operations tagged ${tag}` },
      {
        entry: `./http/${tag}/*`,
        module: nameIn(tag, '*.js'),
        gives: `the operations tagged ${tag}, each as a separate function`,
      },
    ]
  })

const CLIENT = 'http.client.js'
