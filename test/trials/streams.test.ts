import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { isFull, sized } from './size.js'

const CLIENT = fileURLToPath(new URL('stream-client.ts', import.meta.url))

const ITEM = JSON.stringify({
  id: 12_345,
  name: 'a name of some length',
  tags: ['a', 'b'],
  value: 1.5,
})
const CHUNK = Buffer.from(`data: ${ITEM}\n\n`.repeat(600))

/** Sends so many bytes of events, as fast as they are read. */
const serve = async (): Promise<string> => {
  const server = createServer(async (request, response) => {
    const bytes = Number(new URL(request.url ?? '', 'http://x').searchParams.get('bytes'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let sent = 0; sent < bytes; sent += CHUNK.length)
      if (!response.write(CHUNK)) await once(response, 'drain')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Result = { readonly items: number; readonly seconds: number; readonly largest: number }

/** Reads a stream in a process of its own: `largest` is the most memory it has used, in MB. */
const read = async (url: string, by: 'ours' | 'hand', bytes: number): Promise<Result> => {
  const flags = ['--expose-gc', '--import', 'tsx', '-C', 'twinspec-source', CLIENT]
  const child = spawn(process.execPath, [...flags, url, by, String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'exit')
  return JSON.parse(text) as Result
}

const MB = 1_000_000

it('reads a stream at 0.9 of the speed of a parser written by hand', async () => {
  const url = await serve()
  const rates: number[] = []
  const bytes = sized(20, 200) * MB
  for (let round = 0; round < sized(1, 5); round += 1) {
    const [ours, hand] = [await read(url, 'ours', bytes), await read(url, 'hand', bytes)]
    expect(ours.items).toBe(hand.items)
    rates.push(hand.seconds / ours.seconds)
  }
  const median = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]
  console.log(
    `throughput, of that of a parser written by hand: ${rates.map((one) => one.toFixed(2)).join(', ')}`,
  )
  // A short stream is read before the code is compiled.
  if (isFull) expect(median).toBeGreaterThan(0.9)
})

it('reads a long stream in constant memory', async () => {
  const url = await serve()
  const [few, many] = [sized(20, 100), sized(200, 1_000)]
  const small = await read(url, 'ours', few * MB)
  const large = await read(url, 'ours', many * MB)
  console.log(
    `memory: ${small.largest} MB for ${few} MB, ${large.largest} MB for ${many} MB, ${large.seconds.toFixed(1)} s`,
  )
  expect(large.largest).toBeLessThan(small.largest + 50)
})
