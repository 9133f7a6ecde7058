import { CallError } from '../ground/call-error.js'
import type { Why } from '../ground/why.js'
import type { Fault } from '../validate.js'
import { failCall, type PendingCall } from './call.js'
import { paramFaults, sayFaults } from './param-faults.js'

/**
 * Ends a call that is not sent for its params: JSON cannot carry them, or the document refuses them or has no such
 * method. Tells what reading the params throws. Never rejects.
 */
export const refuse = async (
  call: PendingCall,
  given: unknown,
  why: Why | undefined,
): Promise<void> => {
  const { method } = call
  try {
    const isKnown = method.operation.params !== undefined
    const faults = isKnown ? await paramFaults(method, given, why) : []
    const said = isKnown ? sayFaults(method.operation, faults) : 'the document has no such method'
    failCall(call, unsent(call, said, faults))
  } catch (error) {
    failCall(call, error)
  }
}

/** Ends a call that is larger than a limit, both in bytes. */
export const refuseLength = (call: PendingCall, bytes: number, most: number): void =>
  failCall(call, unsent(call, `its ${bytes} bytes exceed the limit of ${most}`))

const unsent = (
  { method }: PendingCall,
  said: string,
  faults: readonly Fault[] = [],
): CallError => {
  const operation = method.operation.method
  const message = `${operation} was not sent: ${said}`
  return new CallError({ reason: 'invalid-input', operation, message, faults })
}
