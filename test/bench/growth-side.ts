import { diff } from '../../src/diff/diff.js'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { changedOf } from './diff/versions.js'
import { median } from './rounds.js'
import { aliasChain, objectChain, openapiOf, openrpcOf, wideUnion } from './synthetic.js'

/**
 * A process for all sizes of one growth, which reads what to do from its argument; it prints the milliseconds of each size in their order.
 * A round does each size `times` times, half of them before and half after the larger ones: so all sizes do about as much in it,
 * leave as much garbage, and meet the same moods of the machine.
 */
export type GrowthJob = {
  readonly work: keyof typeof WORKS
  /** The smallest first. */
  readonly sizes: readonly number[]
  /** What a round does in each size, where that is more than one time. */
  readonly perRound: number
  readonly rounds: number
}

/** What the process tells while it is at work, and at its end. */
export type GrowthMessage =
  | { readonly report: string }
  | { readonly milliseconds: readonly number[] }

type Work = () => Promise<unknown>

const generating = (kind: 'openapi' | 'openrpc', make: (size: number) => object) => {
  return (size: number): Work => {
    const text = JSON.stringify(make(size))
    return async () =>
      emitAll(
        await loadApi({ [kind]: parseDocument(text, `${kind}.json`) }),
        [],
        [...DEFAULT_KINDS, 'server'],
      )
  }
}

const comparing = (size: number): Work => {
  const [before, after] = [openapiOf(size), changedOf(size)].map((one) => JSON.stringify(one))
  const read = (text = '') => loadApi({ openapi: parseDocument(text, 'openapi.json') })
  return async () => diff(await read(before), await read(after), { today: TODAY })
}

const TODAY = new Date('2026-01-01')

const WORKS = {
  methods: generating('openrpc', openrpcOf),
  operations: generating('openapi', openapiOf),
  aliases: generating('openapi', aliasChain),
  objects: generating('openapi', objectChain),
  union: generating('openapi', wideUnion),
  diff: comparing,
}

const { work, sizes, perRound, rounds }: GrowthJob = JSON.parse(process.argv[2] ?? '')
const sides = sizes.map((size) => ({
  size,
  run: WORKS[work](size),
  times: Math.max(1, Math.round(perRound / size)),
  costs: [] as number[],
}))
type Side = (typeof sides)[number]

const say = (message: GrowthMessage) => process.send?.(message)

const does = async ({ run, costs }: Side, times: number): Promise<void> => {
  if (times === 0) return
  // Garbage of another size is not this one's fault.
  globalThis.gc?.()
  const start = performance.now()
  for (let time = 0; time < times; time++) await run()
  costs.push((performance.now() - start) / times)
}

// A cold start would count for the small side most, and flatter the ratio; what takes half a minute is warm by itself.
for (const { size, run } of sides) {
  say({ report: 'warming up' })
  if (size < 10_000) await run()
}
for (let round = 1; round <= rounds; round++) {
  const turns = [
    ...sides.map((side) => ({ side, times: Math.ceil(side.times / 2) })),
    ...sides.toReversed().map((side) => ({ side, times: Math.floor(side.times / 2) })),
  ]
  for (const { side, times } of turns) {
    say({ report: `round ${round} of ${rounds}: ${side.size.toLocaleString('en')}` })
    await does(side, times)
  }
}
say({ milliseconds: sides.map(({ costs }) => median(costs)) })
process.disconnect?.()
