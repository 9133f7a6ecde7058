import type { Api } from '../../model/api.js'
import { httpOperations } from '../../model/operations.js'
import { pascalCase, uniqueName } from '../../text/names.js'
import { code, doc, type Fragment, imported, importedType, join, raw } from '../file.js'
import { clientGroups } from '../groups.js'
import { endpointCode, singleClients, singleNames } from '../http-calls.js'
import {
  clientType,
  errorGuard,
  everyOf,
  groupedClient,
  surroundings,
  titleOf,
  WHOLE,
  wholeClient,
} from '../http-client.js'
import { operationNames } from '../operation-names.js'
import type { Folders } from './folders.js'
import { type FilePart, moduleFrom, movedTo, SHARED } from './places.js'

/** `http.calls.ts` in folders: each operation by itself, and its type. `http.client.ts` and `http.calls.ts` have those of all folders. */
export function divideClient(api: Api, { groups: folders }: Folders): readonly FilePart[] {
  const used = new Set([WHOLE.guard])
  const names = operationNames(api)
  const groups = clientGroups('http', api)
  const nameOf = singleNames(new Set())
  const all = folders.map(({ name, operations }) => {
    const word = uniqueName(pascalCase(name).replace(/^(?=\d)/, '_'), used)
    const ids = new Set(operations.map(({ id }) => id))
    const types = `${word}Operations`
    const members = groups?.membersOf(types, (id) => ids.has(id)) ?? []
    return { folder: name, operations, types, guard: `is${word}Error`, word, members }
  })
  const parts = all.map(({ folder, operations, types, guard, word, members }): FilePart => {
    const comment = everyOf(`${titleOf(api)} in the folder ${folder}`)
    const grouped = code`/** The same in groups. */
export type ${word}Groups = {
  ${join(members)}
}`
    const endpoint = imported('endpoint', HERE)
    return partIn(
      folder,
      CALLS,
      code`${clientType({ name: types, operations, comment }, names)}

${members.length === 0 ? '' : grouped}

${singleClients(operations, raw(types), nameOf, endpoint)}

${errorGuard(guard, raw(types))}`,
    )
  })

  const typeOf = (name: string, folder: string) =>
    importedType(name, moduleFrom(undefined, folder, CALLS))
  const flat = join(all.map(({ types, folder }) => code`& ${typeOf(types, folder)}`))
  const grouping = all.filter(({ members }) => members.length > 0)
  const inGroups = grouping.map(({ word, folder }) => typeOf(`${word}Groups`, folder))
  const whole = code`${doc(everyOf(titleOf(api)))}
export type ${groups?.operations ?? WHOLE.client} =
  ${flat}

${groupedClient(groups, inGroups)}

${wholeClient(httpOperations(api), groups)}

export type { HttpAuth, HttpServer } from '${moduleFrom(undefined, SHARED, CALLS)}'`
  const passing = folders.map(({ name }) => `export * from '${moduleFrom(undefined, name, CALLS)}'`)
  return [
    ...parts,
    partIn(SHARED, CALLS, code`${surroundings(api)}\n\nexport ${endpointCode(api)}`),
    partIn(undefined, 'http.client.ts', whole),
    { folder: undefined, name: CALLS, body: raw(passing.join('\n')) },
  ]
}

/** A part with its imports. What all operations of the document share is in a file of its own. */
function partIn(folder: string | undefined, name: string, body: Fragment): FilePart {
  const imports = body.imports.map((one) => {
    const isShared = one.from === HERE && folder !== SHARED
    return {
      ...one,
      from: isShared ? moduleFrom(folder, SHARED, CALLS) : movedTo(folder, one.from),
    }
  })
  return { folder, name, body: { ...body, imports } }
}

const CALLS = 'http.calls.ts'
const HERE = './http.client.js'
