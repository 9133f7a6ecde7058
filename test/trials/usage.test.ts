import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bearer, exchange, ORDERS } from '../usage/orders.js'
import { basicVariables } from '../variables.js'
import { isFull, sized } from './size.js'

const MEGABYTES = sized(20, 1_000)
const MOST_SECONDS = 60
const MOST_MEGABYTES = 300

it(
  `twinspec usage reads ${MEGABYTES} MB of NDJSON in bounded time and memory`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'twinspec-usage-trial-'))
    try {
      writeFileSync(join(folder, 'api.yaml'), ORDERS)
      const lines = await writeTraffic(join(folder, 'a.ndjson'), MEGABYTES * 1e6)
      const { requests, seconds, processor, megabytes } = await measure(folder)
      console.log(
        `usage trial: ${lines} requests, ${MEGABYTES} MB: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor, ${megabytes.toFixed(0)} MB`,
      )
      expect(requests).toBe(lines)
      expect(megabytes).toBeLessThan(MOST_MEGABYTES)
      // A small file shows memory; the time of a start would be most of it.
      if (isFull) expect(seconds).toBeLessThan(MOST_SECONDS)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  sized(300_000, 3_600_000),
)

const writeTraffic = async (file: string, bytes: number): Promise<number> => {
  const out = createWriteStream(file)
  const random = createRandom()
  const order = () => ({
    status: ['open', 'paid', 'sent'][random(3)],
    note: 'n'.repeat(random(120)),
    email: `user${random(1e6)}@example.org`,
    amount: random(1e6) / 100,
    billing: { zip: String(random(1e5)), city: `Town ${random(1000)}` },
    items: Array.from({ length: 1 + random(8) }, () => ({
      sku: `SKU-${random(1e5)}`,
      count: random(20),
    })),
  })
  const line = () => {
    const time = `2026-10-${10 + random(20)}T10:00:00Z`
    const common = { headers: bearer(`key-${random(300)}`), time }
    return random(3) === 0
      ? exchange('POST /orders', { ...common, body: order(), status: 201, reply: order() })
      : exchange(`GET /orders?limit=${random(100)}`, {
          ...common,
          reply: Array.from({ length: random(6) }, order),
        })
  }
  let lines = 0
  let written = 0
  while (written < bytes) {
    const some = Array.from({ length: 500 }, line)
    const text = `${some.join('\n')}\n`
    lines += some.length
    written += text.length
    if (!out.write(text)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return lines
}

/** The same numbers each time. */
const createRandom = () => {
  let state = 7
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

/** What a process has used is known to itself alone, at its end. */
const TELL = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); console.error('used ' + JSON.stringify({ processor: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 })) })`

/** As it is published: from source, the compiler would be measured too. */
const BUILT = join(process.env.BUILT ?? '', 'dist/src/cli/main.js')

const measure = async (folder: string) => {
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(TELL)}`, BUILT],
      ...['usage', join(folder, 'a.ndjson'), '--openapi', join(folder, 'api.yaml')],
      ...['--secret-file', join(folder, 'secret'), '--out', join(folder, 'usage.json')],
    ],
    { env: basicVariables(), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(said)
  const used: { readonly processor: number; readonly megabytes: number } = JSON.parse(
    /^used (.*)$/m.exec(said)?.[1] ?? '',
  )
  const requests = Number(/^(\d+) requests of/m.exec(said)?.[1])
  return { requests, seconds: (performance.now() - begun) / 1_000, ...used }
}
