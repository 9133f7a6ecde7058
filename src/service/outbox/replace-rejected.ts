import type { Signed } from '../wallet/sign-legacy.js'
import { isSilence } from './broadcast-result.js'
import type { OutboxItem, WalletWorker, WorkerContext } from './wallet-worker.js'

/**
 * Ends a submission that the node will never accept, and uses its nonce for a transaction that moves nothing. So
 * later ones can be mined. Both are stored together before anything is sent. False if the node does not report
 * whether it already has the submission.
 */
export async function replaceRejected(
  item: OutboxItem,
  reason: string,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<boolean> {
  const { chain, circuit, ledger, onSettled, log } = context
  // An earlier attempt without a response may have delivered it.
  let known: boolean
  try {
    known = await chain.knows(item.hash, { alone: true })
  } catch (error) {
    if (isSilence(error)) await circuit.doubt()
    return false
  }
  if (known) {
    item.sent = true
    worker.urgent = true
    context.wakeWatch()
    return true
  }
  const queueId = item.queueId as string
  const message = `the node rejected the transaction: ${reason}`
  const filler = await signFiller(item.nonce, worker, context)
  const ended = await ledger.reject({ queueId, wallet: worker.wallet, message, filler })
  if (!ended) {
    worker.stale = true
    return true
  }
  log.info(
    { wallet: worker.wallet, nonce: item.nonce, queueId, reason },
    'rejected: its nonce is to be filled',
  )
  onSettled(queueId, { status: 'error', errorMessage: message })
  putInPlace(item, filler)
  return true
}

function putInPlace(item: OutboxItem, filler: Signed): void {
  item.live = false
  item.hash = filler.hash
  item.bytes = filler.raw
  item.attempts = 0
  item.delays = 0
  item.alone = false
  item.due = 0
}

/**
 * The same for a submission that was in a final state before a reorg: that state does not change. False if it cannot be
 * replaced, because it is itself a filler.
 */
export async function fillFinal(
  item: OutboxItem,
  reason: string,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<boolean> {
  const { queueId, nonce } = item
  const filler = await signFiller(nonce, worker, context)
  if (queueId === undefined || item.hash === filler.hash) return false
  if (!(await context.ledger.fill(queueId, filler))) {
    worker.stale = true
    return true
  }
  context.log.error(
    { wallet: worker.wallet, nonce, queueId, reason },
    'the chain went back and takes it no more: its nonce is filled',
  )
  putInPlace(item, filler)
  return true
}

/** Ends a submission whose nonce another sender's transaction has spent. */
export async function yieldNonce(
  item: OutboxItem,
  worker: WalletWorker,
  context: WorkerContext,
): Promise<boolean> {
  const queueId = item.queueId as string
  const message = 'the nonce was used by another transaction of the same wallet'
  const filler = await signFiller(item.nonce, worker, context)
  const rejection = { queueId, wallet: worker.wallet, message, filler, nextNonce: worker.mined }
  const ended = await context.ledger.reject(rejection)
  if (!ended) {
    worker.stale = true
    return false
  }
  context.log.error({ wallet: worker.wallet, nonce: item.nonce, queueId }, message)
  context.onSettled(queueId, { status: 'error', errorMessage: message })
  return true
}

/** A transaction without value to the wallet itself; the same nonce always has the same bytes. */
export function signFiller(
  nonce: number,
  worker: WalletWorker,
  { wallets, chain }: WorkerContext,
): Promise<Signed> {
  const { wallet, address: to } = worker
  return wallets.wallet(wallet).sign({ chainId: chain.id, nonce, gas: 21_000n, to, data: '0x' })
}
