import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { basicVariables } from '../variables.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const BOUND = 900_000

let breaking = ''
let harmless = ''

beforeAll(async () => {
  const settings = { cwd: ROOT, env: basicVariables(), timeout: BOUND }
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'pull-request'], settings)
  const [, first = '', second = ''] = stdout.split(/^PULL REQUEST \d: /m)
  breaking = first
  harmless = second
}, BOUND)

/** What stands under a heading of the page. */
const part = (page: string, heading: string): string => {
  const [, after = ''] = page.split(`\n${heading}\n`)
  return after.split(/\n\n(?=[A-Z])/)[0] ?? ''
}

test('a breaking edit stands beside its line, before all else', () => {
  expect(part(breaking, 'BESIDE THE LINES')).toMatch(
    /^ {2}error spec\/methods\/eth\/state\.yaml:17 parameter-became-required\n {6}the param `block` of eth_getBalance is required now: callers who omit it are rejected\n {6}before: git:[0-9a-f]{10}:spec\/methods\/eth\/state\.yaml:16:7\n/,
  )
})

test('generated files that are out of date are one annotation', () => {
  const annotated = part(breaking, 'BESIDE THE LINES').match(/generated-files-stale/g)
  expect(annotated).toHaveLength(1)
  expect(breaking).toMatch(/❌ drift \| 1 \|/)
})

test('the comment tells what each check found, the changelog, and the version that it asks for', () => {
  const comment = part(breaking, 'THE COMMENT')
  expect(comment).toMatch(/^ {2}<!-- twinspec: The contract -->\n/)
  expect(comment).toContain('  ## The contract: this breaks callers or readers\n')
  expect(breaking).toContain('| ❌ diff | 1 | 0 | 1 | 1 breaking, 1 note: not safe to release |')
  expect(breaking).toMatch(/\| ✅ lint \| 0 \| 0 \| \d+ \|/)
  expect(breaking).toMatch(/\| ✅ conform \| 0 \| 0 \| 0 \| no findings in \d+ cases/)
  expect(breaking).toContain('  ### Breaking\n\n  #### `eth_getBalance`\n')
  expect(breaking).toContain('  ### Added and changed\n')
  expect(breaking).toContain(
    '`place` in the 200 response of GET /gtn/v1/zkt/transaction/{queueId} is new',
  )
  expect(breaking).toContain('  This requires a **major** version.')
})

test('the changelog and the page of conform are kept', () => {
  expect(part(breaking, 'THE ARTEFACT').replace(/, [\d.]+ KB/g, '')).toBe(
    '  changelog.md\n  comment.md\n  conform.html\n  summary.md',
  )
})

test('the job fails at its end, in one sentence, after all steps', () => {
  expect(breaking).toMatch(
    /\+ Drift of generated code\n {2}\+ Summary\n {2}\+ Keep the reports\n[\s\S]*x Verdict\n {6}The contract: \d+ errors, 0 warnings, \d+ notes; found wanting by diff, drift\n/,
  )
  expect(breaking).toContain('THE JOB: failure (breaking: true, version: major)')
})

test('where nothing breaks, nothing is annotated and the job is green', () => {
  expect(part(harmless, 'BESIDE THE LINES')).toBe('  nothing')
  expect(harmless).toContain('## The contract: nobody is broken\n')
  expect(harmless).toContain('| ✅ diff | 0 | 0 | 1 | 1 note: safe to release |')
  expect(harmless).toMatch(/\| ✅ drift \| 0 \| 0 \| 0 \|/)
  expect(harmless).toContain('  This requires a **minor** version.')
  expect(harmless).toContain('THE JOB: success (breaking: false, version: minor)')
})
