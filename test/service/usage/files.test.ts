import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createUsageFiles } from '../../../src/service/usage/files.js'
import { temporaryFolder } from './spec-usage.js'

const linesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .sort()
    .map((name) => gunzipSync(readFileSync(join(folder, name))).toString())

it('files end with their day and at a size, and are for their owner alone', () => {
  const folder = temporaryFolder()
  let now = Date.UTC(2026, 10, 26, 23, 59)
  const files = createUsageFiles(folder, { mostBytes: 60, now: () => now })
  files.write(['a'])
  files.write(['b', 'c'])
  files.write(['d'])
  now += 120_000
  files.write(['e'])
  files.close()
  expect(linesIn(folder)).toEqual(['a\nb\nc\n', 'd\n', 'e\n'])
  for (const name of readdirSync(folder)) {
    expect(name).toMatch(/^usage-2026112[67]T\d{6}-\d+-\d-[\da-f]{8}\.ndjson\.gz$/)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
})

it('the oldest files are deleted beyond a number, and nothing else in the folder', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'usage-of-mine.ndjson.gz'), 'mine')
  let now = Date.UTC(2026, 10, 1)
  const files = createUsageFiles(folder, { mostFiles: 3, now: () => now })
  const deleted: string[] = []
  for (const line of ['a', 'b', 'c', 'd', 'e']) {
    deleted.push(...files.write([line]).deleted)
    now += 86_400_000
  }
  files.close()
  expect(deleted).toHaveLength(2)
  const kept = readdirSync(folder).sort()
  expect(kept).toContain('usage-of-mine.ndjson.gz')
  expect(kept.filter((name) => /^usage-2026/.test(name)).map((name) => name.slice(6, 14))).toEqual([
    '20261103',
    '20261104',
    '20261105',
  ])
})

it('a file that cannot be made is an error, and the next lines are written once it can', () => {
  const folder = temporaryFolder()
  const missing = join(folder, 'missing')
  const files = createUsageFiles(missing)
  expect(() => files.write(['a'])).toThrow(/ENOENT/)
})
