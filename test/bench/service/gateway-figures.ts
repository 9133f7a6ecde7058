import { pause } from '../../trials/service-process.js'
import type { Scene } from './bench-service.js'

/** Waits until the queue has nothing left to do, so that no round is slowed by the one before. */
export const untilQuiet = async ({ gateways }: Scene): Promise<void> => {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(20)) {
    const figures = await figuresOf(gateways[0].url)
    const left = ['pending', 'processing'].map((status) =>
      Number(figures.get(`twinspec_outbox_submissions{status="${status}"}`)),
    )
    if (left.every((count) => count === 0)) return
  }
  throw new Error('the queue did not come to its end')
}

/** Milliseconds that the processes of these gateways had of a processor so far. */
export const processorTime = async (urls: readonly string[]): Promise<number> => {
  const figures = await Promise.all(urls.map(figuresOf))
  return figures.reduce(
    (total, each) => total + 1_000 * Number(each.get('process_cpu_seconds_total')),
    0,
  )
}

const figuresOf = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const gap = line.lastIndexOf(' ')
      return [line.slice(0, gap), line.slice(gap + 1)]
    }),
  )
}
