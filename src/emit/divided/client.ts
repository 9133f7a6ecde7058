import type { Api } from '../../model/api.js'
import { pascalCase, uniqueName } from '../../model/names.js'
import { code, type File, file, importedType, join, raw } from '../file.js'
import { folderHeader, header } from '../header.js'
import { clientCalls, clientType, formTypes, surroundings, titleOf } from '../http-client.js'
import { withSchemaTypes } from '../schema-types.js'
import { type Division, SHARED } from './division.js'
import { moduleFrom, nameIn } from './places.js'

/**
 * `http.client.ts` in the folders of a division: a client for each tag, which carries the operations of that tag alone,
 * and the whole one, which is all of them together.
 */
export function divideClient(api: Api, { folders }: Division): readonly File[] {
  const taken = new Set(['Http'])
  const clients = folders.map((folder) => {
    const word = uniqueName(pascalCase(folder.name).replace(/^(?=\d)/, '_'), taken)
    return { folder, name: `${word}Client`, create: `create${word}Client`, guard: `is${word}Error` }
  })
  const files = clients.map(({ folder, name, create, guard }) => {
    const from = moduleFrom(folder.name, SHARED, NAME)
    const around = {
      server: importedType('HttpServer', from),
      auth: importedType('HttpAuth', from),
    }
    const of = `${titleOf(api)} that is tagged ${folder.name}`
    const body = code`${formTypes(folder.operations, api)}

${clientType({ name, operations: folder.operations, of })}

${clientCalls({ client: name, create, guard }, around)}`
    return file(nameIn(folder.name, NAME), folderHeader(), withSchemaTypes(body))
  })

  const shared = moduleFrom(undefined, SHARED, NAME)
  const around = {
    server: importedType('HttpServer', shared),
    auth: importedType('HttpAuth', shared),
  }
  const modules = folders.map(({ name }) => moduleFrom(undefined, name, NAME))
  const parts = clients.map(({ name }, index) => importedType(name, modules[index] ?? ''))
  const doors = [...modules, shared].map((module) => raw(`export * from '${module}'`))
  const whole = code`/** Every operation of ${titleOf(api)}, as a function. */
export type HttpClient =
  ${join(parts.map((part) => code`& ${part}`))}

${clientCalls({ client: 'HttpClient', create: 'createHttpClient', guard: 'isHttpError' }, around)}

${join(doors)}`
  return [
    file(NAME, header(), whole),
    ...files,
    file(nameIn(SHARED, NAME), folderHeader(), surroundings(api)),
  ]
}

const NAME = 'http.client.ts'
