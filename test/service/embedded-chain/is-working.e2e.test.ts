import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { isWorking } from '../../../src/service/embedded-chain/supervise.js'

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})
const run = (script: string): number => {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  started.push(child)
  return child.pid ?? 0
}

test.skipIf(process.platform !== 'linux')(
  'S4: a process that works is distinguished from one that hangs',
  async () => {
    const busy = run('for (;;) {}')
    const idle = run('setInterval(() => {}, 1_000)')
    // Both have started.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await isWorking(busy)).toBe(true)
    expect(await isWorking(idle)).toBe(false)
  },
)

test('a process that is gone does not tell', async () => {
  expect(await isWorking(2 ** 30)).toBeUndefined()
})
