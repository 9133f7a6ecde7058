import type { Api } from '../../model/api.js'
import { camelCase, identifier, isReserved, uniqueName } from '../../model/names.js'
import { type Import, raw } from '../file.js'
import {
  componentsOf,
  NO_DEFINITIONS,
  NO_WEBHOOKS,
  type PrintedType,
  printHttpTypes,
} from '../openapi-types.js'
import { type Division, folderOfPlace, SHARED } from './division.js'
import { moduleFrom, type Part } from './layout.js'

/**
 * `http.types.ts` in the folders of a division: each member of `operations` and of `components.schemas` at its place,
 * beside what it refers to. Folders and the whole are made of them by inheritance.
 */
export function divideTypes(api: Api, { folders, placeOf, places }: Division): readonly Part[] {
  const { paths, schemas, operations } = printHttpTypes(api)
  const schemasAt = new Map<string | undefined, PrintedType[]>()
  for (const one of schemas) {
    const place = placeOf(one.name)
    const known = schemasAt.get(place)
    if (known) known.push(one)
    else schemasAt.set(place, [one])
  }
  const operationAt = new Map(operations.map((one) => [placeOf(one.name), one]))

  // Beside the types are checks, which are called as operations are.
  const ids = new Set(operations.map(({ name }) => name))
  const written = places.filter((place) => schemasAt.has(place) || operationAt.has(place))
  const parts = written.map((place): Part => {
    const own = schemasAt.get(place) ?? []
    const operation = operationAt.get(place)
    const uses = [...own, ...(operation ? [operation] : [])].flatMap((one) => [...one.uses])
    const others = uses.flatMap((name) => placeOf(name) ?? []).filter((other) => other !== place)
    const inherited = inherit(place, [...new Set(others)].sort(), { ids })
    const lines = [
      COMPONENTS,
      `export interface schemas${inherited.schemas} {\n${membersOf(own)}}`,
      ...(operation ? [`export interface operations {\n${operation.listed}}`] : []),
    ]
    return partOf(place, lines, inherited.imports)
  })
  const folderNames = [...folders.map((folder) => folder.name), SHARED]
  const folderParts = folderNames.map((folder): Part => {
    const own = written.filter((place) => folderOfPlace(place) === folder)
    const inherited = inherit(folder, own, { hasOperations: (place) => operationAt.has(place) })
    const lines = [
      COMPONENTS,
      `export interface schemas${inherited.schemas} {}`,
      `export interface operations${inherited.operations} {}`,
    ]
    return partOf(folder, lines, inherited.imports)
  })
  const inherited = inherit(undefined, folderNames, { hasOperations: () => true })
  const lines = [
    `${paths}${NO_WEBHOOKS}${componentsOf(schemas.length === 0 ? 'never' : 'schemas')}${NO_DEFINITIONS.trim()}`,
    `export interface schemas${inherited.schemas} {\n${membersOf(schemasAt.get(undefined))}}`,
    `export interface operations${inherited.operations} {}`,
  ]
  return [...parts, ...folderParts, partOf(undefined, lines, inherited.imports)]
}

const NAME = 'http.types.ts'

const COMPONENTS = 'export interface components {\n    schemas: schemas;\n}'

const partOf = (
  where: Part['where'],
  lines: readonly string[],
  imports: readonly Import[],
): Part => ({
  where,
  name: NAME,
  body: { ...raw(lines.join('\n')), imports },
})

/** One level in, as they are members of an interface of their own here. */
const membersOf = (schemas: readonly PrintedType[] = []): string =>
  schemas.map(({ listed }) => listed.replace(/^ {4}/gm, '')).join('')

/** What is inherited of others, and the imports that it takes. */
function inherit(
  where: Part['where'],
  others: readonly string[],
  {
    ids = new Set(),
    hasOperations = () => false,
  }: {
    /** Names that are taken beside. */
    readonly ids?: ReadonlySet<string>
    readonly hasOperations?: (other: string) => boolean
  },
) {
  const taken = new Set<string>()
  const rows = others.map((other) => {
    const name = identifier(other, camelCase)
    const word = isReserved(name) ? `${name}_` : name
    let alias = uniqueName(word, taken)
    while (ids.has(`${alias}Schemas`) || ids.has(`${alias}Operations`)) {
      alias = uniqueName(word, taken)
    }
    return { other, alias, from: moduleFrom(where, other, NAME) }
  })
  const calling = rows.filter(({ other }) => hasOperations(other))
  const extending = (names: readonly string[]) =>
    names.length === 0 ? '' : ` extends${names.map((name) => `\n    ${name}`).join(',')}`
  return {
    schemas: extending(rows.map(({ alias }) => `${alias}Schemas`)),
    operations: extending(calling.map(({ alias }) => `${alias}Operations`)),
    imports: [
      ...rows.map(({ alias, from }) => ({ name: `schemas as ${alias}Schemas`, from })),
      ...calling.map(({ alias, from }) => ({ name: `operations as ${alias}Operations`, from })),
    ].map((one): Import => ({ ...one, kind: 'type' })),
  }
}
