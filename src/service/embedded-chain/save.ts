import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import type { AnvilRpc } from './anvil.js'
import { forgetPeak, memoryOf } from './memory-limit.js'
import { type RunningAnvil, statePath } from './run-anvil.js'
import { writeState } from './state-file.js'
import type { Watch, WatchResult } from './stuck-transactions.js'
import type { SuperviseOptions } from './supervisor-messages.js'

/** Saves the state of a chain to its folder. */
export function createSaver(anvil: RunningAnvil, options: SaveOptions): Saver {
  const { folder, log, savePause = 1_000, onSaveCost } = options
  const { rpc, about, child } = anvil
  const pid = child.pid ?? 0
  let saved: unknown = anvil.isNew ? undefined : anvil.block
  let milliseconds = 0
  let stalled = 0
  let looking: Promise<unknown> = Promise.resolve()
  let isStill = false

  const dump = async (): Promise<Dump> => {
    isStill = true
    await looking
    try {
      return await dumpStill(rpc)
    } finally {
      isStill = false
    }
  }

  return {
    save: async () => {
      if ((await rpc.call('eth_blockNumber')) === saved) return
      const started = performance.now()
      await forgetPeak(pid)
      const before = await memoryOf(pid)
      for (let tries = 1; ; tries += 1) {
        const { block, state, stall } = await dump()
        if (block === undefined || !(await isConsistentState(state))) {
          if (tries === TRIES)
            throw new Error(`the response of anvil was incomplete ${TRIES} times`)
          continue
        }
        await writeState(statePath(folder), about, state)
        saved = block
        const after = await memoryOf(pid)
        if (before && after) onSaveCost?.(after.peak / before.now)
        milliseconds = performance.now() - started
        stalled = stall
        const details = { block: Number(block), bytes: state.length, ms: Math.round(milliseconds) }
        log('debug', 'the chain is saved', { ...details, stall: Math.round(stall), tries })
        return
      }
    },
    besides: async (watch) => {
      if (isStill) {
        // The call still detects a dead anvil.
        await rpc.batch([['eth_blockNumber']])
        return { mined: false, freed: 0 }
      }
      const look = watch.look()
      looking = Promise.allSettled([looking, look])
      return look
    },
    // States grow with the chain: saving takes at most a tenth of the time. anvil serves no calls meanwhile, so noticeable
    // saves take at most a hundredth of the time. Transactions that a killed anvil loses are sent again by the outbox.
    pause: () => Math.max(savePause, milliseconds * 9, stalled > NOTICED ? stalled * 99 : 0),
  }
}

type SaveOptions = Pick<SuperviseOptions, 'folder' | 'log' | 'savePause' | 'onSaveCost'>

export type Saver = {
  /** Saves the changes since the last save. Rejects if anvil does not return its state, or only an inconsistent one. */
  readonly save: () => Promise<void>
  /** Runs one look of the watch, which may mine, unless mining is stopped. */
  readonly besides: (watch: Watch) => Promise<WatchResult>
  /** Milliseconds to wait before the next save. */
  readonly pause: () => number
}

type Dump = {
  /** Undefined if a block was mined meanwhile. */
  readonly block: unknown
  readonly state: Buffer
  /** Milliseconds during which nothing was mined. */
  readonly stall: number
}

const TRIES = 5

/** Milliseconds. */
const NOTICED = 100

/** Anvil reads its state piece by piece, so it mines nothing meanwhile; new transactions wait in its pool. */
async function dumpStill(rpc: AnvilRpc): Promise<Dump> {
  const started = performance.now()
  let block: unknown
  let hex: string
  await rpc.call('evm_setAutomine', false)
  try {
    const before = await untilStill(rpc)
    hex = (await rpc.batch([['anvil_dumpState']], 600_000))[0] as string
    if ((await height(rpc)) === before) block = before
  } finally {
    // As one block, before anvil makes one for each new transaction again: with a full pool, it would make too many at once.
    await mineReady(rpc)
    await rpc.call('evm_setAutomine', true)
    await mineReady(rpc)
  }
  const stall = performance.now() - started
  return { block, state: Buffer.from(hex.slice(2), 'hex'), stall }
}

/** Waits for pending blocks. Returns the newest block, after which no more are mined. */
async function untilStill(rpc: AnvilRpc): Promise<unknown> {
  let block = await height(rpc)
  for (let still = 0, looks = 0; still < 2 && looks < LOOKS; looks += 1) {
    await pause(2)
    const next = await height(rpc)
    still = next === block ? still + 1 : 0
    block = next
    // Mines transactions that are ready, to make pending blocks sooner.
    if (still === 0) await mineReady(rpc)
  }
  return block
}

/** After this many looks, the state is read anyway: its content shows whether it is consistent. */
const LOOKS = 50

async function mineReady(rpc: AnvilRpc): Promise<void> {
  const { pending } = (await rpc.call('txpool_status')) as { pending: string }
  if (Number(pending) > 0) await rpc.call('evm_mine')
}

async function height(rpc: AnvilRpc): Promise<unknown> {
  // A call for the state of an account waits for the block in progress.
  await rpc.call('eth_getBalance', `0x${'0'.repeat(40)}`, 'latest')
  return rpc.call('eth_blockNumber')
}

/**
 * Whether a state of `anvil_dumpState` is consistent: the nonce of each sender is the number of its transactions. Anvil reads
 * blocks, transactions and accounts one after the other, so a block that is mined meanwhile may be incomplete in it. Rejects
 * if the compressed state is invalid.
 * The state is read in pieces, because it may exceed the maximum length of a string. All its texts are hexadecimal, so no
 * caller can insert the searched patterns.
 */
export async function isConsistentState(state: Uint8Array): Promise<boolean> {
  const nonces = new Map<string, number>()
  const counts = new Map<string, number>()
  let authorised = false
  let text = ''
  const pieces = Readable.from([state]).pipe(createGunzip({ chunkSize: 1_048_576 }))
  for await (const piece of pieces) {
    text += (piece as Buffer).toString('latin1')
    let end = 0
    for (const match of text.matchAll(PATTERN)) {
      end = match.index + match[0].length
      const [, account, nonce, sender] = match
      if (account !== undefined) nonces.set(account, Number(nonce))
      else if (sender !== undefined) counts.set(sender, (counts.get(sender) ?? 0) + 1)
      else authorised = true
    }
    text = text.slice(Math.max(end, text.length - LONGEST))
  }
  return [...counts].every(([sender, count]) => {
    const nonce = nonces.get(sender) ?? 0
    // An authorization (EIP-7702) spends a nonce too, and the response does not show its signer.
    return authorised ? nonce >= count : nonce === count
  })
}

/** An account with its nonce, the sender of a transaction, or the authorizations of one. */
const PATTERN =
  /"(0x[0-9a-f]{40})":\{"nonce":(\d+),|"transaction_index":\d+,"from":"(0x[0-9a-f]{40})"|"authorizationList":\[\{/g

/** The maximum length of a match in characters. */
const LONGEST = 128
