import type { RpcError } from 'twinspec/runtime/errors'
import { EVM_ERROR } from './node-errors.js'
import type { Send } from './send.js'

/**
 * eth_createAccessList of a call that fails while it runs, which the document answers and anvil refuses: what it touched is
 * read from two traces of it. Rejects with the refusal itself where the node cannot trace, or the call did not run.
 */
export const listOfFailure = async (
  refused: RpcError,
  trace: Send,
  [call, block = 'latest']: readonly unknown[],
  options: Parameters<Send>[1],
): Promise<unknown> => {
  if (refused.code !== 3 && !EVM_ERROR.test(refused.message)) throw refused
  try {
    const [run, state] = await Promise.all([
      trace([call, block, { tracer: 'callTracer' }], options) as Promise<Frame>,
      trace([call, block, { tracer: 'prestateTracer' }], options) as Promise<Touched>,
    ])
    const slots = new Map(
      Object.entries(state).map(([address, { storage = {} }]) => [
        address,
        Object.keys(storage).sort(),
      ]),
    )
    // Sender, recipient and precompiled contracts need no declaring unless slots of theirs were touched.
    const called = (run.calls ?? []).flatMap(addressesIn).filter((to) => !isWarm(to, run))
    const touched = [...slots].flatMap(([address, keys]) => (keys.length > 0 ? [address] : []))
    const addresses = [...new Set([...touched, ...called])].sort()
    return {
      accessList: addresses.map((address) => ({ address, storageKeys: slots.get(address) ?? [] })),
      gasUsed: run.gasUsed,
      error: run.error ?? refused.message,
    }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw refused
  }
}

type Frame = {
  readonly from?: string
  readonly to?: string
  readonly gasUsed?: string
  readonly error?: string
  readonly calls?: readonly Frame[]
}

/** Accounts as they were before, with the slots that were read or written. */
type Touched = Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>

const addressesIn = ({ to, calls = [] }: Frame): readonly string[] => [
  ...(to === undefined ? [] : [to]),
  ...calls.flatMap(addressesIn),
]

const isWarm = (address: string, { from, to }: Frame): boolean =>
  address === from || address === to || /^0x0{36}/.test(address)
