import type { Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { MNEMONIC } from '../../trials/service-process.js'
import type { Row } from '../bench.js'
import { interleave, median, type Side, type Tell } from '../rounds.js'
import { type Scene, WALLETS } from './bench-service.js'
import { processorTime, untilQuiet } from './gateway-figures.js'
import { createLoad, type Load, rpcBody } from './load.js'
import { noncesOf, sum, untilMined } from './mined.js'

/**
 * Messages through the gateway against the node alone with the same work: from the first request until the last is answered,
 * and until the last is mined.
 */
export const writeRows = async (scene: Scene, options: Options): Promise<readonly Row[]> => {
  const load = createLoad(CONCURRENCY)
  const [alone] = scene.gateways
  const sides = [
    sentStraight(scene, options, load),
    submitted('gateway on PostgreSQL', [alone.url], scene, options, load),
  ]
  const [direct, through] = await measure(sides, options)
  load.close()
  if (!direct || !through) return []
  const what = workOf(options)
  return [
    // Half of the node's own rate is twice its time.
    { what: `${what}, mined`, measured: through.mined, against: direct.mined, atMost: 2 },
    { what: `${what}, answered`, measured: through.answered, against: direct.answered },
  ]
}

/** The same messages handed to two gateways in turn, against one. */
export const oneAndTwoGateways = async (
  scene: Scene,
  options: Options,
): Promise<readonly Row[]> => {
  const load = createLoad(CONCURRENCY)
  const urls = scene.gateways.map(({ url }) => url)
  const sides = [
    submitted('one gateway', urls.slice(0, 1), scene, options, load),
    submitted('two gateways', urls, scene, options, load),
  ]
  const [one, two] = await measure(sides, options)
  load.close()
  if (!one || !two) return []
  return [{ what: `${workOf(options)}, mined`, measured: two.mined, against: one.mined }]
}

type Options = { readonly rounds: number; readonly writes: number; readonly report: Tell }

const CONCURRENCY = 32

const workOf = ({ writes }: Options): string => `${writes} messages of ${WALLETS} wallets`

const measure = async (sides: readonly WriteSide[], { rounds, writes, report }: Options) => {
  // A service that is started once and runs for months is not judged by its first second.
  await interleave(sides, WARMING, (progress) => report(`warming up, ${progress}`))
  for (const { measured } of sides) measured.length = 0
  const measured = await interleave(sides, rounds, report)
  return measured.map((one, index) => {
    const measured = sides[index]?.measured ?? []
    const used = median(measured.map(({ processor }) => processor)) / writes
    const own = used > 0 ? `, ${used.toFixed(2)} ms of CPU each` : ''
    const named = (milliseconds: number) => {
      const rate = Math.round((writes / milliseconds) * 1_000)
      return { name: `${one.name} (${rate}/s${own})`, milliseconds }
    }
    return {
      mined: named(one.milliseconds),
      answered: named(median(measured.map(({ answered }) => answered))),
    }
  })
}

const WARMING = 2

/** What a round tells besides the time until all was mined. */
type WriteSide = Side & { readonly measured: Measured[] }

type Measured = {
  /** Milliseconds until the last request was answered. */
  readonly answered: number
  /** Milliseconds that the gateways had of the processors, until they knew that all was mined. */
  readonly processor: number
}

/** Wallets of the bench, beyond those that the gateway signs with. */
const strangers = Array.from({ length: WALLETS }, (_, index) =>
  mnemonicToAccount(MNEMONIC, { addressIndex: 1_000_000 + index }),
)

const sentStraight = ({ node }: Scene, { writes }: Options, load: Load): WriteSide => {
  const measured: Measured[] = []
  return {
    name: 'signed before, straight to the node',
    measured,
    run: async () => {
      const addresses = strangers.map(({ address }) => address)
      const nonces = await noncesOf(load, node.url, addresses)
      const bodies: string[] = []
      for (let index = 0; index < writes; index += 1) {
        const wallet = index % WALLETS
        const account = strangers[wallet] as (typeof strangers)[number]
        const raw = await account.signTransaction({
          type: 'legacy',
          chainId: 20180427,
          nonce: (nonces[wallet] ?? 0) + Math.floor(index / WALLETS),
          gas: 30_000n,
          gasPrice: 0n,
          to: account.address,
          data: `0x${Buffer.from(text(index)).toString('hex')}`,
        })
        bodies.push(rpcBody('eth_sendRawTransaction', [raw]))
      }
      const { answered, milliseconds } = await timed(load, node.url, addresses, writes, (index) => [
        node.url,
        bodies[index] as string,
      ])
      measured.push({ answered, processor: 0 })
      return { milliseconds }
    },
  }
}

const submitted = (
  name: string,
  urls: readonly string[],
  scene: Scene,
  { writes }: Options,
  load: Load,
): WriteSide => {
  const measured: Measured[] = []
  return {
    name,
    measured,
    run: async () => {
      const before = await processorTime(urls)
      const { node, callers } = scene
      const signers = callers.map(({ address }) => address)
      const { answered, milliseconds } = await timed(load, node.url, signers, writes, (index) => [
        `${urls[index % urls.length]}/zkt/${callers[index % callers.length]?.key}`,
        JSON.stringify({ arguments: text(index) }),
      ])
      // Who waits to learn that they are mined is not waited for, but counts in what was used.
      await untilQuiet(scene)
      measured.push({ answered, processor: (await processorTime(urls)) - before })
      return { milliseconds }
    },
  }
}

/** From the first request until the chain has all, and no more. */
const timed = async (
  load: Load,
  url: string,
  addresses: readonly Hex[],
  writes: number,
  bodyOf: (index: number) => readonly [url: string, body: string],
) => {
  const before = sum(await noncesOf(load, url, addresses))
  const start = performance.now()
  await load.all(writes, bodyOf)
  const answered = performance.now() - start
  await untilMined(load, url, addresses, before + writes)
  return { answered, milliseconds: performance.now() - start }
}

const text = (index: number): string => `message ${index} of a bench`
