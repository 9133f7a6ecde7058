import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/cli/config/read.js'
import { configSchema, publishedSchema } from '../../src/cli/config/schema.js'
import { missingTexts, RULES, rulesMarkdown } from '../../src/cli/rules.js'
import { findingsIn } from '../report/report-of.js'
import { OPENRPC, ran } from './command.js'
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
  const findings: readonly Listed[] = result.code === 2 ? [] : findingsIn(result.stdout)
  return { ...result, folder, findings, levels: levelsOf(findings) }
}

type Listed = { readonly rule: string; readonly level: string; readonly message: string }

const levelsOf = (findings: readonly Listed[]) =>
  Object.fromEntries(findings.map(({ rule, level }) => [rule, level]))

const DOCUMENTS = 'documents: { openrpc: rpc.yaml }\n'

const EVERY_SECTION = `documents: { openapi: a.yaml, openrpc: b.yaml, arazzo: c.yaml, allow-outside: .. }
generate: { out: generated, with: [msw, viem] }
rules: { example-invalid: error, response-has-no-example: off }
overrides:
  - { files: ['legacy/**'], rules: { example-invalid: note } }
ignore:
  - { rule: example-invalid, where: GET /orders, reason: agreed, until: '2030-01-31' }
diff: { against: 'git:origin/main', baseline: accepted.yaml, changelog: CHANGES.md, fail-on: warning }
conform:
  url: https://staging.example
  servers: { main: 'https://staging.example/rpc' }
  only: [eth_call]
  rate: 0
  read-only: true
  fail-on: warning
`

describe('twinspec.config.yaml', () => {
  it('names the documents, from its own folder', async () => {
    const { code, levels } = await linted(DOCUMENTS)
    expect(code).toBe(0)
    expect(levels).toMatchObject({ 'method-has-no-example': 'warning' })
  })

  it('has paths from its own folder, for every key that the schema describes as a path', async () => {
    const sections = Object.entries(configSchema([]).properties ?? {}).flatMap(
      ([name, section]) => {
        const keys = Object.entries((typeof section === 'object' && section.properties) || {})
          .filter(
            ([, one]) =>
              typeof one === 'object' && /; below this folder$/.test(one.description ?? ''),
          )
          .map(([key]) => key)
        return keys.length === 0 ? [] : [{ name, keys }]
      },
    )
    const config = Object.fromEntries(
      sections.map(({ name, keys }) => [
        name,
        Object.fromEntries(keys.map((key) => [key, `${key}/it`])),
      ]),
    )
    const folder = await folderOf({ 'twinspec.config.yaml': JSON.stringify(config) })
    const { flags } = readConfig(join(folder, 'twinspec.config.yaml'), [])
    expect(sections.map(({ name }) => name)).toContain('compatibility')
    for (const { name, keys } of sections)
      for (const key of keys) expect(flags[name]?.[key]).toBe(join(folder, key, 'it'))
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

  it.each([
    [['ws://127.0.0.1:1'], 'ws://127.0.0.1:1 cannot be reached'],
    [['--stdio', 'no-such-program'], 'there is no program no-such-program'],
    [[], 'http://127.0.0.1:9 cannot be reached'],
  ])('tests the configured server, unless the command line has one: %s', async (args, message) => {
    const config = `${DOCUMENTS}conform: { url: 'http://127.0.0.1:9' }\n`
    const folder = await folderOf({ 'twinspec.config.yaml': config, 'rpc.yaml': CLOCK })
    const file = join(folder, 'twinspec.config.yaml')
    const { code, stderr } = await ran(['conform', ...args, '--config', file])
    expect(stderr).toContain(message)
    expect(code).toBe(2)
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

  it('rejects an entry of ignore until a day that does not exist, by a rule that explain knows', async () => {
    const entry = '{ rule: example-invalid, where: /a, reason: agreed, until: 2026-13-45 }'
    const { code, stderr } = await linted(`${DOCUMENTS}ignore: [${entry}]\n`)
    expect(code).toBe(2)
    const [, rule = ''] = /not 2026-13-45 \[(.+)\]/.exec(stderr) ?? []
    const explained = await twinspec('explain', rule)
    expect(explained.code).toBe(0)
    expect(explained.stdout).toContain(`${rule}  error of config`)
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
    expect(findingsIn(result.stdout).length).toBeGreaterThan(0)
  })

  it('does not generate other documents into the configured folder', async () => {
    const { folder } = await linted(`${DOCUMENTS}generate: { out: kept, with: [msw] }\n`)
    const config = ['--config', join(folder, 'twinspec.config.yaml')]
    await twinspec('generate', ...config)
    expect(readdirSync(join(folder, 'kept'))).toContain('msw.ts')
    const out = join(folder, 'other')
    await twinspec('generate', join(folder, 'rpc.yaml'), '--out', out, ...config)
    expect(readdirSync(out)).not.toContain('msw.ts')
  })

  it.each(['', '# documents: { openrpc: rpc.yaml }\n', '---\n'])(
    'has no settings without content: %j',
    async (config) => {
      const folder = await folderOf({ 'twinspec.config.yaml': config, 'rpc.yaml': CLOCK })
      const args = ['--config', join(folder, 'twinspec.config.yaml')]
      const { code, stdout } = await twinspec('lint', join(folder, 'rpc.yaml'), ...args)
      expect(code).toBe(0)
      expect(stdout).toContain('[method-has-no-example]')
    },
  )

  it('has no say with --config none', async () => {
    const { folder } = await linted('rules: { method-has-no-example: off }\n')
    const { stdout } = await twinspec('lint', join(folder, 'rpc.yaml'), '--config', 'none')
    expect(stdout).toContain('[method-has-no-example]')
    const missing = await twinspec('lint', '--config', join(folder, 'nope.yaml'))
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('there is no configuration')
  })
})

describe('# twinspec-ignore rule: reason', () => {
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

describe('twinspec explain', () => {
  it('says what a rule is, why, with an example and the fix', async () => {
    const { code, stdout } = await twinspec('explain', 'example-invalid')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^example-invalid {2}warning of lint\n/)
    for (const label of ['what', 'why', 'example', 'fix', 'page'])
      expect(stdout).toMatch(new RegExp(`^ {2}${label} +\\S`, 'm'))
  })

  it('suggests an id for a mistyped one', async () => {
    const wrong = await twinspec('explain', 'exampl-invalid')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('did you mean example-invalid?')
  })

  it('knows every rule of every command, each with an id of its own, an example and a fix', async () => {
    const rules: readonly Record<string, string>[] = JSON.parse(
      (await twinspec('explain', '--format', 'json')).stdout,
    )
    const ids = rules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(missingTexts()).toEqual([])
    for (const command of ['lint', 'diff', 'conform']) {
      const listed = await twinspec(command, '--list-rules', '--format', 'json')
      for (const { id } of JSON.parse(listed.stdout)) expect(ids).toContain(id)
    }
  })

  it('a rule without a text is named, with the file where its text belongs', () => {
    const [rule] = RULES.filter(({ command }) => command === 'lint')
    if (!rule) return expect.unreachable('lint has no rule')
    const bare = { ...rule, example: '', fix: 'Nothing to do.' }
    expect(
      missingTexts([
        { ...bare, id: 'one' },
        { ...bare, id: 'two', command: 'config' },
      ]),
    ).toEqual([
      'add `one` to src/cli/rule-texts/lint.txt: a line with the id, one with an example, one with the fix',
      'add `two` to src/cli/rule-texts/other.txt: a line with the id, one with an example, one with the fix',
    ])
  })

  it('docs/rules.md is printed from the same tables: npm run rules', () => {
    expect(readFileSync('docs/rules.md', 'utf8')).toBe(rulesMarkdown())
  })
})

describe('the JSON Schema of configurations in the package', () => {
  const published = readFileSync('src/cli/config/config.schema.json', 'utf8')

  it('is the one that the reader validates with: npm run rules', () => {
    expect(published).toBe(publishedSchema(RULES))
  })

  it.each([
    ['an empty section', 'documents: {}\n'],
    ['every section', EVERY_SECTION],
    ['a mistyped key', 'documents: { openprc: rpc.yaml }\n'],
    ['a mistyped section', 'comform: {}\n'],
    ['a level that does not exist', 'rules: { example-invalid: fatal }\n'],
    ['a text in place of a list', 'generate: { with: viem }\n'],
    [
      'an entry without a reason',
      'ignore: [{ rule: example-invalid, where: a, until: 2030-01-01 }]\n',
    ],
    ['credentials', 'conform: { api-key: abc }\n'],
  ])('agrees with the reader about %s', async (_, text) => {
    const folder = await folderOf({ 'twinspec.config.yaml': text, 'rpc.yaml': CLOCK })
    const flags = ['--config', join(folder, 'twinspec.config.yaml')]
    const { code } = await twinspec('lint', join(folder, 'rpc.yaml'), ...flags)
    const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(published))(parse(text))
    expect(code !== 2).toBe(isValid)
  })
})
