import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findingsIn } from '../report/report-of.js'
import { OPENAPI, OPENRPC, ran } from './command.js'
import { folderOf, twinspec } from './command-line.js'

it('files that are out of date are one finding, which counts and lists them', async () => {
  const folder = await folderOf({ 'api.yaml': OPENAPI })
  const [document, out] = [join(folder, 'api.yaml'), join(folder, 'generated')]
  await twinspec('generate', document, '--out', out)
  writeFileSync(document, OPENAPI.replaceAll('/now', '/today').replaceAll('getNow', 'getToday'))
  const check = (format: string) =>
    twinspec('generate', document, '--out', out, '--check', '--format', format)
  const github = await check('github')
  expect(github.code).toBe(1)
  expect(github.stdout.match(/^::error /gm)).toHaveLength(1)
  const [finding, ...others] = findingsIn((await check('json')).stdout)
  expect(others).toEqual([])
  expect(finding).toMatchObject({ rule: 'generated-files-stale', level: 'error' })
  expect(finding?.message).toContain(`${finding?.details?.length} files are`)
  expect(finding?.details?.length).toBeGreaterThan(3)
})

it('every verb takes documents by position, by their content', async () => {
  const folder = await folderOf({ 'a.yaml': OPENAPI, 'b.yaml': OPENRPC })
  const documents = [join(folder, 'a.yaml'), join(folder, 'b.yaml')]
  const out = (name: string) => join(folder, name)
  const results = [
    await twinspec('lint', ...documents),
    await twinspec('generate', ...documents, '-o', out('generated')),
    await twinspec('diff', ...documents, '--against', folder, '--allow-missing-base'),
    await twinspec('docs', ...documents, '-o', out('site')),
    await twinspec('init', ...documents, '--dir', out('project')),
  ]
  expect(results.map(({ stderr }) => stderr).join('')).not.toMatch(/unexpected argument|no flag/)
  expect(results.filter((_, index) => index !== 2).map(({ code }) => code)).toEqual([0, 0, 0, 0])
})

it('the id of the rule is in brackets at the end of the line of a finding', async () => {
  const folder = await folderOf({ 'b.yaml': OPENRPC })
  const { stdout } = await twinspec('lint', join(folder, 'b.yaml'))
  expect(stdout).toMatch(/b\.yaml:4:5 warning .* \[method-has-no-example\]\n/)
})

it('a file that cannot be read has no line and no column', async () => {
  const { code, stderr, stdout } = await twinspec('lint', '--openapi', 'nope.yaml')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    'twinspec lint: a file cannot be read:\n  nope.yaml error there is no file nope.yaml [document-does-not-exist]\n',
  )
  const github = await twinspec('lint', '--openapi', 'nope.yaml', '--format', 'github')
  expect(github.stdout).toMatch(/^::error file=nope\.yaml,title=/)
})

it('an error names the command', async () => {
  const folder = await folderOf({ 'a.yaml': OPENAPI })
  const wrong = await twinspec('diff', join(folder, 'a.yaml'), '--against', 'git:nosuch')
  expect(wrong.stderr).toMatch(/^twinspec diff: /)
  const none = await twinspec('docs', folder, '--out', join(folder, 'site'))
  expect(none.stderr).toMatch(/^twinspec docs: /)
})

it('short flags are read where people try them first', async () => {
  expect((await twinspec('-h')).stdout).toContain('COMMANDS')
  expect(await twinspec('lint', '-h')).toEqual(await twinspec('help', 'lint'))
  expect(await twinspec('-v')).toEqual(await twinspec('--version'))
  const folder = await folderOf({ 'b.yaml': OPENRPC })
  const { stdout } = await ran(['lint', join(folder, 'b.yaml'), '-v'])
  expect(stdout).toBe((await ran(['lint', join(folder, 'b.yaml'), '--verbose'])).stdout)
})
