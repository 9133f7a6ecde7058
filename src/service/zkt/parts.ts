import type { Context } from 'twinspec/runtime/server'
import type { Limits } from '../access/limits.js'
import type { Compiler } from '../compiler/compiler.js'
import type { Chain } from '../node/chain.js'
import type { Outbox } from '../outbox/outbox.js'
import type { Caller } from '../turns.js'
import type { Wallet, Wallets } from '../wallet/wallets.js'

/** What submissions are made with. */
export type ZktParts = {
  readonly outbox: Outbox
  readonly chain: Chain
  readonly compiler: Compiler
  readonly wallets: Wallets
  /** The index of the wallet that signs for a request; 0 for try-it-out. */
  readonly walletOf: (context: Context) => number
  /** Who is served where callers take turns, and whether with a key. */
  readonly callerOf: (context: Context) => Caller
  /** Budgets of callers without a key. */
  readonly limits: Pick<Limits, 'take'>
  /** The chain has so much in its memory that callers without a key write no more. */
  readonly isChainFull?: () => boolean
  /** How long an answer is held for a transaction to be mined. */
  readonly waitMilliseconds: number
  /** Answers are held no longer: the service is about to end, and they must leave before it does. */
  readonly ending?: AbortSignal
}

export const signerOf = ({ wallets, walletOf }: ZktParts, context: Context): Wallet =>
  wallets.wallet(walletOf(context))
