import type { Api, HttpOperation } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import { cached } from '../runtime/shared/cached.js'
import { pascalCase, uniqueName } from '../text/names.js'
import { optionsType } from './client.js'
import {
  code,
  type File,
  type Fragment,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  literal,
  raw,
  string,
} from './file.js'
import { clientGroups } from './groups.js'
import { WIDTH } from './header.js'
import { codecArguments, errorGuard, WHOLE } from './http-client.js'

/**
 * `http.calls.ts`: each operation by itself, so that a bundle contains only the imported ones. Nothing here may import a client,
 * also by `import()`: bundlers would keep all validators then.
 */
export function emitHttpCalls(api: Api): File {
  const operations = httpOperations(api)
  const name = clientGroups('http', api)?.operations ?? WHOLE.client
  const types = importedType(name, './http.client.js')
  const body = code`${endpointCode(api)}

${singleClients(operations, types, singleNames(new Set()), raw('endpoint'))}

${errorGuard(WHOLE.guard, types)}`
  return file('http.calls.ts', body)
}

/** The addresses of the HTTP service and its limits. */
export const endpointCode = (api: Api): Fragment =>
  code`const endpoint: ${importedType('HttpEndpoint', RUNTIME)} = {
  servers: ${OPERATIONS}.httpServers,
  limits: ${literal(api.http?.limits ?? {}, 12, 2)},
}`

/** A function for each operation that creates a client of it alone. `types` is the type of a client that has them. */
export function singleClients(
  operations: readonly HttpOperation[],
  types: Fragment,
  nameOf: (operation: HttpOperation) => string,
  endpoint: Fragment,
): Fragment {
  const create = imported('createHttpOperation', RUNTIME)
  const all = operations.map((operation) => {
    const { id } = operation
    const name = nameOf(operation)
    const type = code`Pick<${types}, ${string(id)}>`
    const args = [
      ...[endpoint, code`${OPERATIONS}.${id}`, code`${VALIDATORS}.${id}`, raw('options')],
      ...codecArguments([operation]),
    ]
    const head = fitting(
      code`export const ${name} = (options?: Options): ${type} =>`,
      code`export const ${name} = (\n  options?: Options,\n): ${type} =>`,
    )
    const call = fitting(
      code`  ${create}(${join(args, ', ')})`,
      code`  ${create}(\n    ${join(args, ',\n')},\n  )`,
    )
    return code`${head}\n${call}`
  })
  return code`/** Options of the client of one operation. A bundle has only the operations that it imports. */
type Options = ${optionsType('http')}

${join(all, '\n\n')}`
}

/** A piece of code on one line, or on several if that is too long. */
const fitting = (line: Fragment, lines: Fragment): Fragment =>
  line.text.length <= WIDTH ? line : lines

/** `createGetPetClient` for the operation `getPet`. */
export const singleNames = (used: Set<string>): ((operation: HttpOperation) => string) => {
  const names = new Map<HttpOperation, string>()
  return (operation) =>
    cached(names, operation, () => uniqueName(`create${pascalCase(operation.id)}Client`, used))
}

const RUNTIME = 'twinspec/runtime/http'
const OPERATIONS = importedNamespace('operations', './operations.js')
const VALIDATORS = importedNamespace('validators', './validators.js')
