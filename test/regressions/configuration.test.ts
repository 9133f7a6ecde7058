import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPENRPC, ran } from '../cli/command.js'
import { folderOf, twinspec } from './command-line.js'

const CLOCK = OPENRPC
const JANUARY = () => new Date('2030-01-15T12:00:00Z')

/** Lints a folder that holds a configuration, in json. */
const linted = async (
  config: string,
  files: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
) => {
  const folder = await folderOf({ 'twinspec.config.yaml': config, 'rpc.yaml': CLOCK, ...files })
  const args = ['lint', '--config', join(folder, 'twinspec.config.yaml'), '--format', 'json']
  const result = await ran([...args, ...flags], { today: JANUARY })
  const findings: readonly Listed[] = result.code === 2 ? [] : JSON.parse(result.stdout)
  return { ...result, folder, findings, levels: levelsOf(findings) }
}

type Listed = { readonly rule: string; readonly level: string; readonly message: string }

const levelsOf = (findings: readonly Listed[]) =>
  Object.fromEntries(findings.map(({ rule, level }) => [rule, level]))

const DOCUMENTS = 'documents: { openrpc: rpc.yaml }\n'

describe('U7: twinspec.config.yaml', () => {
  it('names the documents, from its own folder', async () => {
    const { code, levels } = await linted(DOCUMENTS)
    expect(code).toBe(0)
    expect(levels).toMatchObject({ 'method-has-no-example': 'warning' })
  })

  it('gives rules a level, or turns them off', async () => {
    const rules = 'rules: { method-has-no-example: error, operation-has-no-description: off }\n'
    const { code, levels } = await linted(DOCUMENTS + rules)
    expect(code).toBe(1)
    expect(levels['method-has-no-example']).toBe('error')
    expect(levels).not.toHaveProperty('operation-has-no-description')
  })

  it('gives rules another level in some files, and the last entry that matches wins', async () => {
    const overrides = `overrides:
  - { files: ['**/*.yaml'], rules: { method-has-no-example: error } }
  - { files: ['rpc.*'], rules: { method-has-no-example: note } }
  - { files: ['old/**'], rules: { method-has-no-example: off } }
`
    const { levels } = await linted(DOCUMENTS + overrides)
    expect(levels['method-has-no-example']).toBe('note')
  })

  it('ignores a finding until a date, and reports the entry afterwards', async () => {
    const ignore = (until: string) =>
      `ignore:\n  - { rule: method-has-no-example, where: rpc.yaml#/methods/0, reason: no time, until: ${until} }\n`
    const before = await linted(DOCUMENTS + ignore('2030-01-15'))
    const accepted = before.findings.find(({ rule }) => rule === 'method-has-no-example')
    expect(accepted?.level).toBe('note')
    expect(accepted?.message).toContain('ignored until 2030-01-15: no time')
    const after = await linted(DOCUMENTS + ignore('2030-01-14'))
    expect(after.levels).toMatchObject({
      'method-has-no-example': 'warning',
      'acceptance-expired': 'note',
    })
  })

  it('reports an entry of ignore that has no finding', async () => {
    const { levels } = await linted(
      `${DOCUMENTS}ignore:\n  - { rule: example-invalid, where: clock_now, reason: old, until: 2031-01-01 }\n`,
    )
    expect(levels).toHaveProperty('acceptance-is-unused')
  })

  it('rejects a key that it does not know, with a suggestion and the place', async () => {
    const { code, stderr } = await linted('documents: { openprc: rpc.yaml }\ncomform: {}\n')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /twinspec\.config\.yaml:1:14 error there is no key openprc in documents: did you mean openrpc\? \[config-key-unknown\]/,
    )
    expect(stderr).toMatch(/:2:1 error there is no key comform: did you mean conform\?/)
    const rule = await linted(`${DOCUMENTS}rules: { method-has-no-exmple: off }\n`)
    expect(rule.stderr).toContain('did you mean method-has-no-example?')
  })

  it('rejects a value that cannot be, and credentials', async () => {
    const wrong = await linted('rules: { method-has-no-example: fatal }\n')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('[config-invalid]')
    const secret = await linted('conform: { api-key: abc }\n')
    expect(secret.stderr).toContain('set TWINSPEC_KEY')
    const url = await linted('conform: { url: "https://me:abc@example.com" }\n')
    expect(url.stderr).toContain('set TWINSPEC_KEY')
  })

  it('is overridden by the environment, and the environment by a flag', async () => {
    const folder = await folderOf({
      'twinspec.config.yaml':
        'documents: { openrpc: new.yaml }\ndiff: { against: old.yaml, fail-on: error }\n',
      'old.yaml': CLOCK,
      'new.yaml': `${CLOCK}  - { name: clock_zone, params: [], result: { name: zone, schema: {} } }\n`,
    })
    const args = ['diff', '--config', join(folder, 'twinspec.config.yaml')]
    const strict = { env: { TWINSPEC_DIFF_FAIL_ON: 'note' } }
    expect((await ran(args)).code).toBe(0)
    expect((await ran(args, strict)).code).toBe(1)
    expect((await ran([...args, '--fail-on', 'error'], strict)).code).toBe(0)
    const wrong = await ran(args, { env: { TWINSPEC_DIFF_FAIL_ON: 'fatal' } })
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain('TWINSPEC_DIFF_FAIL_ON cannot be fatal')
  })

  it('leaves documents alone that a command line names', async () => {
    const { folder } = await linted(DOCUMENTS)
    const result = await twinspec(
      ...['lint', join(folder, 'rpc.yaml'), '--format', 'json'],
      ...['--config', join(folder, 'twinspec.config.yaml')],
    )
    expect(JSON.parse(result.stdout).length).toBeGreaterThan(0)
  })

  it('has no say with --config none', async () => {
    const { folder } = await linted('rules: { method-has-no-example: off }\n')
    const { stdout } = await twinspec('lint', join(folder, 'rpc.yaml'), '--config', 'none')
    expect(stdout).toContain('[method-has-no-example]')
    const missing = await twinspec('lint', '--config', join(folder, 'nope.yaml'))
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('there is no configuration')
  })
})

describe('U7: # twinspec-ignore rule: reason', () => {
  const commented = (comment: string) =>
    CLOCK.replace('  - name: clock_now', `  ${comment}\n  - name: clock_now`)

  it('ignores a finding of the node below it', async () => {
    const text = commented('# twinspec-ignore method-has-no-example: the clock is slow')
    const { findings } = await linted(DOCUMENTS, { 'rpc.yaml': text })
    const accepted = findings.find(({ rule }) => rule === 'method-has-no-example')
    expect(accepted).toMatchObject({ level: 'note' })
    expect(accepted?.message).toContain('ignored: the clock is slow')
  })

  it('works without a configuration, and at the end of a line', async () => {
    const text = CLOCK.replace(
      '- name: clock_now',
      '- name: clock_now # twinspec-ignore method-has-no-example: the clock is slow',
    )
    const folder = await folderOf({ 'rpc.yaml': text })
    const { stdout } = await twinspec('lint', join(folder, 'rpc.yaml'))
    expect(stdout).not.toContain('[method-has-no-example]')
    expect(stdout).toContain('[operation-has-no-description]')
  })

  it('is no comment within a text', async () => {
    const text = CLOCK.replace(
      '    params: []',
      '    description: |\n      # twinspec-ignore method-has-no-example: text\n    params: []',
    )
    const { levels } = await linted(DOCUMENTS, { 'rpc.yaml': text })
    expect(levels).toMatchObject({ 'method-has-no-example': 'warning' })
  })

  it('is reported where it has no reason, and where there is nothing to ignore', async () => {
    const reasonless = await linted(DOCUMENTS, {
      'rpc.yaml': commented('# twinspec-ignore method-has-no-example'),
    })
    expect(reasonless.levels).toMatchObject({ 'ignore-comment-invalid': 'warning' })
    const superfluous = await linted(DOCUMENTS, {
      'rpc.yaml': commented('# twinspec-ignore example-invalid: none'),
    })
    expect(superfluous.levels).toMatchObject({ 'acceptance-is-unused': 'note' })
  })
})
