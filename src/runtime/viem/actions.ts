import type { Chain } from 'viem'
import { createHttp, type HttpOptions, type HttpService } from '../http.js'
import type { Why } from '../shared/explain.js'
import { type ActionName, actionName } from './action-name.js'
import { serverOfChain } from './server-of-chain.js'

/**
 * HTTP operations as actions, for `client.extend`: each is what the HTTP client has under its id. One that bears the name
 * of something that every client of viem has goes by `nameOperation`. `Own` states them: an `ActionsOf`.
 */
export const createActions =
  <Own>(
    { servers, limits, operations }: HttpService,
    validators: object,
    ids: readonly string[],
    options: HttpOptions,
    why: Why,
  ): Extension<Own> =>
  ({ chain }) => {
    const own = Object.fromEntries(
      ids.flatMap((id) => {
        const operation = operations[id]
        return operation ? [[id, operation]] : []
      }),
    )
    const server = options.server ?? serverOfChain(servers, chain)
    const calls = createHttp<Readonly<Record<string, unknown>>>(
      { servers, limits, operations: own },
      validators,
      { ...options, server },
      why,
    )
    const named = ids.map((id) => [actionName(id), calls[id]])
    return Object.fromEntries(named) as Own
  }

/** What `client.extend` of viem takes: the client's chain says which server is meant. */
export type Extension<Own> = (client: { readonly chain?: Chain | undefined }) => Own

/** Members of an HTTP client by the names that they have as actions. */
export type ActionsOf<Client, Id extends keyof Client & string> = {
  readonly [Name in Id as ActionName<Name>]: Client[Name]
}
