import { readCredentials, secretTexts, textSecrets } from '../ground/credentials.js'
import type { Deadline } from '../ground/deadline.js'
import { type Redact, redactor } from '../ground/redact.js'
import { redactCause } from '../ground/redact-value.js'
import { chooseServer, resolveServer, secretVariables } from '../ground/server-url.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../ground/written-secrets.js'
import type { Limits, RpcOperation, Server } from '../operation.js'

/**
 * Where calls go and what must not be told about it, found anew for every exchange because a secret
 * may be a function. Throws a TypeError at once where the document has no such server; the function
 * rejects with one where a variable has no value.
 */
export const createEndpoint = (service: RpcService, options: EndpointOptions): Endpoint => {
  const choice = options.server === undefined ? undefined : String(options.server)
  const inChoice = urlSecrets(choice ?? '', service.servers, [service.path])
  const headers = readHeaders(options.headers)
  const inHeaders = headerSecrets(headers)
  const server = redactThrown(redactor(inChoice), () => chooseServer(service.servers, choice))
  return async (deadline) => {
    const names = secretVariables(server)
    const credentials = await readCredentials(options.auth, names, deadline).catch((error) => {
      throw redactCause(error, redactor([...inChoice, ...inHeaders]))
    })
    const known = [
      ...inChoice,
      ...inHeaders,
      ...secretTexts(credentials),
      ...names.flatMap((name) => options.variables?.[name] ?? []),
    ]
    const url = redactThrown(redactor(known), () =>
      resolveServer(service.servers, choice, options.variables, textSecrets(credentials)),
    )
    return { url, headers, redact: redactor([...known, ...addressSecrets(url)]) }
  }
}

/** What generated `operations.ts` exports as `rpcService`. */
export type RpcService = {
  readonly servers: readonly Server[]
  readonly limits?: Limits
  /** The path of the server URLs, as a server mounts it: `/zgt/{apiKey}`. */
  readonly path: string
  readonly operations: Readonly<Record<string, RpcOperation>>
}

export type EndpointOptions = {
  readonly server?: string | URL | undefined
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  readonly auth?: object | undefined
  readonly headers?: HeadersInit | undefined
}

export type Endpoint = (deadline: Deadline) => Promise<Address>

export type Address = { readonly url: string; readonly headers: Headers; readonly redact: Redact }

const redactThrown = <T>(redact: Redact, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    // The stack holds the message as it was: a new error instead of a cause.
    throw new TypeError(redact(error instanceof Error ? error.message : String(error)))
  }
}

const readHeaders = (given: HeadersInit | undefined): Headers => {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' })
  try {
    for (const [name, value] of new Headers(given)) headers.set(name, value)
  } catch {
    // The platform's own error repeats the value, which may be a credential.
    throw new TypeError('options.headers holds a name or a value that HTTP does not allow')
  }
  return headers
}
