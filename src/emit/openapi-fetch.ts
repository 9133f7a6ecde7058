import type { Api } from '../model/api.js'
import { code, doc, type File, file, imported, importedType, join, string } from './file.js'
import { httpOperations, titleOf } from './http-client.js'

/** `openapi-fetch.ts`: a client of openapi-fetch with our authentication, validation and retries. */
export function emitOpenapiFetch(api: Api): File {
  const secrets = httpOperations(api).flatMap(({ parameters }) =>
    parameters.flatMap(({ name, secret }) => (secret ? [name] : [])),
  )
  const names = join(
    [...new Set(secrets)].map((name) => string(name)),
    ' | ',
  )
  const server = importedType('HttpServer', './http.client.js')
  const auth = importedType('HttpAuth', './http.client.js')
  const type = code`${importedType('FetchClient', RUNTIME)}<${importedType('paths', './http.types.js')}, ${secrets.length > 0 ? names : 'never'}>`
  const body = code`${doc(`${titleOf(api)} through openapi-fetch: \`client.GET('/path', { params })\`.`)}
export const createFetchClient = (
  options: ${importedType('HttpOptions', 'twinspec/runtime/http')}<${server}, ${auth}> = {},
): ${type} =>
  ${imported('createFetch', RUNTIME)}(${imported('httpService', './operations.js')}, ${imported('httpValidators', './validators.js')}, options, explanations)

/** Loaded when the first value is rejected, to report why. */
const explanations = () => import('./explanations.js').then(({ httpValidators }) => httpValidators)`
  return file('openapi-fetch.ts', body)
}

export const whyNoOpenapiFetch = ({ http }: Api): string | undefined =>
  http === undefined ? 'there is no OpenAPI document' : undefined

const RUNTIME = 'twinspec/runtime/openapi-fetch'
