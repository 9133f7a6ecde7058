import type { Api, HttpOperation } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import { camelCase, identifier } from '../text/names.js'
import { code, type File, type Fragment, file, join, type Printable, raw } from './file.js'
import type { Folders } from './folders/folders.js'
import { type FilePart, moduleFrom } from './folders/places.js'
import type { Import } from './header.js'
import { httpOperationTypes } from './http-operation-types.js'
import {
  componentsOf,
  declarationsOf,
  IN_ALL,
  mayBeNamed,
  type PrintedType,
  type PrintedTypesOptions,
  printedProperties,
  printHttpTypes,
  printWebhooks,
  schemaType,
  type TypesShape,
} from './openapi-types.js'
import { operationNames } from './operation-names.js'

/**
 * `http.types.ts`: the HTTP operations as openapi-typescript prints them. Each schema and each operation has its own type,
 * so that an editor shows `Block` instead of all fields of a block. The lists contain the same types. With a client, the
 * types of its calls are next to the operation.
 */
export function emitHttpTypes(
  api: Api,
  shape: TypesShape = 'openapi-typescript',
  chosen: PrintedTypesOptions['chosen'] = new Set(),
): File {
  const options = { used: IN_HTTP, chosen }
  const { paths, schemas, operations } = printHttpTypes(api, shape, options)
  const isComplete = shape !== 'client'
  const parts = [
    ...(isComplete ? [interfaceOf('paths', paths), webhooksOf(api, options)] : []),
    ...schemaTypes(schemas, shape),
    ...(isComplete ? [NO_DEFINITIONS] : []),
    ...operationTypes(operations, callTypes(api, shape, options)),
  ]
  return file(NAME, join(parts))
}

/** The types of some schemas, and their list. */
const schemaTypes = (schemas: readonly PrintedType[], shape: TypesShape): readonly string[] => [
  declarationsOf(schemas),
  componentsOf(printedProperties(schemas), shape),
]

/** The types of some operations and of their calls, and the list of these operations. */
const operationTypes = (
  operations: readonly PrintedType[],
  typesOf: (printed: PrintedType) => Fragment,
): readonly Printable[] => [
  ...operations.map((one) => join([one.declaration, typesOf(one)], '')),
  interfaceOf(
    'operations',
    operations.map(({ listed }) => listed),
  ),
]

/** The types of the call of a printed operation, as lines. */
function callTypes(
  api: Api,
  shape: TypesShape,
  options: PrintedTypesOptions,
): (printed: PrintedType) => Fragment {
  const names = operationNames(api)
  const operations = new Map(httpOperations(api).map((one) => [one.id, one]))
  const declared = new Set([...api.schemas.keys(), ...api.operations.map(({ id }) => id)])
  return ({ name, reference, result }) => {
    const operation = operations.get(name)
    if (operation === undefined || shape === 'openapi-typescript') return raw('')
    const refer = (schema: string) => schemaType(name, schema, options)
    const scope = { entry: reference, names: names(operation), result, refer, declared }
    return code`${httpOperationTypes(operation, scope, api.schemas)}\n`
  }
}

/** `http.types.ts` in folders, each with its schemas and operations. The file of the whole document has the lists of all. */
export function divideTypes(
  api: Api,
  folders: Folders,
  shape: TypesShape,
  chosen: PrintedTypesOptions['chosen'] = new Set(),
): readonly FilePart[] {
  const { folderOf, names } = folders
  const spaces = new Map(names.map((folder) => [folder, spaceOf(folder)]))
  const inOthers = [...spaces.values()].flatMap((space) => [
    `${space}Components`,
    `${space}Operations`,
  ])
  const options: PrintedTypesOptions = {
    chosen,
    used: new Set([...IN_HTTP, ...inOthers]),
    componentsFor: (type, schema) =>
      folderOf(type) === folderOf(schema)
        ? 'components'
        : `${spaces.get(folderOf(schema) ?? '')}Components`,
  }
  const { paths, schemas, operations } = printHttpTypes(api, shape, options)
  const variants = new Map(httpOperations(api).map((one) => [one.id, schemasOfVariants(one)]))
  const typesOf = callTypes(api, shape, options)

  /** The import of a schema from another folder. */
  const importOf = (folder: string, schema: string): readonly Import[] => {
    const other = folderOf(schema)
    if (other === undefined || other === folder) return []
    const name = mayBeNamed(schema, options)
      ? schema
      : `components as ${spaces.get(other)}Components`
    return [{ name, from: moduleFrom(folder, other, NAME), kind: 'type' }]
  }
  const parts = names.map((folder): FilePart => {
    const own = schemas.filter(({ name }) => folderOf(name) === folder)
    const called = operations.filter(({ name }) => folderOf(name) === folder)
    const body = join([
      ...schemaTypes(own, 'client'),
      ...(called.length === 0 ? [] : operationTypes(called, typesOf)),
    ])
    const used = new Set([
      ...[...own, ...called].flatMap(({ uses }) => [...uses]),
      ...called.flatMap(({ name }) => variants.get(name) ?? []),
    ])
    const imports = [...used].flatMap((schema) => importOf(folder, schema))
    return { folder, name: NAME, body: { ...body, imports: [...body.imports, ...imports] } }
  })

  const listing = names.filter((folder) => schemas.some(({ name }) => folderOf(name) === folder))
  const calling = names.filter((folder) => operations.some(({ name }) => folderOf(name) === folder))
  const importFrom = (folder: string, list: string, alias: string): Import => {
    const from = moduleFrom(undefined, folder, NAME)
    return { name: `${list} as ${spaces.get(folder)}${alias}`, from, kind: 'type' }
  }
  const fromAll = [
    ...listing.map((folder) => importFrom(folder, 'components', 'Components')),
    ...calling.map((folder) => importFrom(folder, 'operations', 'Operations')),
  ]
  const lists = listing.map((folder) => `\n    & ${spaces.get(folder)}Components['schemas']`)
  const extended = calling.map((folder) => `\n  ${spaces.get(folder)}Operations`)
  const whole = join([
    ...(shape === 'client'
      ? []
      : [interfaceOf('paths', paths), webhooksOf(api, { chosen }), NO_DEFINITIONS]),
    componentsOf(lists.join('') || 'never', shape),
    `export interface operations extends${extended.join(',')} {}\n`,
    ...names.map((folder) => `export type * from '${moduleFrom(undefined, folder, NAME)}'`),
  ])
  return [...parts, { folder: undefined, name: NAME, body: { ...whole, imports: fromAll } }]
}

/** The word for a folder in names of types. */
const spaceOf = (folder: string): string => identifier(folder, camelCase)

const schemasOfVariants = ({ variants }: HttpOperation): readonly string[] =>
  variants.flatMap(({ request, responses, errors }) => [request, ...responses, ...errors])

/** The other names in `http.types.ts`. */
const IN_HTTP = new Set([...IN_ALL, 'paths', 'webhooks', '$defs', 'operations'])

const webhooksOf = (api: Api, options: PrintedTypesOptions): string =>
  interfaceOf('webhooks', printWebhooks(api, options))

const NO_DEFINITIONS = 'export type $defs = Record<string, never>\n'

const interfaceOf = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `export type ${name} = Record<string, never>\n`
    : `export interface ${name} {\n${lines.join('')}}\n`

const NAME = 'http.types.ts'
