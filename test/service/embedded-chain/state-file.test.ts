import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readState, writeState } from '../../../src/service/embedded-chain/state-file.js'

const about = { chainId: 20180427, genesis: `0x${'ab'.repeat(32)}`, born: 1_700_000_000 }
const json = Buffer.from('{"blocks":[]}\n{"more":"lines"}')

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twinspec-test-'))
  path = join(folder, 'state')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('what is written is read, the last of it', async () => {
  expect(await readState(path, 20180427)).toBeUndefined()
  await writeState(path, { ...about, chainId: 1 }, gzipSync('{}'))
  await writeState(path, about, gzipSync(json))
  expect(await readState(path, 20180427)).toEqual({ about, json })
  expect(readdirSync(folder)).toEqual(['state'])
})

test('a write that broke off leaves the former state', async () => {
  await writeState(path, about, gzipSync(json))
  writeFileSync(`${path}.new`, 'half')
  expect(await readState(path, 20180427)).toEqual({ about, json })
  await writeState(path, about, gzipSync('{}'))
  expect(readFileSync(path)).not.toEqual(Buffer.from('half'))
})

test.each([
  ['is damaged', (state: Buffer) => state.subarray(0, state.length - 1)],
  ['is damaged', (state: Buffer) => Buffer.concat([state.subarray(0, -20), Buffer.alloc(20)])],
  ['is not the state of a chain', () => Buffer.alloc(0)],
  ['is not the state of a chain', () => Buffer.from('{"accounts":{}}\n')],
  ['is not the state of a chain', () => gzipSync(json)],
  [
    'holds the chain 5, not 20180427: give that --chain-id',
    (state: Buffer) => Buffer.from(state.toString('latin1').replace('20180427', '5'), 'latin1'),
  ],
])('a state that %s', async (said, spoil) => {
  await writeState(path, about, gzipSync(json))
  writeFileSync(path, spoil(readFileSync(path)))
  const error = await readState(path, 20180427).then(String, (thrown: Error) => thrown.message)
  expect(error).toContain(`${path} ${said}`)
  expect(error).not.toContain('\n')
})
