import { emitAll } from '../../src/emit/emit.js'
import { parseDocument } from '../../src/model/document.js'
import { loadApi } from '../../src/model/load.js'
import type { Bench, BenchOptions, Row } from './bench.js'
import { interleave, timed } from './rounds.js'
import { aliasChain, objectChain, openapiOf, openrpcOf, wideUnion } from './synthetic.js'

/** Ten times the input may take eleven times the time. */
export const growthBenches: readonly Bench[] = [
  growth('growth-openrpc', 'methods, OpenRPC', 'openrpc', 1000, openrpcOf),
  growth('growth-openapi', 'operations, OpenAPI', 'openapi', 1000, openapiOf),
  once(growth('growth-huge-openrpc', 'methods, OpenRPC', 'openrpc', 10_000, openrpcOf)),
  once(growth('growth-huge-openapi', 'operations, OpenAPI', 'openapi', 10_000, openapiOf)),
  growth(
    'growth-alias-chain',
    'references, each schema only the next',
    'openapi',
    1000,
    aliasChain,
  ),
  growth(
    'growth-long-chain',
    'references, each schema only the next',
    'openapi',
    10_000,
    aliasChain,
  ),
  growth('growth-union', 'branches of one union', 'openapi', 1000, wideUnion),
  growth(
    'growth-object-chain',
    'references, each schema holding the next',
    'openapi',
    1000,
    objectChain,
  ),
  growth(
    'growth-long-object-chain',
    'references, each schema holding the next',
    'openapi',
    10_000,
    objectChain,
  ),
]

const AT_MOST = 11

type Kind = 'openapi' | 'openrpc'
type Make = (size: number) => object

function growth(name: string, what: string, kind: Kind, size: number, make: Make): Bench {
  return { name, run: (options) => compare(what, kind, make, size, options) }
}

/** What takes most of a minute, and is not asked again in every round. */
function once({ name, run }: Bench): Bench {
  const onceAsked = async (options: BenchOptions) => {
    const rows = await run({ ...options, rounds: 1 })
    return rows.map((row) => ({ ...row, what: `${row.what}, one round` }))
  }
  return { name, isLarge: true, run: onceAsked }
}

async function compare(
  what: string,
  kind: Kind,
  make: Make,
  size: number,
  { rounds, tell }: BenchOptions,
): Promise<readonly Row[]> {
  const count = (value: number) => value.toLocaleString('en')
  const [large, small] = [size, size / 10].map((each) => {
    const text = JSON.stringify(make(each))
    const generate = async () =>
      emitAll(await loadApi({ [kind]: parseDocument(text, `${kind}.json`) }))
    return { name: count(each), generate, run: () => timed(generate) }
  })
  if (!large || !small) return []
  // A cold start would count for the small side most, and flatter the ratio; of what is asked once it counts for neither.
  tell('warming up')
  await small.generate()
  if (rounds > 1) await large.generate()
  const [measured, against] = await interleave([large, small], rounds, tell)
  if (!measured || !against) return []
  return [{ what: `growth, ${count(size)} ${what}`, measured, against, atMost: AT_MOST }]
}
