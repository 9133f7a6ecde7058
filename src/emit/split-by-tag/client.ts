import type { Api, HttpOperation } from '../../model/api.js'
import { httpOperations } from '../../model/operations.js'
import { pascalCase, uniqueName } from '../../text/names.js'
import { code, doc, type Fragment, importedType, join, raw } from '../file.js'
import { type ClientGroups, clientGroups } from '../groups.js'
import { moduleLine } from '../header.js'
import {
  clientCalls,
  clientType,
  everyOf,
  groupedClient,
  surroundings,
  titleOf,
  WHOLE,
} from '../http-client.js'
import { type OperationNames, operationNames } from '../operation-names.js'
import { type Division, type ModulePart, SHARED } from './division.js'
import { isPlace, moduleFrom, movedTo } from './places.js'

/**
 * `http.client.ts` in the folders of a division: a client for each operation, one for each tag with the operations of
 * that tag, and one for all.
 */
export function divideClient(api: Api, { folders, placeOf }: Division): readonly ModulePart[] {
  const used = new Set(['Http'])
  const types = operationNames(api)
  const clientOf = (
    where: string | undefined,
    name: string,
    operations: readonly HttpOperation[],
  ): Client => {
    const word = uniqueName(pascalCase(name).replace(/^(?=\d)/, '_'), used)
    const [client, create, guard] = [`${word}Client`, `create${word}Client`, `is${word}Error`]
    return { where, name: client, create, guard, operations }
  }
  const tags = folders.map((folder) => ({
    ...folder,
    client: clientOf(folder.name, folder.name, folder.operations),
  }))
  const files = tags.flatMap(({ name, operations, client }): readonly ModulePart[] => {
    const of = `${titleOf(api)} in the folder ${name}`
    const isApart = operations.some(({ id }) => isPlace(placeOf(id) ?? ''))
    if (!isApart) return [clientOfSome(operations, client, everyOf(of), types)]
    const single = operations.map((operation) => {
      const { id } = operation
      return { operation, client: clientOf(placeOf(id) ?? '', id, [operation]) }
    })
    const clients = single.map((one) => one.client)
    return [
      ...single.map(({ operation, client }) =>
        clientOfSome(
          [operation],
          client,
          `The operation \`${operation.id}\`, as a function.`,
          types,
        ),
      ),
      { where: name, name: NAME, body: allOf(clients, of, client) },
    ]
  })
  const clients = tags.map(({ client }) => client)
  const names = { name: WHOLE.client, create: WHOLE.create, guard: WHOLE.guard }
  const groups = clientGroups('http', api)
  const client = { ...names, where: undefined, operations: httpOperations(api) }
  const whole = allOf(clients, titleOf(api), client, groups)
  const shared = raw(`export * from '${moduleFrom(undefined, SHARED, NAME)}'`)
  return [
    { where: undefined, name: NAME, body: join([whole, shared]) },
    ...files,
    { where: SHARED, name: NAME, body: surroundings(api) },
    ...(groups ? [{ where: SHARED, name: 'groups.ts', body: groupsType(groups) }] : []),
  ]
}

/** Apart from the whole client, whose code the compiler checks: it would read the types of every operation. */
const groupsType = ({ operations, type }: ClientGroups): Fragment => {
  const all = importedType(operations, moduleFrom(SHARED, undefined, NAME))
  return { ...code`export type ${GROUPS.text} = ${type}`, imports: all.imports }
}

const GROUPS = importedType('HttpGroups', moduleFrom(undefined, SHARED, 'groups.ts'))

type Client = {
  /** The folder or the place; undefined for the whole document. */
  readonly where: string | undefined
  readonly name: string
  readonly create: string
  readonly guard: string
  readonly operations: readonly HttpOperation[]
}

function clientOfSome(
  operations: readonly HttpOperation[],
  client: Client,
  comment: string,
  types: (operation: HttpOperation) => OperationNames,
): ModulePart {
  const { where, name } = client
  const body = code`${clientType({ name, operations, comment }, types)}

${calls(client)}`
  const imports = body.imports.map((one) => ({ ...one, from: movedTo(where, one.from) }))
  return { where, name: NAME, body: { ...body, imports } }
}

/** A client that combines others and exports their names. */
function allOf(
  clients: readonly Client[],
  of: string,
  whole: Client,
  groups?: ClientGroups | undefined,
): Fragment {
  const modules = clients.map(({ where }) => moduleFrom(whole.where, where, NAME))
  const parts = clients.map(({ name }, index) => importedType(name, modules[index] ?? ''))
  return code`${doc(everyOf(of))}
export type ${groups?.operations ?? whole.name} =
  ${join(parts.map((part) => code`& ${part}`))}

${groupedClient(groups, GROUPS)}

${calls(whole, groups)}

${join(clients.map((client, index) => passing(client, modules[index] ?? '')))}`
}

/** The module of one operation also exports its record, which is exported elsewhere, so names are listed. */
const passing = ({ where = '', name, create, guard }: Client, module: string): Fragment =>
  raw(
    isPlace(where)
      ? moduleLine('export', [create, guard, `type ${name}`], module)
      : `export * from '${module}'`,
  )

const calls = (client: Client, groups?: ClientGroups | undefined): Fragment => {
  const shared = moduleFrom(client.where, SHARED, NAME)
  return clientCalls(
    { ...client, client: client.name },
    {
      server: importedType('HttpServer', shared),
      auth: importedType('HttpAuth', shared),
      explanations: movedTo(client.where, './explanations.js'),
    },
    groups,
  )
}

const NAME = 'http.client.ts'
