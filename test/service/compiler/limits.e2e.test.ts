import { describe, expect, test, vi } from 'vitest'
import type { StartedCompiler } from '../../../src/service/compiler/create-compiler.js'
import { forkOurs } from '../../../src/service/fork.js'
import { compilingProcesses, isAlive, until } from './processes.js'
import { counter, doublingStorage, longSum, manyVariables, nested } from './sources.js'
import { nameOf, oneProcess, started, startedProcess } from './started.js'

// Each replaces the process some times, and a busy machine takes seconds for its start.
vi.setConfig({ testTimeout: 120_000 })

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Whatever has been done to the compiler: it still compiles. */
const stillCompiles = async (compiler: StartedCompiler): Promise<void> => {
  expect(await compiler.compile('contract A{}')).toMatchObject({ contract: 'A' })
}

test('a source whose process cannot be made is rejected, and its place is free again', async () => {
  const compiler = started()
  const { execPath } = process
  process.execPath = '/\0'
  try {
    await expect(compiler.compile('contract A{}')).rejects.toThrow('null bytes')
  } finally {
    process.execPath = execPath
  }
  await stillCompiles(compiler)
  // The others look for the one process that there is.
  await compiler.close()
})

describe('one process', () => {
  const compiler = started()

  test('a source that takes too much memory ends at the limit, with its process', async () => {
    const first = await startedProcess(compiler)
    await expect(compiler.compile(manyVariables(60_000))).rejects.toMatchObject({
      name: 'CompilerLimit',
      message: expect.stringContaining('the source takes more than 340 MB to compile'),
    })
    await until(() => !isAlive(first))
    await stillCompiles(compiler)
  })

  test.each(Object.entries(nested))('%s nested without end are refused', async (_, source) => {
    expect(await nameOf(compiler.compile(source))).toMatch(/^(CompilationError|CompilerLimit)$/)
    await stillCompiles(compiler)
  })

  test('an aborted source that waits is dropped', async () => {
    const running = compiler.compile(longSum(200))
    const abort = new AbortController()
    const waiting = nameOf(compiler.compile(counter, { signal: abort.signal }))
    const behind = compiler.compile('contract A{}')
    abort.abort()
    expect(await waiting).toBe('AbortError')
    expect(await running).toMatchObject({ contract: 'Sum' })
    expect(await behind).toMatchObject({ contract: 'A' })
  })

  test('an aborted source that is worked on ends with its process', async () => {
    const first = await startedProcess(compiler)
    const abort = new AbortController()
    const work = nameOf(compiler.compile(doublingStorage(12), { signal: abort.signal }))
    await wait(200)
    abort.abort()
    expect(await work).toBe('AbortError')
    await until(() => !isAlive(first))
    await stillCompiles(compiler)
  })

  test('a source aborted before it was given is not taken', async () => {
    const signal = AbortSignal.abort(new Error('gone'))
    await expect(compiler.compile(counter, { signal })).rejects.toThrow('gone')
  })

  test('a process killed while it works: the source is compiled in another', async () => {
    const first = await startedProcess(compiler)
    const work = compiler.compile(longSum(200))
    await wait(50)
    process.kill(first, 'SIGKILL')
    expect(await work).toMatchObject({ contract: 'Sum' })
    expect(isAlive(first)).toBe(false)
  })

  test('a process killed while it waits: nobody notices', async () => {
    const first = await startedProcess(compiler)
    process.kill(first, 'SIGKILL')
    await until(() => !isAlive(first))
    await stillCompiles(compiler)
  })

  test('closing ends what runs and what waits, and takes nothing more', async () => {
    const work = [doublingStorage(12), counter].map((source) => nameOf(compiler.compile(source)))
    await wait(100)
    await compiler.close()
    expect(await Promise.all(work)).toEqual(['NoTurn', 'NoTurn'])
    expect(await nameOf(compiler.compile(counter))).toBe('NoTurn')
    await until(() => compilingProcesses().length === 0)
  })
})

describe('two processes', () => {
  const compiler = started({ processes: 2, waiting: 8 })

  test('two compile at a time, and who comes when too many wait is rejected at once', async () => {
    const answers = Array.from({ length: 12 }, (_, i) =>
      nameOf(compiler.compile(`contract C${i} { uint x; }`, { caller: String(i), isKeyed: true })),
    )
    expect(await Promise.race([answers[11], answers[0]])).toBe('NoTurn')
    expect(await Promise.all(answers)).toEqual([
      ...Array.from({ length: 10 }, () => 'compiled'),
      ...Array.from({ length: 2 }, () => 'NoTurn'),
    ])
    expect(compilingProcesses()).toHaveLength(2)
  })

  test('one caller fills neither the queue nor every process', async () => {
    const ended: string[] = []
    const ask = (caller: string, source: string): Promise<unknown> =>
      nameOf(compiler.compile(source, { caller, isKeyed: true })).then((name) =>
        ended.push(`${caller} ${name}`),
      )
    const greedy = [1, 2, 3, 4, 5].map(() => ask('greedy', longSum(200)))
    await ask('modest', 'contract A{}')
    // Of five, two run and two wait; whoever comes after them goes first.
    expect(ended[0]).toBe('greedy NoTurn')
    expect(ended.filter((name) => name === 'greedy compiled').length).toBeLessThan(3)
    await Promise.all(greedy)
    expect(ended.filter((name) => name === 'greedy compiled')).toHaveLength(4)
    await compiler.close()
  })
})

test('a source of 351 bytes that takes minutes ends in time, with its process', async () => {
  const compiler = started({ seconds: 2, megabytes: 700 })
  const first = await startedProcess(compiler)
  const start = performance.now()
  await expect(compiler.compile(doublingStorage(12))).rejects.toMatchObject({
    name: 'CompilerLimit',
    message:
      'the source takes more than 2 s to compile, which is all that a source is given here: make it smaller',
  })
  expect(performance.now() - start).toBeLessThan(60_000)
  await until(() => !isAlive(first))
  await stillCompiles(compiler)
  await compiler.close()
})

test('a limit that the compiler itself breaks stops the start', async () => {
  const compiler = started({ megabytes: 60 })
  await expect(compiler.ready()).rejects.toThrow('the compiler itself takes more than 60 MB')
})

test('when its parent is killed, a compiling process ends in the midst of its work', async () => {
  const parent = forkOurs(new URL('./parent.js', import.meta.url))
  await new Promise<void>((resolve) => {
    parent.on('message', (message) => message === 'working' && resolve())
  })
  const child = await oneProcess(parent.pid)
  expect(isAlive(child)).toBe(true)
  parent.kill('SIGKILL')
  await until(() => !isAlive(child))
})

test('a parent that never closes its compiler still ends by itself', async () => {
  const parent = forkOurs(new URL('./parent.js', import.meta.url), { args: ['idle'] })
  const code = await new Promise((resolve) => parent.once('exit', resolve))
  expect(code).toBe(0)
})
