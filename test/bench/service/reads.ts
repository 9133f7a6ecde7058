import type { Row } from '../bench.js'
import { interleave, type Side, type Tell } from '../rounds.js'
import type { Scene } from './bench-service.js'
import { createLoad, rpcBody } from './load.js'

const READS = 4_000
const CALL = rpcBody('eth_chainId', [])

/** `eth_chainId` through the gateway, with and without a key, against the node itself. */
export const chainIdRows = async (
  { node, gateways, callers }: Scene,
  { rounds, report }: { readonly rounds: number; readonly report: Tell },
): Promise<readonly Row[]> => {
  const load = createLoad(32)
  const side = (name: string, url: string): Side => ({
    name,
    run: async () => {
      await load.all(READS / 8, () => [url, CALL])
      const start = performance.now()
      await load.all(READS, () => [url, CALL])
      return { milliseconds: performance.now() - start }
    },
  })
  const [direct, open, keyed] = await interleave(
    [
      side('the node itself', node.url),
      side('gateway', `${gateways[0].url}/zgt/try-it-out`),
      side('gateway, with a key', `${gateways[0].url}/zgt/${callers[0]?.key}`),
    ],
    rounds,
    report,
  )
  load.close()
  if (!direct || !open || !keyed) return []
  const what = `eth_chainId, ${READS} calls`
  return [
    { what, measured: open, against: direct },
    { what, measured: keyed, against: direct },
  ]
}
