import { emitAll } from '../../src/emit/emit.js'
import { parseDocument } from '../../src/model/document.js'
import { loadApi } from '../../src/model/load.js'
import type { Bench, BenchOptions, Row } from './bench.js'
import { interleave, timed } from './rounds.js'
import { aliasChain, objectChain, openapiOf, openrpcOf, wideUnion } from './synthetic.js'

/** Ten times the input may take eleven times the time. */
export const growthBenches: readonly Bench[] = [
  growth('growth-openrpc', 'methods, OpenRPC', 'openrpc', openrpcOf),
  growth('growth-openapi', 'operations, OpenAPI', 'openapi', openapiOf),
  chain('growth-alias-chain', 'references, each schema only the next', 1000, aliasChain),
  {
    ...chain('growth-long-chain', 'references, each schema only the next', 10_000, aliasChain),
    isHuge: true,
  },
  chain('growth-union', 'branches of one union', 1000, wideUnion),
  // Of about 600 openapi-typescript runs out of stack, and with it we do.
  chain('growth-object-chain', 'references, each schema holding the next', 500, objectChain),
]

const AT_MOST = 11

type Kind = 'openapi' | 'openrpc'
type Make = (size: number) => object

function growth(name: string, what: string, kind: Kind, make: Make): Bench {
  const run = async (options: BenchOptions) => {
    const rows: Row[] = []
    for (let size = 1000; size <= options.methods; size *= 10) {
      rows.push(...(await compare(what, kind, make, size, options)))
    }
    return rows
  }
  return { name, run }
}

function chain(name: string, what: string, size: number, make: Make): Bench {
  return { name, run: (options) => compare(what, 'openapi', make, size, options) }
}

async function compare(
  what: string,
  kind: Kind,
  make: Make,
  size: number,
  { rounds, tell }: BenchOptions,
): Promise<readonly Row[]> {
  const count = (value: number) => value.toLocaleString('en')
  const sides = [size, size / 10].map((each) => {
    const text = JSON.stringify(make(each))
    const generate = async () =>
      emitAll(await loadApi({ [kind]: parseDocument(text, `${kind}.json`) }))
    return { name: count(each), generate, run: () => timed(generate) }
  })
  // A cold start would count for the small side most, and flatter the ratio.
  tell('warming up')
  for (const side of sides) await side.generate()
  const [measured, against] = await interleave(sides, rounds, tell)
  if (!measured || !against) return []
  return [{ what: `growth, ${count(size)} ${what}`, measured, against, atMost: AT_MOST }]
}
