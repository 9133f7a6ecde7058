import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Shape, shapesFor } from './event-loop-shapes.js'
import { percentile } from './hostile-measure.js'
import { createKeysIn } from './keys.js'
import { MNEMONIC, pause, type ServiceProcess, startServiceProcess } from './service-process.js'
import { isFull, sized } from './size.js'

/** Milliseconds of the processor: no request may hold the event loop for longer. */
const LONGEST_HOLD = 50

const ROUNDS = sized(1, 5)

const PROBE = fileURLToPath(new URL('./hold-probe.mjs', import.meta.url))

describe('a request of 1 MB', () => {
  let folder = ''
  let service: ServiceProcess
  let shapes: readonly Shape[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'twinspec-holds-'))
    const { DATABASE_URL } = process.env
    const env = {
      NODE_OPTIONS: `--import ${pathToFileURL(PROBE)}`,
      HOLDS: join(folder, 'holds'),
      ...(DATABASE_URL && { DATABASE_URL, TWINSPEC_MNEMONIC: MNEMONIC }),
    }
    const limits = ['--rpc-limit', '0', '--zkt-limit', '0', '--status-limit', '0']
    const data = join(folder, 'data')
    service = await startServiceProcess({ args: ['--no-docs', '--data', data, ...limits], env })
    const place = DATABASE_URL ? { databaseUrl: DATABASE_URL } : { folder: data }
    const [key = ''] = await createKeysIn(place, 1)
    shapes = shapesFor(key)
  })
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is answered, and never holds the event loop for long', async () => {
    const holds = new Map<string, number[]>()
    // The first round is for the compiler of V8.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const shape of shapes) {
        await writeFile(join(folder, 'holds'), '')
        const together = Array.from({ length: shape.together }, () => send(service.url, shape))
        await Promise.all(together)
        const longest = await longestHold(join(folder, 'holds'))
        if (round > 0) holds.set(shape.name, [...(holds.get(shape.name) ?? []), longest])
      }
    const medians = [...holds].map(([name, all]) => [name, percentile(all, 0.5)] as const)
    console.log(
      'longest hold of the event loop, ms of the processor: median, largest',
      Object.fromEntries(
        medians.map(([name, ms]) => [name, [ms, Math.max(...(holds.get(name) ?? []))]]),
      ),
    )
    // One round alone may meet a large garbage collection, or a neighbour that empties the processor's caches.
    if (isFull)
      expect(medians.filter(([, milliseconds]) => milliseconds > LONGEST_HOLD)).toEqual([])
  }, 900_000)
})

/** Sends a body and, if it was accepted, waits until the chain has it. */
const send = async (url: string, { name, path, body, status }: Shape): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  const answer: { readonly queueId?: string } = await response.json()
  expect([name, response.status], JSON.stringify(answer).slice(0, 500)).toEqual([name, status])
  if (answer.queueId === undefined) return
  const deadline = Date.now() + 60_000
  for (;;) {
    const found = await fetch(`${url}/gtn/v1/zkt/transaction/${answer.queueId}`)
    const state: { readonly status?: string } = await found.json()
    if (state.status === 'completed') return
    if (Date.now() > deadline) throw new Error(`${name} is still ${state.status}`)
    await pause(50)
  }
}

const longestHold = async (file: string): Promise<number> => {
  // What was begun for the request goes on for a moment after its response.
  await pause(300)
  return Math.max(0, ...(await readFile(file, 'utf8')).split('\n').map(Number))
}
