import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtFile } from '../built/imports.js'
import { findingsIn } from '../report/report-of.js'
import { basicVariables } from '../variables.js'
import { OPENAPI, OPENRPC } from './command.js'
import { folderOf } from './command-line.js'

const MAIN = builtFile('src/cli/main.js')

/** Runs the program, and returns what it prints. Its exit code must be 0. */
const program = (
  args: readonly string[],
  {
    cwd,
    env = {},
  }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): string =>
  execFileSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    env: { ...basicVariables(), ...env },
    ...(cwd !== undefined && { cwd }),
    timeout: 900_000,
  })

it('FORCE_COLOR colours what goes to a pipe, and NO_COLOR does not', () => {
  const help = (env: Readonly<Record<string, string>>) => program(['help', 'lint'], { env })
  expect(help({})).not.toContain('\u001b[')
  expect(help({ FORCE_COLOR: '1' })).toContain('\u001b[')
  expect(help({ FORCE_COLOR: '0' })).not.toContain('\u001b[')
  expect(help({ NO_COLOR: '1' })).not.toContain('\u001b[')
})

it('the nearest configuration up to the top of the repository is read', async () => {
  const folder = await folderOf({
    'twinspec.config.yaml':
      'documents: { openrpc: apis/rpc.yaml }\nrules: { method-has-no-example: off }\n',
    'apis/rpc.yaml': OPENRPC,
    'apis/deep/deeper/keep.txt': '',
  })
  const cwd = join(folder, 'apis/deep/deeper')
  await mkdir(join(folder, '.git'))
  const found = program(['lint', '--format', 'json'], { cwd })
  expect(found).toContain('../../rpc.yaml')
  expect(found).not.toContain('method-has-no-example')
})

it('reads spec/ beside a configuration above the working directory, unless that has its own', async () => {
  const folder = await folderOf({
    '.git/HEAD': '',
    'twinspec.config.yaml': '# no settings\n',
    'spec/openrpc.yaml': OPENRPC,
    'below/spec/openrpc.yaml': OPENRPC,
    'empty/note.txt': '',
  })
  const files = (cwd: string) => {
    const found = program(['lint', '--format', 'json'], { cwd: join(folder, cwd) })
    const findings = findingsIn(found)
    return new Set(findings.map(({ location }) => location.file))
  }
  expect(files('empty')).toEqual(new Set(['../spec/openrpc.yaml']))
  expect(files('below')).toEqual(new Set(['spec/openrpc.yaml']))
})

it('a configuration above the working directory is not read outside of a repository', async () => {
  const folder = await folderOf({
    'twinspec.config.yaml': 'rules: { method-has-no-example: off }\n',
    'below/spec/openrpc.yaml': OPENRPC,
  })
  const json = program(['lint', '--format', 'json'], { cwd: join(folder, 'below') })
  expect(json).toContain('method-has-no-example')
})

it('bash completes commands, flags, choices and rules, and files where there is nothing else', async () => {
  const folder = await folderOf({ 'completed.yaml': OPENAPI, 'bin/twinspec': '' })
  const script = program(['completion', 'bash'])
  const completed = (...words: readonly string[]) => {
    const lines = [
      `twinspec() { '${process.execPath}' '${MAIN}' "$@"; }`,
      script,
      `COMP_WORDS=(twinspec ${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length}`,
      '_twinspec',
      'printf "%s\\n" "$COMPREPLY"',
    ]
    const options = { encoding: 'utf8', cwd: folder, env: basicVariables() } as const
    return execFileSync('bash', ['-c', lines.join('\n')], options)
      .trim()
      .split('\n')
  }
  expect(completed('ge')).toEqual(['generate'])
  expect(completed('lint', '--fo')).toEqual(['--format'])
  expect(completed('lint', '--format', 'g')).toEqual(['github'])
  expect(completed('explain', 'example-inv')).toEqual(['example-invalid'])
  expect(completed('lint', 'comp')).toEqual([''])
  expect(script).toContain('complete -o default')
  expect(completed('lint', '$(touch ran)')).toEqual([''])
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

const SCRIPT = '/usr/bin/script'

it.skipIf(!existsSync(SCRIPT))(
  'a terminal shows progress when a command takes longer than a second (needs util-linux script)',
  async () => {
    const paths = Array.from({ length: 1_500 }, (_, index) => [
      `/things/${index}`,
      {
        get: {
          responses: {
            200: {
              description: 'Done',
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { id: { type: 'integer' } } },
                },
              },
            },
          },
        },
      },
    ])
    const document = {
      openapi: '3.1.0',
      info: { title: 'Many', version: '1' },
      paths: Object.fromEntries(paths),
    }
    const folder = await folderOf({ 'many.json': JSON.stringify(document) })
    const onTerminal = (...args: readonly string[]) => {
      const line = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ')
      return execFileSync(SCRIPT, ['-qefc', line, '/dev/null'], {
        encoding: 'utf8',
        cwd: folder,
        env: basicVariables(),
        timeout: 900_000,
      })
    }
    const generated = onTerminal('generate', 'many.json', '-o', 'out')
    const lines = generated.split('\r\u001b[K')
    expect(
      lines.filter((line) => /^(working|reading|generating|writing) .*\(\d+ s\)$/.test(line)),
    ).not.toEqual([])
    // The line of progress is removed before anything else is printed.
    expect(lines.at(-1)).toMatch(/^generated \d+ files.*\r\n--with adds server, .*msw/)
    expect(onTerminal('generate', 'many.json', '-o', 'out')).not.toContain('--with adds')
  },
)

// Only Linux has a file whose disk is always full.
it.skipIf(!existsSync('/dev/full'))(
  'output that cannot be written is one sentence, and not exit code 1, which means findings',
  async () => {
    const folder = await folderOf({ 'a.yaml': OPENRPC })
    const full = openSync('/dev/full', 'w')
    const onFullDisk = (...args: readonly string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
        cwd: folder,
        env: basicVariables(),
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
        timeout: 900_000,
      })
      const lines = stderr.trimEnd().split('\n')
      return { status, lines: lines.filter((line) => line.includes('ENOSPC') || /^\s/.test(line)) }
    }
    const lost = {
      status: 2,
      lines: [expect.stringMatching(/^twinspec: the output cannot be written: ENOSPC/)],
    }
    try {
      expect(onFullDisk('lint', 'a.yaml', '--format', 'json')).toEqual(lost)
      expect(onFullDisk('explain', 'method-has-no-example')).toEqual(lost)
      expect(onFullDisk('diff', 'a.yaml', '--against', 'a.yaml', '--format', 'json')).toEqual(lost)
    } finally {
      closeSync(full)
    }
  },
)

it('a reader that closes the pipe early gets no error', () => {
  const script = '{ "$0" "$1" lint --list-rules; echo "code $?" >&2; } | head -1'
  const { stderr } = spawnSync('sh', ['-c', script, process.execPath, MAIN], {
    env: basicVariables(),
    encoding: 'utf8',
    timeout: 900_000,
  })
  expect(stderr).toBe('code 0\n')
})
