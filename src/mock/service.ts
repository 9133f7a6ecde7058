import { errorSamples } from '../emit/error-samples.js'
import type { Api, Operation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { defined } from '../model/json.js'
import { nameOf } from '../model/operation-name.js'
import { isPart, operationParts, type Parts } from '../model/operation-parts.js'
import { operationRecord } from '../model/operation-record.js'
import { withSentMethods } from '../model/operations.js'
import type { HttpOperation, RpcOperation, Server } from '../runtime/operation.js'
import type { Service } from '../runtime/server.js'
import { withoutNames } from '../runtime/shared/template.js'
import { basePaths } from '../runtime/wire/routes.js'
import { type Checker, createChecker } from '../schema/check.js'

/**
 * Creates at run time what generated code passes to a server: the operations as data, and validators that interpret the
 * schemas. HTTP operations are below the paths of their servers, as on a generated server.
 */
export const createService = (
  api: Api,
  checker: Checker = createChecker(api.schemas),
): { readonly service: Service; readonly notMocked: readonly NotMocked[] } => {
  const notMocked: NotMocked[] = []
  const used = new Set(rpcPaths(api).map((path) => routeKey('POST', path)))
  const http: Record<string, HttpOperation> = {}
  const rpc: Record<string, RpcOperation> = {}
  for (const operation of api.operations) {
    const record = operationRecord(operation, api)
    if (record.kind === 'rpc') {
      rpc[record.id] = record
      continue
    }
    const free = basePaths(record.servers).filter(
      (base) => !used.has(routeKey(record.method, base + record.path)),
    )
    for (const base of free) used.add(routeKey(record.method, base + record.path))
    if (/[?#]/.test(record.path))
      notMocked.push(unreachable(operation, 'its path contains a query or a fragment'))
    else if (free.length === 0)
      notMocked.push(unreachable(operation, 'another operation has the same method and path'))
    else {
      // No caller can present the credential of a scheme that the document does not declare.
      const security = record.security.map((names) =>
        names.filter((name) => Object.hasOwn(record.schemes, name)),
      )
      http[record.id] = { ...record, servers: free.map(serverAt), security }
    }
  }
  const validators = withSentMethods(api).operations.map((one) => [
    one.id,
    validatorsOf(operationParts(one), checker),
  ])
  return {
    notMocked,
    service: {
      ...(api.http && {
        http: { servers: api.http.servers, limits: api.http.limits, operations: http },
      }),
      ...(api.rpc && {
        rpc: {
          servers: api.rpc.servers,
          limits: api.rpc.limits,
          path: api.rpc.path,
          operations: rpc,
          ...(api.serverMethods.length > 0 && { sent: sentMethods(api) }),
          ...defined({ cancel: api.rpc.cancel, progress: api.rpc.progress }),
        },
        openrpc: api.rpc.bundled,
      }),
      errors: errorSamples(api, checker),
      validators: Object.fromEntries(validators),
    },
  }
}

const sentMethods = (api: Api): Readonly<Record<string, RpcOperation>> =>
  Object.fromEntries(
    api.serverMethods.map((one) => [one.id, operationRecord(one, api) as RpcOperation]),
  )

/** The reason why the responses of an operation, given by its id, are not as documented. */
export type NotMocked = Finding & { readonly operation: string }

/** The paths of all servers of the OpenRPC document: each network may have its own. */
export const rpcPaths = ({ rpc }: Api): readonly string[] => {
  const paths = (rpc?.servers ?? []).flatMap((server) => {
    const path = /^(?:[^/?#]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(server.url)?.[1] ?? '/'
    // A default may have several segments, but a variable matches only one.
    return [path, ...basePaths([server]).map((filled) => filled || '/')]
  })
  const all = rpc ? [rpc.path, ...paths].map((path) => [routeKey('', path), path] as const) : []
  const addresses = all.map(([address]) => address)
  return all.flatMap(([address, path], at) => (addresses.indexOf(address) === at ? [path] : []))
}

/** A key that is equal for two templates that match the same requests. */
export const routeKey = (method: string, path: string): string => `${method} ${withoutNames(path)}`

const serverAt = (base: string): Server => ({ name: 'mock', url: base || '/', variables: {} })

const validatorsOf = (parts: Parts, checker: Checker): unknown =>
  Object.fromEntries(
    Object.entries(parts).map(([key, one]) => [
      key,
      isPart(one) ? checker.schema(one.schema) : validatorsOf(one, checker),
    ]),
  )

const unreachable = (operation: Operation, why: string): NotMocked => ({
  operation: operation.id,
  rule: 'operation-not-mocked',
  level: 'warning',
  location: operation.source.locate(),
  message: `${nameOf(operation)} is not mocked: ${why}`,
})
