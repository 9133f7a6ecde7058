import type { Api, HttpOperation } from '../../model/api.js'
import { pascalCase, uniqueName } from '../../model/names.js'
import { code, doc, type Fragment, importedType, join, raw } from '../file.js'
import {
  clientCalls,
  clientType,
  everyOf,
  httpOperations,
  surroundings,
  titleOf,
  variantsName,
  variantTypes,
} from '../http-client.js'
import {
  type Division,
  isPlace,
  moduleFrom,
  movedTo,
  type Part,
  passedOn,
  SHARED,
} from './division.js'

/**
 * `http.client.ts` in the folders of a division: a client of each operation by itself, one for each tag, which is those of
 * its operations together, and the whole one, which is all of them.
 */
export function divideClient(api: Api, { folders, placeOf }: Division): readonly Part[] {
  const taken = new Set(['Http'])
  const clientOf = (
    where: string | undefined,
    name: string,
    operations: readonly HttpOperation[],
  ): Client => {
    const word = uniqueName(pascalCase(name).replace(/^(?=\d)/, '_'), taken)
    const [client, create, guard] = [`${word}Client`, `create${word}Client`, `is${word}Error`]
    return { where, name: client, create, guard, variants: [], operations }
  }
  const tags = folders.map((folder) => ({
    ...folder,
    client: clientOf(folder.name, folder.name, folder.operations),
  }))
  const files = tags.flatMap(({ name, operations, client }): readonly Part[] => {
    const single = operations.map((operation) => {
      const { id } = operation
      const variants = operation.variants.length === 0 ? [] : [variantsName(operation)]
      return { operation, client: { ...clientOf(placeOf(id) ?? '', id, [operation]), variants } }
    })
    const clients = single.map((one) => one.client)
    const of = `${titleOf(api)} that is tagged ${name}`
    return [
      ...single.map((one) => clientOfOne(one.operation, one.client, api)),
      { where: name, name: NAME, body: allOf(clients, of, client) },
    ]
  })
  const clients = tags.map(({ client }) => client)
  const names = { name: 'HttpClient', create: 'createHttpClient', guard: 'isHttpError' }
  const operations = httpOperations(api)
  const whole = allOf(clients, titleOf(api), {
    ...names,
    where: undefined,
    variants: [],
    operations,
  })
  const shared = raw(`export * from '${moduleFrom(undefined, SHARED, NAME)}'`)
  return [
    { where: undefined, name: NAME, body: join([whole, shared]) },
    ...files,
    { where: SHARED, name: NAME, body: surroundings(api) },
  ]
}

type Client = {
  /** The folder or the place; the whole has neither. */
  readonly where: string | undefined
  readonly name: string
  readonly create: string
  readonly guard: string
  /** The types of its variants, where it has some. */
  readonly variants: readonly string[]
  readonly operations: readonly HttpOperation[]
}

function clientOfOne(operation: HttpOperation, client: Client, api: Api): Part {
  const { where, name } = client
  const said = `\`${operation.id}\` alone, as a function.`
  const body = code`${variantTypes([operation], api)}

${clientType({ name, operations: [operation], said })}

${calls(client)}`
  const imports = body.imports.map((one) => ({ ...one, from: movedTo(where, one.from) }))
  return { where, name: NAME, body: { ...body, imports } }
}

/** A client that is others together, whose names it passes on. */
function allOf(clients: readonly Client[], of: string, whole: Client): Fragment {
  const modules = clients.map(({ where }) => moduleFrom(whole.where, where, NAME))
  const parts = clients.map(({ name }, index) => importedType(name, modules[index] ?? ''))
  return code`${doc(everyOf(of))}
export type ${whole.name} =
  ${join(parts.map((part) => code`& ${part}`))}

${calls(whole)}

${join(clients.map((client, index) => passing(client, modules[index] ?? '')))}`
}

/** Beside the client of one operation is its record, which is passed on elsewhere. */
const passing = ({ where = '', name, create, guard, variants }: Client, module: string): Fragment =>
  raw(
    isPlace(where)
      ? passedOn([create, guard, ...[name, ...variants].map((type) => `type ${type}`)], module)
      : `export * from '${module}'`,
  )

const calls = (client: Client): Fragment => {
  const shared = moduleFrom(client.where, SHARED, NAME)
  return clientCalls(
    { ...client, client: client.name },
    {
      server: importedType('HttpServer', shared),
      auth: importedType('HttpAuth', shared),
      explanations: movedTo(client.where, './explanations.js'),
    },
  )
}

const NAME = 'http.client.ts'
