import { functionOf, isRead } from './contracts/functions.js'
import { outputOf } from './contracts/output.js'
import { wireValue } from './contracts/wire-value.js'
import { CallError } from './errors.js'
import type { HttpService } from './http.js'

export type { ContractCall } from './contracts/contract-call.js'

/**
 * Of a client the operations that have a variant with `x-contract-call`, each typed by the ABI lines of its call: arguments go out
 * as JSON carries them, and what a reading function returned comes back as the values of its types. Rejects as the
 * operation does, and with a CallError where call or output do not fit the ABI.
 */
export const createContractCalls = <Calls>(
  { operations }: Pick<HttpService, 'operations'>,
  client: object,
  ids: readonly (keyof Calls & string)[],
): Calls => {
  const calls = ids.map((id) => {
    const variants = Object.values(operations[id]?.variants ?? {})
    const fields = variants.find(({ contractCall }) => contractCall !== undefined)?.contractCall
    const operation = (client as Readonly<Record<string, Operation | undefined>>)[id]
    if (fields === undefined || operation === undefined)
      throw new TypeError(`${id} calls no contract, or the client does not have it`)
    const call = async (input: Input, options?: object) => {
      const { body } = input
      const given = body[fields.arguments]
      const args = Array.isArray(given) ? given : []
      const called = refusing(id, 'invalid-input', () =>
        functionOf(body[fields.abi], body[fields.method], args.length),
      )
      const sent = refusing(id, 'invalid-input', () => args.map(wireValue))
      const answer = await operation(
        { ...input, body: { ...body, [fields.arguments]: sent } },
        options,
      )
      if (!isRead(called)) return answer
      const output = refusing(id, 'invalid-answer', () =>
        outputOf(called.outputs, answer[fields.output]),
      )
      return { ...answer, [fields.output]: output }
    }
    return [id, call] as const
  })
  // What each takes and answers is stated by generated code.
  return Object.fromEntries(calls) as Calls
}

type Input = { readonly body: Readonly<Record<string, unknown>> }
type Operation = (input: Input, options?: object) => Promise<Readonly<Record<string, unknown>>>

/** What does not fit an ABI is reported as what does not fit a document. */
const refusing = <T>(
  operation: string,
  reason: 'invalid-input' | 'invalid-answer',
  work: () => T,
): T => {
  try {
    return work()
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new CallError({ reason, operation, message: `${operation}: ${said}` }, { cause })
  }
}
