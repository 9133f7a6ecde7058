import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../pack/packed.js'

const { computed, measured, service } = await import(join(ROOT, 'scripts/trial-parts.mjs'))
const { summaryLine } = await import(join(ROOT, 'scripts/trial-summary.mjs'))

type Part = { readonly name: string; readonly files: readonly string[] }
const parts: readonly Part[] = [...measured, ...service, ...computed]

it('each test with a full size is in one part', () => {
  const sized = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .filter(
      (file) =>
        /^test\/trials\/|\.trial\.test\.ts$/.test(file) ||
        /from '[./]*\/trials\/size\.js'/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
  expect(sized.length).toBeGreaterThan(20)
  const partsOf = (file: string) =>
    parts.filter(({ files }) => files.some((one) => file.endsWith(one))).length
  expect(sized.filter((file) => partsOf(file) !== 1)).toEqual([])
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length)
})

const passed = (runs?: number) => ({ status: 'passed', meta: { runs } })
const reportOf = (...assertionResults: readonly object[]) => ({
  testResults: [{ assertionResults }],
})

it.each([
  ['counts', 0, reportOf(passed(40_000), passed()), '40,001 runs    12 s  passed, seed 7'],
  [
    'a failure',
    1,
    reportOf(passed(), { status: 'failed' }),
    '2 runs    12 s  FAILED (1 tests), seed 7',
  ],
  [
    'a skip',
    0,
    reportOf(passed(), { status: 'skipped' }),
    '1 runs    12 s  passed, 1 skipped, seed 7',
  ],
  ['no report', 1, {}, '0 runs    12 s  FAILED (0 tests), seed 7'],
])('the line of a part: %s', (_, code, report, line) => {
  const whole: string = summaryLine({ name: 'diff', code, seconds: 12.3, seed: '7', report })
  expect(whole).toMatch(/^diff {2,}/)
  expect(whole.slice('diff'.length).trim()).toBe(line)
})
