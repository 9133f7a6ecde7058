import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findingsIn } from '../report/report-of.js'
import { temporaryFolder } from '../temporary-folder.js'
import { OPENAPI, OPENRPC, ran } from './command.js'

const folder = temporaryFolder('diff')

const at = (...names: readonly string[]) => join(folder, ...names)

const write = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

const git = (...args: readonly string[]) =>
  execFileSync('git', [
    '-C',
    at('repository'),
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    ...args,
  ])

/** The operation stands in a file of its own, above the folder of the entry. */
const SPLIT = `openapi: 3.0.3
info: { title: Clock, version: '1' }
paths:
  /now: { $ref: '../parts/now.yaml' }
`
const NOW = `get:
  operationId: getNow
  responses: { '200': { description: The time } }
`

beforeAll(() => {
  write('old.yaml', OPENAPI)
  write('new.yaml', OPENAPI.replace('/now', '/time'))
  write('old/openapi.yaml', OPENAPI)
  write('old/openrpc.yaml', OPENRPC)
  write('openrpc.yaml', OPENRPC)
  write('rpc/openrpc.yaml', OPENRPC)
  write('repository/spec/openapi.yaml', SPLIT)
  write('repository/parts/now.yaml', NOW)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  write('repository/parts/now.yaml', NOW.replace('200', '202'))
})

describe('diff', () => {
  it('compares two documents, and ends with 1 where something breaks', async () => {
    const { code, stdout, stderr } = await ran([
      'diff',
      ...['--openapi', at('new.yaml'), '--against', at('old.yaml')],
    ])
    expect(stdout.replaceAll(folder, '')).toMatchInlineSnapshot(`
      "/new.yaml:4:3 error GET /now is removed without a deprecation: its callers are rejected [operation-removed-without-deprecation]
          before: /old.yaml:6:7
          instead: keep it, mark it deprecated with an x-sunset date, and remove it after that day
      /new.yaml:6:7 note GET /time is new [operation-added]
          before: /old.yaml:4:3
      "
    `)
    expect(stderr).toBe('1 breaking, 1 note: not safe to release\n')
    expect(code).toBe(1)
  })

  it('says that nothing changed', async () => {
    const args = ['diff', '--openapi', at('old.yaml'), '--against', at('old')]
    expect(await ran(args)).toEqual({ code: 0, stdout: '', stderr: 'nothing changed\n' })
  })

  it('compares what is named with the same of a folder', async () => {
    const { code, stdout } = await ran([
      'diff',
      ...['--openrpc', at('openrpc.yaml'), '--against', at('old'), '--format', 'json'],
    ])
    expect([code, findingsIn(stdout)]).toEqual([0, []])
  })

  it.each([
    ['error', 0, 'safe to release'],
    ['warning', 0, 'safe to release'],
    ['note', 1, 'fails with --fail-on note'],
  ])('with --fail-on %s ends with %d where there are notes alone', async (level, code, words) => {
    write(
      'added.yaml',
      `${OPENAPI}  /more: { get: { responses: { '200': { description: a } } } }\n`,
    )
    const args = ['--openapi', at('added.yaml'), '--against', at('old.yaml'), '--fail-on', level]
    const end = await ran(['diff', ...args])
    expect(end).toMatchObject({ code, stderr: `1 note: ${words}\n` })
  })

  it('writes a changelog', async () => {
    const { stdout } = await ran([
      'diff',
      ...['--openapi', at('new.yaml'), '--against', at('old.yaml'), '--format', 'markdown'],
    ])
    expect(stdout.replaceAll(folder, '')).toMatchInlineSnapshot(`
      "## Breaking

      ### \`GET /now\`

      - GET /now is removed without a deprecation: its callers are rejected (\`operation-removed-without-deprecation\`, \`/new.yaml:4\`)
        - before: \`/old.yaml:6:7\`
        - instead: keep it, mark it deprecated with an x-sunset date, and remove it after that day

      ## Added and changed

      ### \`GET /time\`

      - GET /time is new (\`operation-added\`, \`/new.yaml:6\`)
        - before: \`/old.yaml:4:3\`

      1 breaking, 1 note: not safe to release

      compared with: /old.yaml; version step: major
      "
    `)
  })

  it('writes the changelog besides, and how much of a version it asks for', async () => {
    const versions = ['--openapi', at('new.yaml'), '--against', at('old.yaml')]
    const { stdout } = await ran(['diff', ...versions, '--format', 'markdown'])
    const besides = await ran(['diff', ...versions, '--changelog', at('changelog.md')])
    expect(besides.stdout).not.toContain('## Breaking')
    const written = readFileSync(at('changelog.md'), 'utf8')
    expect(written).toMatch(/\n\nThis requires a \*\*major\*\* version\.\n$/)
    expect(stdout.startsWith(written.split('\nThis requires')[0] ?? 'nothing')).toBe(true)
    const nowhere = await ran(['diff', ...versions, '--changelog', at('none', 'changelog.md')])
    expect(nowhere).toMatchObject({ code: 2, stdout: '' })
  })

  it('takes changes that are accepted for notes, until their day', async () => {
    const entry = `rule: operation-removed-without-deprecation, where: getNow, reason: unused, until: '2030-01-01'`
    write('accepted.yaml', `accepted: [{ ${entry} }]\n`)
    const args = ['diff', '--openapi', at('new.yaml'), '--against', at('old.yaml')]
    const accepted = ['--baseline', at('accepted.yaml')]
    const on = (day: string) => ran([...args, ...accepted], { today: () => new Date(day) })
    expect(await on('2029-12-31')).toMatchObject({ code: 0, stderr: '2 notes: safe to release\n' })
    expect(await on('2030-01-02')).toMatchObject({
      code: 1,
      stderr: '1 breaking, 2 notes: not safe to release\n',
    })
  })

  it('tells every fault of the documents and of the accepted changes at once', async () => {
    write('broken.yaml', OPENAPI.replace('{ type: string }', "{ $ref: '#/components/schemas/T' }"))
    write('broken-before.yaml', OPENAPI.replace('responses:', 'parameters: 1\n      responses:'))
    write(
      'wrong.yaml',
      'accepted:\n  - { rule: operation-remved, where: GET /now, until: June }\n  - 1\n',
    )
    const { code, stdout, stderr } = await ran([
      ...['diff', '--openapi', at('broken.yaml'), '--against', at('broken-before.yaml')],
      ...['--baseline', at('wrong.yaml')],
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const lines = stderr.replaceAll(`${folder}/`, '').match(/^(broken|wrong).*$/gm)
    expect(lines?.join('\n')).toMatchInlineSnapshot(`
      "wrong.yaml:2:13 error there is no rule operation-remved: did you mean operation-added? [acceptance-is-invalid]
      wrong.yaml:2:5 error an accepted change needs reason: why the change is accepted [acceptance-is-invalid]
      wrong.yaml:2:55 error until must be a date such as 2030-01-31, not June [acceptance-is-invalid]
      wrong.yaml:3:5 error an accepted change needs rule, where, reason and until [acceptance-is-invalid]
      broken-before.yaml:7:19 error parameters must be a list of parameters, not 1: it is left out [field-has-wrong-type]
      broken.yaml:12:31 error the target of #/components/schemas/T does not exist [reference-is-dangling]"
    `)
  })

  it('compares versions with the same errors, and refuses an error of one version alone', async () => {
    const broken = OPENAPI.replace('responses:', 'parameters: 1\n      responses:')
    write('same.yaml', broken)
    write('same-before.yaml', broken.replace('/now', '/later'))
    const against = (before: string) =>
      ran(['diff', '--openapi', at('same.yaml'), '--against', at(before)])
    const same = await against('same-before.yaml')
    expect(same.code).toBe(1)
    expect(same.stdout).toContain('GET /later')
    expect(same.stderr).toMatch(/same\.yaml:7:19 error parameters must be a list/)
    write('fine-before.yaml', OPENAPI)
    const alone = await against('fine-before.yaml')
    expect(alone).toMatchObject({ code: 2, stdout: '' })
    expect(alone.stderr).toMatch(/same\.yaml:7:19 error parameters must be a list/)
  })

  it('prints the table of rules', async () => {
    const { code, stdout } = await ran(['diff', '--list-rules'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^operation-added +note +an operation is new$/m)
    const { stdout: json } = await ran(['diff', '--list-rules', '--format', 'json'])
    expect(JSON.parse(json)[0]).toMatchObject({ id: 'operation-added', level: 'note' })
  })
})

describe('diff against a revision', () => {
  const entry = () => at('repository', 'spec', 'openapi.yaml')

  it('reads the same paths there, and what they refer to, and leaves the work tree alone', async () => {
    const { code, stdout } = await ran([
      'diff',
      ...['--openapi', entry(), '--against', 'git:main', '--allow-outside', at('repository')],
    ])
    expect(stdout.replaceAll(folder, '')).toMatchInlineSnapshot(`
      "/repository/parts/now.yaml:3:14 error GET /now no longer returns 200: clients that expect it may treat another status as a failure [success-status-removed]
          before: git:main:parts/now.yaml:3:23
          instead: keep returning that status
      /repository/parts/now.yaml:3:23 note GET /now may return 202 now [success-status-added]
          before: git:main:parts/now.yaml:3:14
      "
    `)
    expect(code).toBe(1)
    expect(String(git('status', '--porcelain'))).toBe(' M parts/now.yaml\n')
  })

  it('refuses where nothing that is named was there, for it may have been moved', async () => {
    write('repository/other.yaml', OPENAPI)
    const args = ['diff', '--openapi', at('repository', 'other.yaml'), '--against', 'git:main']
    const { code, stderr } = await ran(args)
    expect([code, stderr.replaceAll(folder, '')]).toEqual([
      2,
      'twinspec diff: there is no /repository/other.yaml at main: name a file or folder of main, as in --against git:main:spec/openapi.yaml, or add --allow-missing-base\n',
    ])
  })

  it.each([
    ['at the revision', 'git:main', []],
    ['in the folder', at('nowhere'), []],
    ['for a machine', 'git:main', ['--format', 'json']],
  ])(
    '--allow-missing-base takes documents for new where there were none: %s',
    async (_, against, more) => {
      write('repository/other.yaml', OPENAPI)
      const args = ['diff', '--openapi', at('repository', 'other.yaml'), '--against', against]
      const { code, stdout, stderr } = await ran([...args, '--allow-missing-base', ...more])
      const summary = `there was no document at ${against}: everything is new`
      expect({ code, stderr }).toEqual({ code: 0, stderr: `${summary}\n` })
      if (more.length === 0) expect(stdout).toBe('')
      else expect(JSON.parse(stdout)).toMatchObject({ findings: [], summary })
    },
  )

  it('--allow-missing-base goes on refusing a revision that does not exist, and documents that cannot be read', async () => {
    write('repository/broken.yaml', OPENAPI.replace('paths:', 'paths: 1\nx-paths:'))
    const diff = (file: string, against: string) =>
      ran([
        'diff',
        '--openapi',
        at('repository', file),
        '--against',
        against,
        '--allow-missing-base',
      ])
    expect(await diff('other.yaml', 'git:gone')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('git does not find gone'),
    })
    expect(await diff('broken.yaml', 'git:main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('paths must be an object'),
    })
  })

  it('warns of one that was not there beside one that was', async () => {
    write('repository/methods.yaml', OPENRPC)
    const named = ['--openapi', entry(), '--openrpc', at('repository', 'methods.yaml')]
    const allowed = ['--allow-outside', at('repository')]
    const { code, stdout } = await ran(['diff', ...named, '--against', 'git:main', ...allowed])
    expect(stdout.replaceAll(folder, '')).toContain(
      `/repository/methods.yaml:1:1 warning the old version has no OpenRPC document, so all of Clock 1 is new [document-is-new]
    instead: if it was moved or renamed, name its old place with --against
`,
    )
    expect(code).toBe(1)
    rmSync(at('repository', 'methods.yaml'))
  })
})

describe('what keeps diff from comparing', () => {
  it.each([
    [
      'no version',
      [],
      'twinspec diff: --against names the version before: a file, a folder or git:origin/main',
    ],
    ['no file', ['--against', '/none.yaml'], 'there is no file /none.yaml'],
    [
      'an empty folder',
      ['--against', '/repository/parts'],
      'there is neither openapi.yaml nor openrpc.yaml in /repository/parts',
    ],
    [
      'a folder without what is named',
      ['--against', '/rpc'],
      'there is no openapi.yaml in /rpc: name the document itself',
    ],
    [
      'the other kind',
      ['--against', '/openrpc.yaml'],
      '/openrpc.yaml is an openrpc document: name the new one with --openrpc',
    ],
    [
      'no revision',
      ['--against', 'git:nope'],
      'git does not find nope: fetch it first, or name another branch, tag or commit',
    ],
    [
      'an option for a revision',
      ['--against', 'git:--all'],
      'git does not find --all: fetch it first, or name another branch, tag or commit',
    ],
    [
      '--list-rules as a report',
      ['--list-rules', '--format', 'sarif'],
      'twinspec diff: --list-rules is printed as text or json, not as sarif',
    ],
  ])('%s', async (_, args, message) => {
    const openapi = at('repository', 'spec', 'openapi.yaml')
    const given = args.map((arg) => (arg.startsWith('/') ? at(arg) : arg))
    const { code, stderr } = await ran(['diff', '--openapi', openapi, ...given])
    expect(code).toBe(2)
    expect(stderr.replaceAll(folder, '')).toContain(message)
    expect(stderr).not.toContain('at Object')
  })

  it('no repository', async () => {
    const args = ['diff', '--openapi', at('old.yaml'), '--against', 'git:main']
    const { code, stderr } = await ran(args)
    expect([code, stderr.replaceAll(folder, 'here')]).toEqual([
      2,
      'twinspec diff: here is not in a git repository\n',
    ])
  })
})
