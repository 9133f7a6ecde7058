import { RpcError } from '../errors.js'
import type { RpcOperation, RpcValidators } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import type { AnyHandler, RpcContext } from '../server/handlers.js'
import { describeFault } from '../server/reply.js'
import { writeJson } from '../shared/json.js'
import { variantOf } from '../shared/sent-params.js'
import { headerOf } from '../wire/headers.js'
import {
  type DocumentedRpc,
  isSame,
  namedPairing,
  type Pairing,
  pageOf,
  pairingOf,
  preferred,
} from './documented.js'
import { constantsOf, type LooseAnswer, type LooseOverride, responsesInTurn } from './override.js'
import { fault, type MockPolicy, overrideRemedy, quotedNames } from './policy.js'

/**
 * Creates the handler of one method. The response is its override, else a documented example, else a sample. Throws a TypeError
 * for a constant override that the document does not allow.
 */
export const mockRpc = (
  operation: RpcOperation,
  { result: ofMethod, variants }: RpcValidators,
  documented: DocumentedRpc,
  override: LooseOverride | undefined,
  policy: MockPolicy,
): AnyHandler => {
  const outcome = (answer: LooseAnswer, variant = ''): Outcome => {
    const made = outcomeOf(answer, operation, documented)
    if (!policy.validate || 'error' in made) return made
    // The text is validated, in which `toJSON` and dropped members may make another value.
    const sent: unknown = JSON.parse(writeJson(made.result ?? null))
    const [first] = (variants?.[variant]?.result ?? ofMethod).explain(sent)
    if (first === undefined) return made
    const why = `the override's result does not match its schema: ${describeFault(first)}`
    throw fault(`${operation.method}: ${why}`, overrideRemedy)
  }
  for (const answer of constantsOf(override)) outcome(answer)
  const next = responsesInTurn(override)
  const answer = async (params: unknown, context: RpcContext): Promise<Outcome> => {
    const turn = await next(params, context)
    const variant = variantOf(variants, params)
    if (turn !== undefined) return outcome(turn, variant)
    const { code, example, dynamic } = preferred(headerOf(context.headers, 'prefer'))
    if (code !== undefined) return { error: documentedError(code, operation, documented) }
    if (example !== undefined && !dynamic) return exampleOf(example, operation, documented.pairings)
    const isOfVariant = (one: Pairing) => variantOf(variants, one.params) === variant
    const own = { ...documented, pairings: documented.pairings.filter(isOfVariant) }
    const pairing = dynamic ? undefined : pairingOf(own, params)
    const found = pairing ?? policy.samples?.result(operation.id, variant)
    const isDocumented = pairing !== undefined && isSame(pairing.params, params)
    if (found && 'result' in found && !isDocumented) {
      const paramValue = (name: string) =>
        Object(params)[operation.params.findIndex((one) => one.name === name)] ??
        Object(params)[name]
      return { result: pageOf(found.result, operation.pages, paramValue) }
    }
    if (found) return found
    const what = `the document has no example of a result of ${operation.method}`
    if (policy.samples)
      throw fault(
        `${what} that its schema accepts, and no value was found that it does`,
        'correct the schema, or add an example',
      )
    throw fault(what, 'pass an override')
  }
  return async (params: unknown, context: RpcContext) => {
    const outcome = await answer(params, context).catch((error: unknown) => {
      if (error instanceof RpcError) throw error
      throw new RpcError({ code: -32603, message: policy.wrong(error) })
    })
    if ('error' in outcome) throw new RpcError(outcome.error)
    // Over HTTP, nothing could carry the items.
    if (operation.subscription === undefined || context.peer === undefined) return outcome.result
    const items = policy.samples?.items
    return items?.(operation.id, variantOf(variants, params), context.signal) ?? outcome.result
  }
}

type Outcome = { readonly result: unknown } | { readonly error: ErrorObject }

const outcomeOf = (
  { result, error, example }: LooseAnswer,
  operation: RpcOperation,
  documented: DocumentedRpc,
): Outcome => {
  if (error !== undefined) return { error: documentedError(error, operation, documented) }
  return example === undefined ? { result } : exampleOf(example, operation, documented.pairings)
}

/** The example of a name. Throws a TypeError with the known names if there is none. */
export const exampleOf = (
  example: string,
  { method }: Pick<RpcOperation, 'method'>,
  pairings: readonly Pairing[],
): Pairing => {
  const found = namedPairing(pairings, example)
  if (found) return found
  const what = `the document has no example '${example}' of ${method}`
  throw fault(what, `it has ${quotedNames(pairings.map(({ name }) => name))}`)
}

/** A declared error by its code or its message, with the data of an example, else its own; any other is returned unchanged. */
export const documentedError = (
  error: number | string | ErrorObject,
  { method, errors }: Pick<RpcOperation, 'method' | 'errors'>,
  { pairings, errors: withData = [] }: DocumentedRpc,
): ErrorObject => {
  if (typeof error === 'object') return error
  const isIt = ({ code, message }: ErrorObject) => code === error || message === error
  const shown = pairings.flatMap((one) => ('error' in one ? [one.error] : []))
  const found = [...shown, ...withData, ...errors].find(isIt)
  if (found) return found
  const declared = errors.map(({ code, message }) => `${code} (${message})`).join(', ') || 'none'
  throw fault(`${method} declares no error ${error}`, `it declares ${declared}`)
}
