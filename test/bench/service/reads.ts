import type { Row } from '../bench.js'
import { interleave, type Side, type Tell } from '../rounds.js'
import type { Scene } from './bench-service.js'
import { createLoad, rpcBody } from './load.js'

const READS = 4_000
const CALL = rpcBody('eth_chainId', [])

/** `eth_chainId` through the gateway, with and without a key, against the node itself. */
export const chainIdRows = async (
  { node, gateways, callers }: Scene,
  options: Options,
): Promise<readonly Row[]> => {
  const [direct, open, keyed] = await race(options, {
    'the node itself': node.url,
    gateway: `${gateways[0].url}/zgt/try-it-out`,
    'gateway, with a key': `${gateways[0].url}/zgt/${callers[0]?.key}`,
  })
  if (!direct || !open || !keyed) return []
  return [
    { what: WHAT, measured: open, against: direct },
    { what: WHAT, measured: keyed, against: direct },
  ]
}

/** What the record of usage adds to a call. */
export const usageRows = async (
  { gateways, callers, startRecording }: Scene,
  options: Options,
): Promise<readonly Row[]> => {
  const recording = await startRecording()
  try {
    const [measured, against] = await race(options, {
      'gateway with --usage': `${recording.url}/zgt/${callers[0]?.key}`,
      gateway: `${gateways[0].url}/zgt/${callers[0]?.key}`,
    })
    return measured && against ? [{ what: WHAT, measured, against }] : []
  } finally {
    await recording.stop()
  }
}

type Options = { readonly rounds: number; readonly report: Tell }

const WHAT = `eth_chainId, ${READS} calls`

const race = async ({ rounds, report }: Options, urls: Readonly<Record<string, string>>) => {
  const load = createLoad(32)
  const sides = Object.entries(urls).map(
    ([name, url]): Side => ({
      name,
      run: async () => {
        await load.all(READS / 8, () => [url, CALL])
        const start = performance.now()
        await load.all(READS, () => [url, CALL])
        return { milliseconds: performance.now() - start }
      },
    }),
  )
  try {
    return await interleave(sides, rounds, report)
  } finally {
    load.close()
  }
}
