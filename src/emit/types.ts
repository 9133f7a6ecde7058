import type { Api } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import { grouped } from '../schema/grouped.js'
import { camelCase, identifier, isReserved, uniqueName } from '../text/names.js'
import { code, type File, type Fragment, file, join, raw } from './file.js'
import { type Import, moduleLine } from './header.js'
import { exportedTypes, httpOperationTypes } from './http-operation-types.js'
import {
  componentsOf,
  declarationsOf,
  IN_ALL,
  type NameOptions,
  type PrintedType,
  printedProperties,
  printHttpTypes,
  printWebhooks,
  schemaType,
  type TypesShape,
} from './openapi-types.js'
import { operationNames } from './operation-names.js'
import { type Division, folderOfPlace, type ModulePart, SHARED } from './split-by-tag/division.js'
import { isPlace, moduleFrom } from './split-by-tag/places.js'

/**
 * `http.types.ts`: the HTTP operations as openapi-typescript prints them. Each schema and each operation has its own type,
 * so that an editor shows `Block` instead of all fields of a block. The lists contain the same types. With a client, the
 * types of its calls are next to the operation.
 */
export function emitHttpTypes(api: Api, shape: TypesShape = 'openapi-typescript'): File {
  const { paths, schemas, operations } = printHttpTypes(api, shape, { used: IN_HTTP })
  const typesOf = shape === 'openapi-typescript' ? () => raw('') : callTypes(api, { used: IN_HTTP })
  const isComplete = shape !== 'client'
  const types = [
    ...(isComplete ? [interfaceOf('paths', paths), webhooksOf(api, { used: IN_HTTP })] : []),
    declarationsOf(schemas),
    componentsOf(printedProperties(schemas), shape),
    ...(isComplete ? [NO_DEFINITIONS] : []),
  ]
  const list = interfaceOf(
    'operations',
    operations.map(({ listed }) => listed),
  )
  const calls = operations.flatMap((one) => [raw(`\n${one.declaration}`), typesOf(one)])
  return file('http.types.ts', join([raw(types.join('\n')), ...calls, raw(`\n${list}`)], ''))
}

/** The types of the call of a printed operation, as lines. */
function callTypes(api: Api, options: NameOptions): (printed: PrintedType) => Fragment {
  const names = operationNames(api)
  const operations = new Map(httpOperations(api).map((one) => [one.id, one]))
  const declared = new Set([...api.schemas.keys(), ...api.operations.map(({ id }) => id)])
  return ({ name, reference, result }) => {
    const operation = operations.get(name)
    if (operation === undefined) return raw('')
    const refer = (schema: string) => schemaType(schema, options)
    const scope = { entry: reference, names: names(operation), result, refer, declared }
    return code`${httpOperationTypes(operation, scope, api.schemas)}\n`
  }
}

/**
 * `http.types.ts` in the folders of a division: each member of `operations` and of `components.schemas` at its place,
 * next to what it refers to. The interfaces of folders and of the whole document extend those of places.
 */
export function divideTypes(
  api: Api,
  { folders, placeOf, places }: Division,
  shape: TypesShape,
): readonly ModulePart[] {
  const hasClient = shape !== 'openapi-typescript'
  const { paths, schemas, operations } = printHttpTypes(api, shape)
  const typesOf = callTypes(api, {})
  const names = operationNames(api)
  const calls = new Map(
    hasClient ? httpOperations(api).map((one) => [one.id, exportedTypes(one, names)]) : [],
  )
  const schemasAt = grouped(schemas, ({ name }) => placeOf(name))
  const operationsAt = grouped(operations, ({ name }) => placeOf(name))

  // The files of places also contain checks, which have the names of operations.
  const ids = new Set(operations.map(({ name }) => name))
  const written = places.filter((place) => schemasAt.has(place) || operationsAt.has(place))
  const partAt = (where: string, inner: readonly string[]): ModulePart => {
    const own = schemasAt.get(where) ?? []
    const listed = operationsAt.get(where) ?? []
    const uses = [...own, ...listed].flatMap((one) => [...one.uses])
    const others = uses.flatMap((name) => placeOf(name) ?? []).filter((other) => other !== where)
    const inherited = inherit(where, [...new Set([...others, ...inner])].sort(), {
      ids,
      hasOperations: (other) => inner.includes(other) && operationsAt.has(other),
    })
    const exported = inner.flatMap((place) => {
      const types = (operationsAt.get(place) ?? []).flatMap(({ name }) => calls.get(name) ?? [])
      return types.length === 0
        ? []
        : moduleLine('export type', types, moduleFrom(where, place, NAME))
    })
    const lines = [
      COMPONENTS,
      `export interface schemas${inherited.schemas} {${linesOf(membersOf(own))}}`,
      ...(listed.length > 0 || !isPlace(where)
        ? [
            `export interface operations${inherited.operations} {${linesOf(listed.map((one) => one.listed).join(''))}}`,
          ]
        : []),
      ...(hasClient ? listed.map(typesOf) : []),
      ...exported,
    ]
    return partOf(where, lines, inherited.imports)
  }
  const parts = written.map((place) => partAt(place, []))
  const folderNames = [...folders.map((folder) => folder.name), SHARED]
  const folderParts = folderNames.map((folder) =>
    partAt(
      folder,
      written.filter((place) => folderOfPlace(place) === folder),
    ),
  )
  const inherited = inherit(undefined, folderNames, { hasOperations: () => true })
  const lines = [
    ...(shape === 'client' ? [] : [interfaceOf('paths', paths), webhooksOf(api), NO_DEFINITIONS]),
    componentsOf(schemas.length === 0 ? 'never' : 'schemas', shape).trim(),
    `export interface schemas${inherited.schemas} {\n${membersOf(schemasAt.get(undefined))}}`,
    `export interface operations${inherited.operations} {}`,
    ...(hasClient
      ? folders.map(({ name }) => `export type * from '${moduleFrom(undefined, name, NAME)}'`)
      : []),
  ]
  return [...parts, ...folderParts, partOf(undefined, lines, inherited.imports)]
}

const linesOf = (members: string): string => (members === '' ? '' : `\n${members}`)

/** The other names in `http.types.ts`. */
const IN_HTTP = new Set([...IN_ALL, 'paths', 'webhooks', '$defs', 'operations'])

const webhooksOf = (api: Api, options: NameOptions = {}): string =>
  interfaceOf('webhooks', printWebhooks(api, options))

const NO_DEFINITIONS = 'export type $defs = Record<string, never>\n'

const interfaceOf = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `export type ${name} = Record<string, never>\n`
    : `export interface ${name} {\n${lines.join('')}}\n`

const NAME = 'http.types.ts'

const COMPONENTS = 'export interface components {\n  schemas: schemas\n}'

const partOf = (
  where: ModulePart['where'],
  lines: readonly (string | Fragment)[],
  imports: readonly Import[],
): ModulePart => {
  const body = join(lines)
  return { where, name: NAME, body: { ...body, imports: [...body.imports, ...imports] } }
}

/** One level less deep than in `components`, because they are members of a separate interface here. */
const membersOf = (schemas: readonly PrintedType[] = []): string =>
  schemas.map(({ listed }) => listed.replace(/^ {2}/gm, '')).join('')

/** The `extends` clauses for other places and folders, and the imports that they need. */
function inherit(
  where: ModulePart['where'],
  others: readonly string[],
  {
    ids = new Set(),
    hasOperations = () => false,
  }: {
    /** Names that the same file already uses. */
    readonly ids?: ReadonlySet<string>
    readonly hasOperations?: (other: string) => boolean
  },
) {
  const used = new Set<string>()
  const rows = others.map((other) => {
    const name = identifier(other, camelCase)
    const word = isReserved(name) ? `${name}_` : name
    let alias = uniqueName(word, used)
    while (ids.has(`${alias}Schemas`) || ids.has(`${alias}Operations`)) {
      alias = uniqueName(word, used)
    }
    return { other, alias, from: moduleFrom(where, other, NAME) }
  })
  const calling = rows.filter(({ other }) => hasOperations(other))
  const extending = (names: readonly string[]) =>
    names.length === 0 ? '' : ` extends${names.map((name) => `\n  ${name}`).join(',')}`
  return {
    schemas: extending(rows.map(({ alias }) => `${alias}Schemas`)),
    operations: extending(calling.map(({ alias }) => `${alias}Operations`)),
    imports: [
      ...rows.map(({ alias, from }) => ({ name: `schemas as ${alias}Schemas`, from })),
      ...calling.map(({ alias, from }) => ({ name: `operations as ${alias}Operations`, from })),
    ].map((one): Import => ({ ...one, kind: 'type' })),
  }
}
