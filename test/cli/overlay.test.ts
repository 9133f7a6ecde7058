import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { OPENAPI, OPENRPC, ran } from './command.js'

const folder = temporaryFolder('overlay')
const at = (...names: readonly string[]) => join(folder, ...names)
const write = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])

const HEAD = "overlay: 1.0.0\ninfo: { title: O, version: '1' }\n"

beforeAll(() => {
  write('openapi.yaml', OPENAPI)
  write('openrpc.yaml', OPENRPC)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  write(
    'count.yaml',
    `${HEAD}actions:
  - target: $..schema
    update: { format: int64 }
  - target: $..schema.type
    remove: true
  - target: $..schema
    update: { type: integer }
  - target: $..example
    remove: true
`,
  )
  write('public.yaml', `${HEAD}actions:\n  - target: $.paths['/now'].get\n    remove: true\n`)
  write('broken.yaml', `${HEAD}actions:\n  - { target: now, remove: true }\n`)
  write(
    'wrong.yaml',
    `${HEAD}extends: openapi.yaml
actions:
  - target: $.paths['/now'].get
    update:
      parameters:
        - { name: zone, in: query, schema: { type: strng } }
  - target: $.paths['/then'].get
    remove: true
`,
  )
})

it('lint has findings of an overlay at their places in it', async () => {
  const { code, stdout } = await ran([
    'lint',
    ...[at('openapi.yaml'), at('openrpc.yaml'), '--overlay', at('wrong.yaml')],
    ...['--only', 'schema-type-is-unknown,overlay-target-matches-nothing', '--fail-on', 'warning'],
  ])
  const lines = stdout.replaceAll(`${folder}/`, '').match(/^\S+:\d+:\d+ .*\]$/gm)
  expect(lines).toEqual([
    'wrong.yaml:8:52 warning "strng" is not a type: write one of null, boolean, object, array, number, integer, string: type is ignored here [schema-type-is-unknown]',
    expect.stringMatching(
      /^wrong\.yaml:9:13 warning .*openapi\.yaml: .*\[overlay-target-matches-nothing\]$/,
    ),
  ])
  expect(code).toBe(1)
})

it.each(['--openapi', undefined])(
  'generate writes the code of the overlaid document, with bigint of overlaid formats (%s)',
  async (flag) => {
    const out = at('out', flag ?? 'word')
    const document = [...(flag === undefined ? [] : [flag]), at('openapi.yaml')]
    const rest = ['--overlay', at('count.yaml'), '--bigint', 'int64', '--only', 'types']
    expect(await ran(['generate', ...document, ...rest, '--out', out])).toMatchObject({ code: 0 })
    expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).toContain("'application/json': bigint")
  },
)

it('an invalid overlay ends a command with its place', async () => {
  const { code, stderr } = await ran([
    'generate',
    ...[at('openapi.yaml'), '--overlay', at('broken.yaml'), '--out', at('none')],
  ])
  expect(stderr.replaceAll(`${folder}/`, '')).toMatch(
    /^broken\.yaml:4:15 error .*overlay-is-invalid/m,
  )
  expect(code).toBe(2)
})

it('an overlay that does not exist ends a command', async () => {
  const { code, stderr } = await ran(['lint', at('openapi.yaml'), '--overlay', at('gone.yaml')])
  expect(stderr).toContain(`there is no file ${at('gone.yaml')}`)
  expect(code).toBe(2)
})

it('diff applies overlays to both versions, also to a git revision that has none', async () => {
  const both = [
    ...['diff', '--openapi', at('openapi.yaml'), '--openrpc', at('openrpc.yaml')],
    ...['--against', 'git:main', '--overlay', at('count.yaml')],
  ]
  expect(await ran(both)).toEqual({ code: 0, stdout: '', stderr: 'nothing changed\n' })
  write('changed.yaml', OPENAPI.replace('/now', '/time'))
  const changed = ['diff', '--openapi', at('changed.yaml'), '--against', at('openapi.yaml')]
  expect(await ran(changed)).toMatchObject({ code: 1 })
  // The overlay removes the operation that the new version no longer has.
  const hidden = await ran([...changed, '--overlay', at('public.yaml'), '--format', 'json'])
  expect(hidden.code).toBe(0)
  expect(hidden.stdout).not.toContain('operation-removed')
})

it('overlays of a configuration apply in their order, where the command line names no documents', async () => {
  write('config/spec/openapi.yaml', OPENAPI)
  write('config/parts/a.yaml', `${HEAD}actions: [{ target: $.info, update: { title: First } }]\n`)
  write('config/parts/b.yaml', `${HEAD}actions: [{ target: $.x, remove: true }]\n`)
  write(
    'config/twinspec.config.yaml',
    'documents: { openapi: spec/openapi.yaml, overlay: [parts/a.yaml, parts/b.yaml] }\n',
  )
  const only = ['--only', 'overlay-target-matches-nothing']
  const env = { TWINSPEC_CONFIG: at('config/twinspec.config.yaml') }
  const configured = await ran(['lint', ...only], { env })
  expect(configured.stdout).toContain('parts/b.yaml:3:21 warning the target $.x matches nothing')
  const named = await ran(['lint', at('openapi.yaml'), ...only], { env })
  expect(named.stdout).toBe('')
})

it('an overlay in the place of a document is an error that says what to do', async () => {
  const { code, stdout } = await ran(['lint', at('public.yaml')])
  expect(stdout).toContain('name it with --overlay')
  expect(code).toBe(1)
})
