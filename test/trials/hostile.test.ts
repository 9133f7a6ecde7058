import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFlood } from './hostile-flood.js'
import { memoryOf, percentile } from './hostile-measure.js'
import { keyedCaller, type Round } from './hostile-quiet.js'
import { type ServiceProcess, startServiceProcess } from './service-process.js'
import { sized } from './size.js'

const SECONDS = sized(10, 60)

/** Of one caller without a key each. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

describe('a keyed caller beside hostile ones', () => {
  let service: ServiceProcess
  let key = ''

  beforeAll(async () => {
    service = await startServiceProcess({
      args: ['--no-docs', '--rpc-limit', '200', '--zkt-limit', '0', '--status-limit', '0'],
    })
    key = /ts_[0-9a-f]{12}_[0-9a-f]{48}/.exec(service.output())?.[0] ?? ''
  })
  afterAll(() => service?.stop())

  it('reads, submits and polls nearly as fast as alone, and nothing is lost', async () => {
    const caller = keyedCaller(service.url, key)
    await caller.round('warm')
    const quiet = await rounds(caller.round, 'quiet', sized(5, 20))
    const flood = startFlood(service, ADDRESSES, sized(1_500, 10_000))
    const end = Date.now() + 1_000 * SECONDS
    const flooded: Round[] = []
    let memory = 0
    while (Date.now() < end) {
      flooded.push(await caller.round(`flood ${flooded.length}`))
      memory = Math.max(memory, await memoryOf(service.pid()))
    }
    const tally = await flood.stop()
    const [alone, beside] = [quiet, flooded].map((all) =>
      percentile(
        all.flatMap(({ milliseconds }) => milliseconds),
        0.99,
      ),
    ) as [number, number]
    const errors = flooded.flatMap((round) => round.errors)
    console.log({
      rounds: flooded.length,
      'p99 quiet, ms': Math.round(alone),
      'p99 flooded, ms': Math.round(beside),
      'memory, MB': Math.round(memory / 1e6),
      errors: errors.length,
      ...tally,
    })
    expect(service.isRunning()).toBe(true)
    expect(errors).toEqual([])
    // The chain must come to rest before what it mined is counted.
    await caller.settled()
    expect(await caller.minedOnce()).toEqual([])
    expect(memory).toBeLessThanOrEqual(1e9)
    expect(beside).toBeLessThanOrEqual(alone + 250)
  }, 600_000)
})

const rounds = async (
  round: (name: string) => Promise<Round>,
  name: string,
  count: number,
): Promise<readonly Round[]> => {
  const all: Round[] = []
  for (let index = 0; index < count; index += 1) all.push(await round(`${name} ${index}`))
  return all
}
