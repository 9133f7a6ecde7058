import type { Api, HttpOperation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { credentialNames } from '../../runtime/client-options.js'
import type { SecurityScheme } from '../../runtime/operation.js'
import { secretVariables } from '../../runtime/shared/server-url.js'
import { uniqueName } from '../../text/names.js'
import type { File } from '../file.js'
import { httpClient } from './http-client.js'
import type { GoMethods } from './methods.js'
import { exportedName, goPackageName } from './names.js'
import { type GoResults, httpResults } from './results.js'
import { rpcClient } from './rpc-client.js'
import { createGoTypes, type GoTypes } from './types.js'

/** How a Go module is called. */
export type GoModule = {
  /** The path of the module: `example.com/acme/orders`; by default the title in lower case. */
  readonly module?: string | undefined
}

/** The names and types of a Go module. */
export type GoPackage = {
  readonly module: string
  /** The name of the package. */
  readonly name: string
  readonly types: GoTypes
  readonly resultsOf: (operation: HttpOperation) => GoResults
  /** The bodies of the files of clients. */
  readonly clients: readonly File[]
  readonly methods: GoMethods
  readonly options: {
    /** Name of a server -> its constant. */
    readonly servers: ReadonlyMap<string, string>
    readonly credentials: readonly GoCredential[]
  }
}

/** A credential, and the option that sets it: `WithAPIKey`. */
export type GoCredential = {
  readonly name: string
  readonly option: string
  /** Whether it is a user with a password. */
  readonly isBasic: boolean
}

export const goPackage = (api: Api, options: GoModule = {}): GoPackage => {
  const module = options.module ?? goPackageName(api.title)
  const types = createGoTypes(api)
  const results = new Map<string, GoResults>()
  const resultsOf = (operation: HttpOperation): GoResults => {
    const found = results.get(operation.id) ?? httpResults(operation, types)
    results.set(operation.id, found)
    return found
  }
  const methods: GoMethods = new Map()
  // The clients declare the types that they need, so they are first.
  const clients = [
    ...(httpOperations(api).length > 0
      ? [{ name: 'http_client.go', text: httpClient(api, types, resultsOf, methods) }]
      : []),
    ...(rpcOperations(api).length > 0
      ? [{ name: 'rpc_client.go', text: rpcClient(api, types, methods) }]
      : []),
  ]
  return {
    ...{ module, name: goPackageName(module), types, resultsOf, clients, methods },
    options: optionNames(api, types),
  }
}

const optionNames = (api: Api, types: GoTypes): GoPackage['options'] => {
  const operations = httpOperations(api)
  const schemes: Readonly<Record<string, SecurityScheme>> = Object.assign(
    {},
    ...operations.map((one) => one.schemes),
  )
  const servers = [...(api.http?.servers ?? []), ...(api.rpc?.servers ?? [])]
  const all = [...servers, ...operations.flatMap((one) => one.servers)]
  const names = [
    ...new Set([...all.flatMap(secretVariables), ...operations.flatMap(credentialNames)]),
  ]
  const used = new Set<string>()
  return {
    credentials: names.map((name) => ({
      name,
      option: types.name(`With${exportedName(name)}`),
      isBasic: schemes[name]?.kind === 'basic',
    })),
    servers: new Map(
      [...new Set(servers.map(({ name }) => name))].map((name) => [
        name,
        types.name(uniqueName(`Server${exportedName(name)}`, used)),
      ]),
    ),
  }
}
