import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { lockFolder } from '../../../src/service/store/folder-lock.js'
import { openStore } from '../../../src/service/store/open-store.js'
import { UsageError } from '../../../src/service/usage-error.js'
import { builtProcess } from '../../built/process.js'

const log = pino({ level: 'silent' })
const program = await builtProcess(new URL('writing-process.ts', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'twinspec-folder-'))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(root, { recursive: true }))

/** A process that writes into the folder; `said` are its lines. */
const writing = (folder: string, first = 0) => {
  const child = spawn(process.execPath, [fileURLToPath(program), folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const said: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => said.push(line))
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')])
  const saysSomething = async () => {
    while (said.length === 0 && child.exitCode === null) await pause(10)
    if (child.exitCode !== null) await ended
    return said[0]
  }
  return { child, said, ended, saysSomething }
}

describe('a folder', () => {
  it('is one process’s at a time, and says whose', async () => {
    const folder = join(root, 'locked')
    const store = await openStore({ folder, log })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const wanted = `${folder} is in use by process ${process.pid}: end that one, or name another folder with --data`
    const second = await openStore({ folder, log }).catch((error) => error)
    expect(second).toBeInstanceOf(UsageError)
    expect(second.message).toBe(wanted)
    const other = writing(folder)
    await other.ended
    expect(other.said).toEqual([`UsageError: ${wanted}`])
    await store.query('select 1')
    await store.close()
    await (await openStore({ folder, log })).close()
  })

  it('is named where it cannot be one', async () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    await expect(lockFolder(file)).rejects.toThrow(
      new UsageError(
        `${file} cannot be used to keep data: EEXIST: file already exists, mkdir '${file}'`,
      ),
    )
    await expect(lockFolder(join(file, 'below'))).rejects.toThrow(UsageError)
  })

  it.skipIf(process.platform !== 'linux')('is named where the system makes none', async () => {
    const folder = '/proc/twinspec/data'
    await expect(lockFolder(folder)).rejects.toThrow(
      new UsageError(
        `${folder} cannot be used to keep data: ENOENT: no such file or directory, mkdir '/proc/twinspec'`,
      ),
    )
  })

  it('is made with those above it, for this user alone', async () => {
    const folder = join(root, 'above', 'between', 'below')
    await (await lockFolder(folder)).release()
    expect([folder, join(folder, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700,
    ])
  })

  it.skipIf(process.getuid?.() === 0)('is named where it may not be written', async () => {
    const closed = mkdtempSync(join(root, 'closed-'))
    chmodSync(closed, 0o500)
    await expect(lockFolder(closed)).rejects.toThrow(UsageError)
  })

  it('keeps every row that was committed before its process was killed, and no half of a transaction', async () => {
    const folder = join(root, 'killed')
    let next = 0
    for (const milliseconds of [80, 200, 5, 350]) {
      const { child, said, ended, saysSomething } = writing(folder, next)
      expect(await saysSomething()).toBe('open')
      await pause(milliseconds)
      // What is not killed at its very beginning has written something, however busy the machine.
      while (milliseconds > 5 && said.length < 6 && child.exitCode === null) await pause(1)
      child.kill('SIGKILL')
      await ended
      const committed = said.length > 1 ? Number(said.at(-1)) : next
      const store = await openStore({ folder, log })
      const rows = await store.query<{ id: number; size: number }>(
        'select id, length(word) as size from line order by id',
      )
      // What was under way when it was killed may be there or not: but both of its rows, or none.
      next = rows.length
      expect([committed, committed + 2]).toContain(next)
      expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: next }, (_, id) => id))
      expect(rows.every(({ id, size }) => size === (id % 2 ? (id - 1) % 3_000 : 10))).toBe(true)
      await store.close()
    }
    expect(next).toBeGreaterThan(20)
  })
})
