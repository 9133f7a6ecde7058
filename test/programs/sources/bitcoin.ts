import { createRpcClient } from './generated/bitcoin/rpc.client.js'

/** The newest block in its three verbosities, then a package of two transactions. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const bitcoin = createRpcClient({ server })
  const hash = await bitcoin.getbestblockhash()

  const raw = await bitcoin.getblock(hash, 0)
  if (typeof raw === 'string') print(`bytes: ${raw.length / 2}`)

  const summary = await bitcoin.getblock(hash, 1)
  if (typeof summary !== 'string' && 'hash' in summary)
    print(`height ${summary.height}: ${summary.tx.length} transactions`)

  const full = await bitcoin.getblock(hash, 2)
  if (typeof full !== 'string')
    for (const transaction of full.tx)
      if (typeof transaction !== 'string' && 'fee' in transaction) print(`fee: ${transaction.fee}`)

  const { package_msg: message, 'tx-results': results } = await bitcoin.submitpackage(['00', '01'])
  print(`package: ${message}`)
  for (const [wtxid, { txid, fees, error }] of Object.entries(results))
    print(`${wtxid}: ${error ?? txid} for ${fees?.base ?? 'nothing'}`)
}
