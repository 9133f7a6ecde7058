import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/report/formats.js'
import { nearest } from '../../src/text/nearest.js'
import { builtFile } from '../built/imports.js'
import { temporaryFolder } from '../temporary-folder.js'
import { basicVariables } from '../variables.js'
import { OPENAPI, OPENRPC, ran } from './command.js'

const folder = temporaryFolder('cli')

describe('help', () => {
  it('lists the commands', async () => {
    const { code, stdout, stderr } = await ran(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replace(/v\d+\.\d+\.\d+\S*\)/, 'vX)')).toMatchInlineSnapshot(`
      "Clients, servers, mocks, checks and a reference from OpenAPI and OpenRPC documents (twinspec vX)

      USAGE twinspec init|generate|lint|diff|docs|mock|pack|conform|compatibility|usage|explain|completion

      COMMANDS

                 init    Creates a project: documents, a server and a workflow; overwrites nothing
             generate    Writes types, clients and validators from documents; server stubs and more with --with, Python and Go with --language
                 lint    Reports mistakes in documents
                 diff    Reports changes since another version, and which of them break callers
                 docs    Writes an API reference of the documents as a static site
                 mock    Starts a mock server that returns examples, over HTTP and JSON-RPC
                 pack    Makes an npm package of clients, types, validators and server stubs, or a package of clients for Python or Go
              conform    Tests whether a live server conforms to the documents
        compatibility    Tries clients of older versions with the new server or a mock of it
                usage    Counts in recorded traffic which consumers use which parts, for diff --usage
              explain    Explains a rule: what, why, an example and the fix
           completion    Prints the script that lets bash, zsh or fish complete command lines

      Use twinspec <command> --help for more information about a command.

      EXAMPLES

        twinspec init
        twinspec generate
        twinspec mock
        twinspec lint
      "
    `)
    expect(await ran(['-h'])).toEqual({ code, stdout, stderr })
  })

  it('of a command has its flags and examples', async () => {
    const { code, stdout } = await ran(['generate', '--out', 'x', '--help'])
    expect(code).toBe(0)
    for (const flag of [
      '--openapi',
      '--openrpc',
      '--arazzo',
      '--out',
      '--check',
      '--watch',
      '--format',
      '--verbose',
    ]) {
      expect(stdout).toContain(flag)
    }
    expect(stdout).toContain('twinspec generate --check --format github')
    expect((await ran(['mock', '-h'])).stdout).toContain(
      'twinspec mock api.yaml methods.json --port 8080',
    )
  })

  it('has colours on a terminal alone', async () => {
    expect((await ran(['--help'], { terminal: true })).stdout).toContain('\u001b[1mEXAMPLES')
    expect((await ran(['--help'])).stdout).not.toContain('\u001b')
  })

  it('goes to the error stream where no command was given', async () => {
    const { code, stdout, stderr } = await ran([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('USAGE')
  })
})

it('tells its version', async () => {
  const { code, stdout } = await ran(['--version'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
})

it('has the help of a command by the word help, too', async () => {
  expect(await ran(['help', 'lint'])).toEqual(await ran(['lint', '--help']))
  expect(await ran(['help'])).toEqual(await ran(['--help']))
})

it('takes documents of any name by their position, recognised by their content', async () => {
  const [one, other] = [join(folder, 'calls.yaml'), join(folder, 'paths.yaml')]
  writeFileSync(one, OPENRPC)
  writeFileSync(other, OPENAPI)
  const named = await ran(['lint', '--openapi', other, '--openrpc', one, '--format', 'json'])
  expect(named.code).toBe(0)
  expect(await ran(['lint', one, other, '--format', 'json'])).toEqual(named)
  const same = await ran(['diff', one, '--against', one])
  expect(same).toMatchObject({ code: 0, stderr: 'nothing changed\n' })
  const twice = await ran(['docs', one, '--openrpc', one, '--out', join(folder, 'site')])
  expect(twice.stderr).toMatch(/are both openrpc documents: give only one\n$/)
})

describe('what the command line does not have is one sentence', () => {
  it.each([
    [['genrate'], 'twinspec: there is no command genrate: did you mean generate?'],
    [
      ['publish'],
      'twinspec: there is no command publish: there are init, generate, lint, diff, docs, mock, pack, conform, compatibility, usage, explain, completion',
    ],
    [
      ['constructor'],
      'twinspec: there is no command constructor: there are init, generate, lint, diff, docs, mock, pack, conform, compatibility, usage, explain, completion',
    ],
    [['--verison'], 'twinspec: there is no flag --verison: did you mean --version?'],
    [
      ['generate', '--opanapi', 'a'],
      'twinspec generate: there is no flag --opanapi: did you mean --openapi?',
    ],
    [
      ['generate', '-x'],
      'twinspec generate: there is no flag -x: there are --openapi, --openrpc, --overlay, --header, --allow-outside, --fetch-references, --arazzo, --out, --language, --module, --with, --only, --bigint, --formats, --dates, --defaults, --enums, --type-options, --check, --watch, --format, --verbose, --config',
    ],
    [['generate', '--out'], 'twinspec generate: --out needs a value'],
    [['generate', '--out='], 'twinspec generate: --out needs a value'],
    [['generate', '--out', '--check'], 'twinspec generate: --out needs a value'],
    [['generate', '--check=no'], 'twinspec generate: --check does not take a value'],
    [['generate', '--out', 'a', '--out', 'b'], 'twinspec generate: --out is given twice'],
    [
      ['generate', '--format', 'jsn'],
      'twinspec generate: --format cannot be jsn: did you mean json?',
    ],
    [
      ['generate', '--format', 'xml'],
      `twinspec generate: --format cannot be xml: there are ${Object.keys(FORMATS).join(', ')}`,
    ],
    [
      ['init', 'api.yaml'],
      'twinspec init: a file cannot be read:\n  api.yaml error there is no file api.yaml [document-does-not-exist]',
    ],
    [
      ['generate', '--watch', '--check'],
      'twinspec generate: --watch and --check cannot be combined',
    ],
    [
      ['generate', '--watch', '--format', 'json'],
      'twinspec generate: --watch and --format cannot be combined',
    ],
    [
      ['mock', '--port', '70000'],
      'twinspec mock: --port must be a number from 0 to 65535, not 70000',
    ],
    [['mock', '--port', '8o'], 'twinspec mock: --port must be a number from 0 to 65535, not 8o'],
  ])('%j', async (args, sentence) => {
    expect(await ran(args)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
  })
})

it.each([
  ['generat', 'generate'],
  ['MOCK', 'mock'],
  ['x', undefined],
  ['serve', undefined],
])('the nearest to %s is %s', (word, want) => {
  expect(nearest(word, ['generate', 'mock'])).toBe(want)
})

describe('as a program', () => {
  const node = [builtFile('src/cli/main.js')]
  const env = basicVariables()

  const program = (cwd: string, ...args: readonly string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        [...node, ...args],
        { cwd, env, timeout: 900_000 },
        (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }),
      )
    })

  const project = (files: Readonly<Record<string, string>>): string => {
    const cwd = mkdtempSync(join(folder, 'project-'))
    mkdirSync(join(cwd, 'spec'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, 'spec', name), text)
    return cwd
  }

  it('reads spec/ and writes generated/', async () => {
    const cwd = project({ 'openapi.yml': OPENAPI, 'openrpc.yaml': OPENRPC })
    const { code, stdout, stderr } = await program(cwd, 'generate')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^generated 10 files in \d+\.\d s into generated\/\n$/)
    expect(readdirSync(cwd).sort()).toEqual(['generated', 'spec'])
    expect(await program(cwd, 'generate', '--check')).toMatchObject({ code: 0 })
  })

  it('reads the documents of the working directory where there is no spec/', async () => {
    const openapi = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\n"
    const cwd = project({ 'openapi.yaml': openapi })
    expect(await program(cwd, 'lint')).toMatchObject({ code: 0 })
  })

  it('names the documents that it did not find', async () => {
    const cwd = project({ 'workflows.arazzo.yaml': '' })
    expect(await program(cwd, 'generate')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'twinspec generate: there is neither openapi.yaml nor openrpc.yaml in spec/ or this folder: name the documents, or run the command in their folder\n',
    })
  })

  it('refuses a bad document with its place, the path as it was given', async () => {
    const cwd = project({ 'openapi.yaml': 'openapi: 4.0.0\n' })
    const { code, stderr } = await program(cwd, 'generate')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^spec\/openapi\.yaml:1:10 error .*\n 1 \| openapi: 4\.0\.0\n {3}\| {10}\^\n$/,
    )
    expect(readdirSync(cwd)).toEqual(['spec'])
  })

  it('goes on to its end where nobody reads what it says', async () => {
    const cwd = project({ 'openrpc.yaml': OPENRPC })
    const child = spawn(process.execPath, [...node, 'generate', '--format', 'json'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    child.stderr.destroy()
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    expect(readdirSync(join(cwd, 'generated'))).toContain('rpc.client.ts')
  })

  it('ends a watch by the signal of Ctrl-C, cleanly', async () => {
    const cwd = project({ 'openrpc.yaml': OPENRPC })
    const child = spawn(process.execPath, [...node, 'generate', '--watch'], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await new Promise((resolve) => child.stderr.once('data', resolve))
    child.kill('SIGINT')
    const ended = await new Promise((resolve) => child.once('exit', (...how) => resolve(how)))
    expect(ended).toEqual([0, null])
  })
})
