import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCompilingProcess } from '../../../src/service/compiler/compiling-process.js'
import { compilingProcesses, isAlive, until } from './processes.js'
import { counter } from './sources.js'
import { keptLog, nameOf, oneProcess, started } from './started.js'

/** Ends every process that starts to compile, as soon as there is one, until the work is done. */
const killAll = async <Value>(work: Promise<Value>): Promise<Value> => {
  const killing = setInterval(() => {
    for (const pid of compilingProcesses()) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  }, 20)
  try {
    return await work
  } finally {
    clearInterval(killing)
  }
}

test('a process killed while it starts: the source is compiled in another', async () => {
  const { log, lines } = keptLog()
  const compiler = started({ log })
  const work = compiler.compile(counter)
  const first = await oneProcess()
  process.kill(first, 'SIGKILL')
  expect(await work).toMatchObject({ contract: 'Counter' })
  expect(isAlive(first)).toBe(false)
  expect(lines).toEqual([])
  await compiler.close()
})

test('a process killed while it starts: what is ready is another', async () => {
  const compiler = started()
  const ready = compiler.ready()
  const first = await oneProcess()
  process.kill(first, 'SIGKILL')
  await ready
  expect(await oneProcess()).not.toBe(first)
  await compiler.close()
})

test('whoever waits for a process that is killed while it starts, there is one in its place', async () => {
  const compiler = started()
  const work = [compiler.ready(), compiler.compile('contract A{}'), compiler.ready()]
  process.kill(await oneProcess(), 'SIGKILL')
  await Promise.all(work)
  expect(compilingProcesses()).toHaveLength(1)
  await compiler.close()
  await until(() => compilingProcesses().length === 0)
})

test('a process that never starts is reported, and the next source finds another', async () => {
  const { log, lines } = keptLog()
  const compiler = started({ log })
  const failed = { name: 'Error', message: 'the compiler does not start (SIGKILL)' }
  await expect(killAll(compiler.ready())).rejects.toMatchObject(failed)
  await expect(killAll(compiler.compile(counter))).rejects.toMatchObject(failed)
  expect(lines).toEqual([expect.stringContaining('a source was not compiled')])
  expect(await compiler.compile(counter)).toMatchObject({ contract: 'Counter' })
  await compiler.close()
})

test('what a process prints before it ends is in the reason', async () => {
  const { ready, compile } = startCompilingProcess({
    seconds: 5,
    megabytes: 400,
    evmVersion: undefined,
  })
  expect(await ready).toEqual({ kind: 'ready' })
  const pid = await oneProcess()
  // Node prints that its inspector listens.
  process.kill(pid, 'SIGUSR1')
  await sleep(300)
  process.kill(pid, 'SIGKILL')
  const end = await compile(counter)
  expect(end).toMatchObject({ kind: 'ended', during: 'work' })
  expect(end).toHaveProperty('reason', expect.stringMatching(/^SIGKILL: Debugger listening on/))
})

test('what is dropped while its process starts is not worth a warning', async () => {
  const { log, lines } = keptLog()
  const compiler = started({ log })
  const abort = new AbortController()
  const aborted = nameOf(compiler.compile(counter, { signal: abort.signal }))
  await oneProcess()
  abort.abort()
  expect(await aborted).toBe('AbortError')
  await until(() => compilingProcesses().length === 0)
  const closed = nameOf(compiler.compile(counter))
  await oneProcess()
  await compiler.close()
  expect(await closed).toBe('NoTurn')
  expect(lines).toEqual([])
})
