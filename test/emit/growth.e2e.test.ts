import { Session } from 'node:inspector/promises'
import { beforeAll, expect, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { aliasChain, objectChain, openapiOf, openrpcOf, wideUnion } from '../bench/synthetic.js'

/** What V8 has counted since the last time: how often each function and each branch of one was entered. */
const session = new Session()

beforeAll(async () => {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return () => session.disconnect()
})

/** openapi-typescript copies its list of operations for each of them, by the compiler; the bench measures that as time. */
const COMPILER = '/node_modules/typescript/'

const stepsOf = async (work: () => Promise<unknown>) => {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => !url.startsWith('node:') && !url.includes(COMPILER))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

test.each([
  ['methods', 'openrpc', openrpcOf, 20],
  // Both are so many that they are divided into folders, which goes by characters.
  ['operations', 'openapi', openapiOf, 101],
  ['references, each schema only the next', 'openapi', aliasChain, 100],
  ['references, each schema holding the next', 'openapi', objectChain, 100],
  ['branches of one union', 'openapi', wideUnion, 100],
] as const)(
  'ten times the %s take at most twelve times the steps',
  // On a busy machine all four small counts may be too low; a square fails each time.
  { timeout: 900_000, retry: 3 },
  async (_, kind, make, size) => {
    const generate = async (size: number) => {
      const document = parseDocument(JSON.stringify(make(size)), `${kind}.json`)
      emitAll(await loadApi({ [kind]: document }), [], [...DEFAULT_KINDS, 'server'])
    }
    // What is made once is made now.
    await generate(1)
    const count = () => stepsOf(() => generate(size))
    // V8 forgets what it counted of code that it discards under load, so a count may only be too low.
    const few = Math.max(await count(), await count(), await count(), await count())
    const many = await stepsOf(() => generate(10 * size))
    // Sorting is a little more than linear; a square would be a hundred.
    expect(many / few).toBeLessThan(12)
  },
)
