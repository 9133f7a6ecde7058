import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createUploads } from '../../src/runtime/server/uploads.js'

const MEMORY = 100_000

const bytesOf = (text: string) => new TextEncoder().encode(text)

const start = () => createUploads({ memoryBytes: MEMORY, folder: undefined })

const receive = async (uploads: ReturnType<typeof start>, ...chunks: readonly string[]) => {
  const receiver = uploads.receive({ name: 'a', type: 'text/plain' })
  for (const chunk of chunks) await receiver.write(bytesOf(chunk))
  return receiver.finish()
}

const textOf = async (file: Awaited<ReturnType<typeof receive>>) =>
  new TextDecoder().decode(await file.bytes())

const openFiles = () => readdirSync('/proc/self/fd').length

it.runIf(existsSync('/proc/self/fd'))(
  'five unfinished requests of 991 files have one open file each',
  async () => {
    const before = openFiles()
    const requests = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const uploads = start()
        await receive(uploads, 'x'.repeat(MEMORY))
        for (let at = 0; at < 990; at += 1) await receive(uploads, `file ${at}`)
        return uploads
      }),
    )
    expect(openFiles() - before).toBeLessThanOrEqual(5 + 2)
    for (const { release } of requests) await release()
    expect(openFiles() - before).toBeLessThanOrEqual(2)
  },
)

it.each<[string, readonly (readonly string[])[]]>([
  ['all in memory', [['a'], ['b', 'c'], []]],
  ['the last ones beyond it', [['x'.repeat(MEMORY)], ['b', 'c'], [], ['d']]],
  ['one that begins in memory', [['a'], ['b', 'x'.repeat(MEMORY), 'c'], ['d']]],
  ['a large one before one that fits', [['x'.repeat(2 * MEMORY)], ['b'], ['y'.repeat(MEMORY)]]],
  ['two of several chunks each', [['x'.repeat(200_000), 'y'.repeat(65_536)], ['z'.repeat(70_000)]]],
])('each file has its own bytes: %s', async (_, parts) => {
  const uploads = start()
  const files = []
  for (const chunks of parts) files.push(await receive(uploads, ...chunks))
  const wanted = parts.map((chunks) => chunks.join(''))
  expect(files.map(({ size }) => size)).toEqual(wanted.map(({ length }) => length))
  // Together, and each twice.
  expect(await Promise.all([...files, ...files].map(textOf))).toEqual([...wanted, ...wanted])
  const streamed = await Promise.all(files.map((file) => new Response(file.stream()).text()))
  expect(streamed).toEqual(wanted)
  await uploads.release()
  await expect(textOf(files[0] as (typeof files)[0])).rejects.toThrow('was removed')
})
