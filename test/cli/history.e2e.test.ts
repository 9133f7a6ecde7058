import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { History } from '../../src/cli/history.js'
import { temporaryFolder } from '../temporary-folder.js'
import { ran } from './command.js'

const folder = temporaryFolder('history')

const at = (name: string) => join(folder, name)

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    env: { ...process.env, ...dates },
  })

let dates: Readonly<Record<string, string>> = {}

const write = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

const commit = (day: string, ...tags: readonly string[]) => {
  dates = { GIT_AUTHOR_DATE: `${day}T12:00:00Z`, GIT_COMMITTER_DATE: `${day}T12:00:00Z` }
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', `--message=${day}`)
  for (const tag of tags) git('tag', tag)
}

/** A document of operations, each with its marks. */
const api = (operations: Readonly<Record<string, string>>) => `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
${Object.entries(operations)
  .map(
    ([name, marks]) => `  /${name}:
    get:
      operationId: ${name}
${marks}      responses: { '200': { description: Done. } }
`,
  )
  .join('')}`

const OLD = "      deprecated: true\n      x-sunset: '2026-03-01'\n"

beforeAll(() => {
  git('init', '--quiet', '--initial-branch=main')
  write('api.yaml', api({ orders: '', carts: '' }))
  commit('2026-01-01', 'v1.0.0')
  write('api.yaml', api({ orders: '', carts: OLD, items: '' }))
  commit('2026-02-01', 'v1.2.0', 'other-v1.3.0', 'nightly')
  git('mv', 'api.yaml', 'moved.yaml')
  commit('2026-02-02')
  write('moved.yaml', api({ orders: '', carts: OLD, items: '', drafts: '' }))
  commit('2026-02-10', 'v1.10.0-rc.1')
  write('moved.yaml', 'openapi: [')
  commit('2026-02-20', 'v1.3.0')
  write('moved.yaml', api({ orders: '', items: '', drafts: '' }))
  commit('2026-04-01', 'v1.10.0')
  write('moved.yaml', api({ items: '', drafts: '' }))
  commit('2026-05-01')
})

const history = (...args: readonly string[]) => {
  const isFrom = args.some((one) => one.startsWith('--from'))
  return ran(['diff', at('moved.yaml'), ...(isFrom ? [] : ['--from', 'v1.0.0']), ...args])
}

describe('diff --from', () => {
  it('is one changelog of all versions up to HEAD, through a rename, in version order', async () => {
    const { code, stdout, stderr } = await history('--format', 'markdown')
    expect(stdout.replaceAll(folder, '')).toMatchInlineSnapshot(`
      "# Changelog

      ## Unreleased

      ### Breaking

      **\`GET /orders\`**

      - GET /orders is removed without a deprecation: its callers are rejected (\`operation-removed-without-deprecation\`)

      ## v1.10.0 (2026-04-01)

      ### Added

      **\`GET /drafts\`**

      - GET /drafts is new (\`operation-added\`)

      ### Removed

      **\`GET /carts\`**

      - GET /carts is removed: its x-sunset was 2026-03-01 (\`operation-removed-after-deprecation\`)

      ## v1.2.0 (2026-02-01)

      ### Added

      **\`GET /items\`**

      - GET /items is new (\`operation-added\`)

      ### Deprecated

      **\`GET /carts\`**

      - GET /carts is deprecated now, until 2026-03-01 (\`operation-deprecated\`)

      v1.3.0 is skipped: git:v1.3.0:moved.yaml:1:11 the YAML is invalid: Flow sequence in block collection must be sufficiently indented and end with a \\]: indent it like its siblings, or close the quotes or brackets above
      "
    `)
    expect(stderr).toContain('v1.3.0 is skipped: ')
    expect(stderr).toContain('3 versions after v1.0.0, up to HEAD\n')
    expect(code).toBe(0)
  })

  it('as JSON, with a step and findings of each version', async () => {
    const { stdout } = await history('--format', 'json')
    const { from, to, versions, leftOut } = JSON.parse(stdout) as History
    const rules = versions.map(({ version, previous, date, step, changes }) => [
      `${previous} -> ${version}`,
      date,
      step,
      Object.fromEntries(
        Object.entries(changes).flatMap(([kind, found]) =>
          found.length === 0 ? [] : [[kind, found.map(({ rule }) => rule)]],
        ),
      ),
    ])
    expect([from, to]).toEqual(['v1.0.0', 'HEAD'])
    expect(leftOut.map(({ version }) => version)).toEqual(['v1.3.0'])
    expect(rules).toEqual([
      [
        'v1.10.0 -> HEAD',
        undefined,
        'major',
        { breaking: ['operation-removed-without-deprecation'] },
      ],
      [
        'v1.2.0 -> v1.10.0',
        '2026-04-01',
        'major',
        { added: ['operation-added'], removed: ['operation-removed-after-deprecation'] },
      ],
      [
        'v1.0.0 -> v1.2.0',
        '2026-02-01',
        'minor',
        { added: ['operation-added'], deprecated: ['operation-deprecated'] },
      ],
    ])
  })

  it.each<readonly [what: string, args: readonly string[], versions: readonly string[]]>([
    ['up to a tag', ['--to', 'v1.2.0'], ['v1.2.0']],
    ['up to a revision', ['--to', 'v1.2.0^{commit}'], ['v1.2.0']],
    ['a pre-release that is named', ['--to', 'v1.10.0-rc.1'], ['v1.10.0-rc.1', 'v1.2.0']],
    ['of other tags', ['--from', 'other-v1.3.0', '--to', 'HEAD~1'], ['HEAD~1']],
    ['from a revision', ['--from', 'HEAD~4', '--to', 'v1.10.0'], ['v1.10.0']],
  ])('%s', async (_, args, versions) => {
    const { stdout, stderr } = await history('--format', 'json', ...args)
    expect(stderr).not.toContain('error')
    expect((JSON.parse(stdout) as History).versions.map(({ version }) => version)).toEqual(versions)
  })

  it('says where no version lies between', async () => {
    const { stderr } = await history('--to', 'v1.2.0')
    expect(stderr).toBe(
      'there is no version between v1.0.0 and v1.2.0: they are compared with each other\n',
    )
  })

  it('writes --changelog too', async () => {
    const { stdout } = await history('--changelog', at('out.md'))
    expect(readFileSync(at('out.md'), 'utf8')).toBe(stdout)
  })

  it.each<readonly [what: string, args: readonly string[], said: string]>([
    [
      'two versions before',
      ['--from', 'v1.0.0', '--against', 'old.yaml'],
      '--from and --against both name the version before: give one of them',
    ],
    [
      'a tag that is misspelt',
      ['--from', 'v1.0.1'],
      'git does not find v1.0.1: did you mean v1.0.0?',
    ],
    [
      'one that is nothing like a tag',
      ['--from', 'the-last-release'],
      'git does not find the-last-release: the last version tags are ',
    ],
    [
      'an option in place of a tag',
      ['--from=--all'],
      'twinspec diff: git does not find --all: the last version tags are v1.0.0, v1.10.0, v1.10.0-rc.1, v1.2.0, v1.3.0',
    ],
    [
      'the wrong order',
      ['--from', 'v1.10.0', '--to', 'v1.2.0'],
      'v1.2.0 does not come after v1.10.0',
    ],
    ['the same twice', ['--from', 'HEAD', '--to', 'main'], 'main does not come after HEAD'],
    ['a revision before a tag', ['--from', 'v1.10.0', '--to', 'HEAD~4'], 'does not come after'],
    [
      'another format',
      ['--format', 'sarif'],
      '--from prints a changelog and no findings, so --format is markdown or json, not sarif',
    ],
    ['a usage', ['--usage', 'usage.json'], '--usage applies to one version'],
    ['a document that is broken', ['--to', 'v1.3.0'], 'moved.yaml'],
  ])('rejects %s', async (_, args, said) => {
    const { code, stderr } = await history(...args)
    expect(stderr).toContain(said)
    expect(code).toBe(2)
  })

  it('rejects a document that the first version does not have, and --to alone', async () => {
    write('new.yaml', api({ orders: '' }))
    const { code, stderr } = await ran(['diff', at('new.yaml'), '--from', 'v1.0.0'])
    expect(stderr).toMatch(/v1\.0\.0 has no .*new\.yaml, under this or an earlier name/)
    expect(code).toBe(2)
    const alone = await ran(['diff', at('moved.yaml'), '--to', 'HEAD'])
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--to needs --from')])
  })
})

describe('docs --from', () => {
  it('has the changelog as a page', async () => {
    const args = ['docs', at('moved.yaml'), '--from', 'v1.0.0', '--out', at('site')]
    const { code } = await ran(args)
    expect(code).toBe(0)
    const page = readFileSync(at('site/changelog.html'), 'utf8')
    const headings = [...page.matchAll(/<h(\d)[^>]*>([^<]*)/g)].map(
      ([, level, text]) => `${level} ${text}`,
    )
    expect(headings).toEqual(
      expect.arrayContaining([
        '1 Changelog',
        '2 Unreleased',
        '2 v1.10.0 (2026-04-01)',
        '3 Removed',
      ]),
    )
    const both = await ran([...args, '--against', at('moved.yaml')])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--from and --against')])
  })
})

describe('a version with errors of its own', () => {
  it('is named, and the next version is compared with it', async () => {
    const faulty = '      parameters: 1\n'
    write('shop/api.yaml', api({ orders: '' }))
    commit('2026-06-01', 'shop-v1.0.0')
    write('shop/api.yaml', api({ orders: faulty, carts: '' }))
    commit('2026-06-02', 'shop-v1.1.0')
    write('shop/api.yaml', api({ orders: faulty, carts: '', items: '' }))
    commit('2026-06-03', 'shop-v1.2.0')
    const versions = ['--from', 'shop-v1.0.0', '--to', 'shop-v1.2.0']
    const { stdout } = await ran(['diff', at('shop/api.yaml'), ...versions, '--format', 'json'])
    const made = JSON.parse(stdout) as History
    expect(made.leftOut).toEqual([
      { version: 'shop-v1.1.0', reason: expect.stringContaining('parameters must be a list') },
    ])
    expect(made.versions.map(({ version, previous }) => [previous, version])).toEqual([
      ['shop-v1.1.0', 'shop-v1.2.0'],
    ])
  })
})
