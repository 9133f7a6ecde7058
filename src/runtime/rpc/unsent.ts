import type { CallError } from '../shared/call-error.js'
import type { Why } from '../shared/load-explanations.js'
import type { Fault } from '../validate.js'
import type { PendingCall } from './call.js'
import { loaded } from './loaded.js'
import { paramFaults, sayFaults } from './param-faults.js'

/**
 * Ends a call that is not sent: JSON cannot carry its params, the document refuses them or has no such method, or nothing
 * is there to check them. Tells what reading the params throws. Never rejects.
 */
export const refuse = async (
  call: PendingCall,
  given: unknown,
  why: Why | undefined,
): Promise<void> => {
  const { operation, middle } = call.method
  try {
    const isCallable = middle !== undefined
    const faults = isCallable ? await paramFaults(call.method, given, why) : []
    const said = isCallable
      ? sayFaults(operation, faults)
      : operation.id === undefined
        ? 'the document has no such method'
        : `no validators for ${operation.method}: give the generated ones, or switch validation off`
    loaded.settle(call, 'reject', unsent(call, said, faults))
  } catch (error) {
    loaded.settle(call, 'reject', error)
  }
}

/** Ends a call that is larger than a limit, both in bytes. */
export const refuseLength = (call: PendingCall, bytes: number, most: number): void =>
  loaded.settle(call, 'reject', unsent(call, `its ${bytes} bytes exceed the limit of ${most}`))

const unsent = (
  { method }: PendingCall,
  said: string,
  faults: readonly Fault[] = [],
): CallError => {
  const operation = method.operation.method
  const message = `${operation} was not sent: ${said}`
  return new loaded.CallError({ reason: 'invalid-input', operation, message, faults })
}
