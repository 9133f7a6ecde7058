import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'
import { type FakeNode, startFakeNode } from '../node/fake-node.js'

let service: ServiceProcess
let node: FakeNode
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twinspec-clock-'))
  await moveClock(0)
  await writeFile(join(folder, 'clock.mjs'), CLOCK)
  node = await startFakeNode({})
  service = await startServiceProcess({
    args: ['--no-docs', '--upstream', node.url, '--chain-id', '1', '--rpc-limit', '20'],
    env: {
      CLOCK: join(folder, 'moved'),
      NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'clock.mjs'))}`,
    },
  })
})
afterAll(async () => {
  await service?.stop()
  node?.close()
  await rm(folder, { recursive: true, force: true })
})

it('a limit of 20 requests a minute holds for every 60 seconds', async () => {
  expect(await send(1)).toMatchObject({ accepted: 1 })
  await moveClock(58_000)
  expect(await send(19)).toMatchObject({ accepted: 19 })
  await moveClock(61_000)
  // Only the first request is older than 60 seconds.
  const { accepted, retryAfter } = await send(25)
  expect(accepted).toBe(1)
  // The next one is accepted when it says so, and not half a minute before.
  await moveClock(61_000 + (retryAfter - 30) * 1_000)
  expect(await send(1)).toMatchObject({ accepted: 0 })
  await moveClock(61_000 + retryAfter * 1_000)
  expect(await send(1)).toMatchObject({ accepted: 1 })
})

/** Renamed, so that the service never reads half a file. */
const moveClock = async (milliseconds: number): Promise<void> => {
  await writeFile(join(folder, 'next'), String(milliseconds))
  await rename(join(folder, 'next'), join(folder, 'moved'))
}

/** The clocks of a process are ahead by the milliseconds in a file. */
const CLOCK = `
import { readFileSync } from 'node:fs'
const moved = () => Number(readFileSync(process.env.CLOCK, 'utf8'))
const dateNow = Date.now.bind(Date)
const performanceNow = performance.now.bind(performance)
Date.now = () => dateNow() + moved()
performance.now = () => performanceNow() + moved()
`

/** Sends requests one after the other; the last 429 says after how many seconds to try again. */
const send = async (requests: number): Promise<Sent> => {
  let [accepted, retryAfter] = [0, 0]
  for (let one = 0; one < requests; one += 1) {
    const response = await fetch(`${service.url}/zgt/try-it-out`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    })
    await response.arrayBuffer()
    if (response.status === 200) accepted += 1
    else retryAfter = Number(response.headers.get('retry-after'))
  }
  return { accepted, retryAfter }
}

type Sent = { readonly accepted: number; readonly retryAfter: number }
