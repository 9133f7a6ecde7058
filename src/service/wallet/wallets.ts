import { pbkdf2Sync } from 'node:crypto'
import { bytesToHex, type Hex } from 'viem'
import { HDKey, privateKeyToAddress } from 'viem/accounts'
import { inThread, LARGE } from '../thread/in-thread.js'
import { checkedMnemonic } from './mnemonic.js'
import { type Signed, signLegacy, type Unsigned } from './sign-legacy.js'

/** The wallets of a BIP-39 mnemonic in English, without a passphrase. Throws a UsageError if it is invalid. */
export function createWallets(mnemonic: string): Wallets {
  const account = HDKey.fromMasterSeed(seedOf(checkedMnemonic(mnemonic))).derive("m/44'/60'/0'/0")
  const recent = new Map<number, Wallet>()
  return {
    wallet: (index) => {
      const wallet = recent.get(index) ?? derive(account, index)
      // A Map keeps its order of insertion, so the first one is the least recently used.
      recent.delete(index)
      recent.set(index, wallet)
      if (recent.size > MOST_WALLETS) recent.delete(recent.keys().next().value ?? index)
      return wallet
    },
  }
}

/** Wallets derived from one mnemonic by index (BIP-44, m/44'/60'/0'/0/index), so that no private key is stored. */
export type Wallets = {
  /** Index 0 signs for try-it-out; each API key has its own index, from 1 on. */
  readonly wallet: (index: number) => Wallet
}

export type Wallet = {
  readonly index: number
  /** In checksum letter case (EIP-55). */
  readonly address: Hex
  /** Signs a legacy transaction with gas price 0 and value 0 for the chain (EIP-155). */
  readonly sign: (transaction: Unsigned) => Promise<Signed>
}

/** Deriving a wallet takes as long as signing; this many fit into a megabyte. */
const MOST_WALLETS = 1_000

/** BIP-39 with Node's crypto: the JavaScript implementation takes a hundred times as long. */
function seedOf(mnemonic: string): Uint8Array {
  return pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2_048, 64, 'sha512')
}

function derive(account: HDKey, index: number): Wallet {
  if (!Number.isInteger(index) || index < 0 || index >= FIRST_HARDENED) {
    throw new RangeError(`there is no wallet ${index}: indexes go from 0 to ${FIRST_HARDENED - 1}`)
  }
  const { privateKey } = account.deriveChild(index)
  if (!privateKey) throw new RangeError(`there is no wallet ${index}`)
  const secret = bytesToHex(privateKey)
  return {
    index,
    address: privateKeyToAddress(secret),
    sign: (transaction) =>
      transaction.data.length < LARGE
        ? signLegacy(transaction, secret)
        : inThread('signLegacy', transaction, secret),
  }
}

/** BIP-32: indexes from here on are hardened. */
const FIRST_HARDENED = 2 ** 31
