import { RESERVED } from '../emit/folders/places.js'

/** A part of a package that can be imported, by its subpath. */
export type PackagePart = {
  /** `./http`, or `./http/calls/repos/*` for several modules. */
  readonly entry: string
  /** Its code or its data in the package, `http.client.js`; with a `*` if the entry has one. */
  readonly module: string
  /** A short description. */
  readonly gives: string
}

/** The parts for the files of a package, in the order of the table, then those of its groups. */
export const packageParts = (files: readonly string[]): readonly PackagePart[] => {
  const there = new Set(files)
  return [...PARTS.filter(({ module }) => there.has(module)), ...groupParts(files)]
}

/** Modules of the runtime that are a part if certain files exist, and that no generated code imports. */
export const partsBeside = (files: readonly string[]): readonly PartBeside[] =>
  PARTS.flatMap(({ module, beside, library }) =>
    beside !== undefined && files.includes(beside) ? [{ module, library }] : [],
  )

/** A part that is a module of the runtime, and the library that it adapts. */
export type PartBeside = { readonly module: string; readonly library?: string | undefined }

/** The libraries of all such parts. Each has the name of its part. */
export const librariesBeside = (): readonly string[] =>
  PARTS.flatMap(({ library }) => (library === undefined ? [] : [library]))

const row = (entry: string, module: string, gives: string, more: Beside = {}): PartRow => ({
  ...{ entry, module, gives },
  ...more,
})

type Beside = {
  /** The generated module with which a module of the runtime is a part. */
  readonly beside?: string
  /** The library that the module adapts. */
  readonly library?: string
}

type PartRow = PackagePart & Beside

/** A new part is a row: its entry, its generated module or its module of the runtime, and a description. */
const PARTS: readonly PartRow[] = [
  row('./client', 'client.js', 'a client for each protocol'),
  row('./http', 'http.client.js', 'a client of the HTTP operations'),
  row('./http/calls', 'http.calls.js', 'each HTTP operation by itself'),
  row('./rpc', 'rpc.client.js', 'a client of the JSON-RPC methods'),
  row('./rpc/methods', 'rpc.methods.js', 'each JSON-RPC method as a separate function'),
  row('./client-package', 'client-package.js', 'the name and version that clients may send'),
  row('./server', 'server.js', 'a server, typed, with handlers to fill in'),
  row('./webhooks', 'webhooks.js', 'a receiver of webhooks and callbacks, typed'),
  row('./validators', 'validators.js', 'a check for each operation and schema'),
  row('./explanations', 'explanations.js', 'the same, with the errors of a value'),
  row('./schemas', 'schemas.js', 'the schemas in TypeBox'),
  row('./operations', 'operations.js', 'the operations as data'),
  row('./http.types', 'http.types.js', 'the types of the HTTP operations'),
  row('./rpc.types', 'rpc.types.js', 'the types of the JSON-RPC schemas'),
  row('./enums', 'enums.js', 'the named values of enums'),
  row('./oauth2', 'oauth2.js', 'the addresses of OAuth 2.0'),
  row('./viem', 'viem.js', 'chains, a schema, a transport and actions for viem'),
  row('./eip1193', 'eip1193.js', 'an EIP-1193 provider'),
  row('./contracts', 'contracts.js', 'typed calls of contracts'),
  row('./msw', 'msw.js', 'handlers for MSW, from the examples'),
  row('./fastify', 'runtime/fastify.js', 'the server as a plugin of Fastify', {
    beside: 'server.js',
    library: 'fastify',
  }),
  row('./errors', 'runtime/errors.js', 'the errors of clients and servers'),
  row('./runtime/http', 'runtime/http.js', 'creates a client of selected operations'),
  row('./runtime/rpc', 'runtime/rpc.js', 'creates a client of selected methods'),
  row('./runtime/oauth', 'runtime/oauth.js', 'obtains tokens of OAuth 2.0', {
    beside: 'oauth2.js',
  }),
  row(
    './runtime/links/http',
    'runtime/link/http-link.js',
    'carries JSON-RPC over HTTP, both ways',
    {
      beside: 'rpc.client.js',
    },
  ),
  row('./runtime/links/port', 'runtime/link/port.js', 'carries JSON-RPC over a MessagePort', {
    beside: 'rpc.client.js',
  }),
  row('./runtime/links/stdio', 'runtime/link/stdio.js', 'carries JSON-RPC over byte streams', {
    beside: 'rpc.client.js',
  }),
  row(
    './runtime/validate',
    'runtime/validate.js',
    'the types of checks, and descriptions of errors',
  ),
  row('./openapi.json', 'http.openapi.json', 'the OpenAPI document'),
  row('./openrpc.json', 'rpc.openrpc.json', 'the OpenRPC document'),
]

/** For a large document, each group is a part: its operations, and the other files of its folder. */
const groupParts = (files: readonly string[]): readonly PackagePart[] =>
  files.flatMap((file) => {
    const [group = '', name, ...below] = file.split('/')
    if (name !== 'http.calls.js' || below.length > 0 || RESERVED.has(group)) return []
    return [
      row(`./http/calls/${group}`, file, `each operation of ${group} by itself`),
      row(`./http/calls/${group}/*`, `${group}/*.js`, `the types and validators of ${group}`),
    ]
  })
