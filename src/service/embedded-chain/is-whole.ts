import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/**
 * Whether a state as `anvil_dumpState` packs it is of one moment: the nonce of each sender is the number of its transactions. Anvil reads
 * blocks, transactions and accounts one after the other; a block that is mined between them is half in it, and what it did would
 * be there without its transactions. Rejects where it is not packed well.
 *
 * It is read piece by piece, since it may be larger than a string can be. All texts in it are in base 16, so that nobody can write into
 * it what is looked for here.
 */
export async function isWhole(state: Uint8Array): Promise<boolean> {
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
    // An authorisation (EIP-7702) spends a nonce too, and who signed it is not told.
    return authorised ? nonce >= count : nonce === count
  })
}

/** An account with its nonce, the sender of a transaction, the authorisations of one. */
const PATTERN =
  /"(0x[0-9a-f]{40})":\{"nonce":(\d+),|"transaction_index":\d+,"from":"(0x[0-9a-f]{40})"|"authorizationList":\[\{/g

/** Characters of the longest match. */
const LONGEST = 128
