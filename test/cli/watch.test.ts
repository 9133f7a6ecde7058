import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchDocuments } from '../../src/cli/watch.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twinspec-watch-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What was read each time, while `edit` changes the document. */
const readDuring = async (edit: (file: string) => Promise<void>): Promise<readonly string[]> => {
  const file = join(folder, 'openapi.yaml')
  writeFileSync(file, 'first')
  const ending = new AbortController()
  const read: string[] = []
  const watching = watchDocuments(
    { openapi: file, openrpc: undefined, arazzo: undefined },
    async () => {
      read.push(readFileSync(file, 'utf8'))
    },
    ending.signal,
  )
  const waited = async (text: string) => {
    const deadline = Date.now() + 10_000
    while (read.at(-1) !== text && Date.now() < deadline) await pause(5)
  }
  await waited('first')
  await edit(file)
  writeFileSync(file, 'last')
  await waited('last')
  ending.abort()
  await watching
  return read
}

test('a document that is saved time and again is read when that has ended', async () => {
  // On a busy machine some of the saves lie so far apart that each may be the last.
  let rests = 0
  const read = await readDuring(async (file) => {
    for (let time = 0; time < 25; time++) {
      const begun = performance.now()
      writeFileSync(file, `save ${time}`)
      await pause(2)
      if (performance.now() - begun > 5) rests++
    }
  })
  expect(read[0]).toBe('first')
  expect(read.at(-1)).toBe('last')
  expect(read.length).toBeLessThanOrEqual(4 + rests)
})

test('a document that never comes to rest is read all the same', async () => {
  const read = await readDuring(async (file) => {
    const end = performance.now() + 600
    for (let time = 0; performance.now() < end; time++) {
      writeFileSync(file, `save ${time}`)
      await pause(2)
    }
  })
  expect(read.length).toBeGreaterThan(2)
  expect(read.at(-1)).toBe('last')
})
