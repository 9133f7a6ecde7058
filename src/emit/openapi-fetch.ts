import type { Api } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import { loaderDeclaration, optionsType, serviceOf } from './client.js'
import { code, doc, type File, file, imported, importedType, join, string } from './file.js'
import { titleOf } from './http-client.js'

/** `openapi-fetch.ts`: a client of openapi-fetch with our authentication, validation and retries. */
export function emitOpenapiFetch(api: Api): File {
  const secrets = httpOperations(api).flatMap(({ parameters }) =>
    parameters.flatMap(({ name, secret }) => (secret ? [name] : [])),
  )
  const names = join(
    [...new Set(secrets)].map((name) => string(name)),
    ' | ',
  )
  const type = code`${importedType('FetchClient', RUNTIME)}<${importedType('paths', './http.types.js')}, ${secrets.length > 0 ? names : 'never'}>`
  const body = code`${doc(`${titleOf(api)} through openapi-fetch: \`client.GET('/path', { params })\`.`)}
export const createFetchClient = (
  options: ${optionsType('http')} = {},
): ${type} =>
  ${imported('createFetch', RUNTIME)}(${serviceOf('http')}, ${imported('httpValidators', './validators.js')}, options, explanations)

${loaderDeclaration('http')}`
  return file('openapi-fetch.ts', body)
}

export const whyNoOpenapiFetch = ({ http }: Api): string | undefined =>
  http === undefined ? 'there is no OpenAPI document' : undefined

const RUNTIME = 'twinspec/runtime/openapi-fetch'
