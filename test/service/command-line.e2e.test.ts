import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { service } from '../../src/service/run-service.js'
import { builtFile } from '../built/imports.js'
import { command, ran } from './command.js'

test('help tells every flag with its variable and its default, and what comes from the environment alone', async () => {
  const { code, stdout } = await ran(service, ['--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Port to listen on; 0 takes a free one (TWINSPEC_PORT; 8080)')
  expect(stdout).toContain('(TWINSPEC_RPC_LIMIT; 200)')
  expect(stdout).toMatch(/--no-docs +Do not serve the reference at \/docs\/ \(TWINSPEC_NO_DOCS\)/)
  expect(stdout).toMatch(/ENVIRONMENT\n\n {2}DATABASE_URL {2}.*\n {2}TWINSPEC_MNEMONIC {2}/)
  expect(stdout).not.toMatch(/--(mnemonic|database-url)/)
})

// Only Linux has a file whose disk is always full.
test.skipIf(!existsSync('/dev/full'))('output that cannot be written is one sentence', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(
    process.execPath,
    [builtFile('src/service/main.js'), '--help'],
    {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    },
  )
  closeSync(full)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^service: the output cannot be written: ENOSPC.*\n$/)
})

test.each<[string, string[], Record<string, string>, string]>([
  [
    'a flag that there is not',
    ['--prot', '1'],
    {},
    'there is no flag --prot: there are --port, --host, ',
  ],
  ['a word', ['spec'], {}, '"spec" is no flag: flags begin with --'],
  ['a flag twice', ['--port', '1', '--port', '2'], {}, '--port is given twice'],
  ['a value for a switch', ['--no-docs=1'], {}, '--no-docs takes no value'],
  ['a flag that needs a value', ['--port'], {}, '--port needs a value'],
  [
    'a port below all others',
    ['--port', '-1'],
    {},
    '--port must be a whole number from 0 to 65535, not -1',
  ],
  ['a flag in the place of a value', ['--port', '--host'], {}, '--port needs a value'],
  [
    'variables that there are not, each in a line',
    [],
    { TWINSPEC_PROT: '1', TWINSPEC_RPC_LIMITS: '2' },
    'there is no variable TWINSPEC_PROT: --help lists those that are read\nservice: there is no variable TWINSPEC_RPC_LIMITS: ',
  ],
  [
    // What an orchestrator makes of a service called twinspec, and what stands there empty, does not matter.
    'a bad setting beside variables of others',
    [],
    {
      TWINSPEC_SERVICE_HOST: '10.0.0.1',
      TWINSPEC_DB_PORT_5432_TCP: 'tcp://10.0.0.1:5432',
      TWINSPEC_PROT: '',
      TWINSPEC_CHAIN_ID: 'x',
    },
    'TWINSPEC_CHAIN_ID must be',
  ],
  [
    'bad settings, each in a line',
    ['--port', 'x'],
    { TWINSPEC_CHAIN_ID: '-1' },
    'TWINSPEC_CHAIN_ID must be',
  ],
  [
    'a database without a mnemonic',
    [],
    { DATABASE_URL: 'postgres://db/one' },
    'DATABASE_URL needs TWINSPEC_MNEMONIC',
  ],
])('%s is a sentence, and nothing is started', async (_, args, env, sentence) => {
  const { code, stdout, stderr } = await ran(service, args, { env })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(sentence)
  for (const line of stderr.trimEnd().split('\n')) expect(line).toMatch(/^service: /)
})

test('it serves until it is ended, and tells on standard output how to call it', async () => {
  const ending = new AbortController()
  const flags = ['--port', '0', '--log-level', 'warn', '--no-docs']
  const { printed, code } = command(service, flags, { signal: ending.signal })
  await expect.poll(() => printed.stdout, { timeout: 120_000 }).toContain('Ctrl-C ends it.')
  const [, url] = /ready at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(printed.stdout) ?? []
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect(printed.stdout).not.toContain('Docs')
  expect((await fetch(`${url}/docs/`)).status).toBe(404)
  const port = new URL(String(url)).port
  const second = await ran(service, ['--port', port, '--log-level', 'silent'])
  expect(second).toEqual({
    code: 2,
    stdout: '',
    stderr: `service: port ${port} is in use: end what listens there, or give --port another one (0 takes a free one)\n`,
  })
  ending.abort()
  expect(await code).toBe(0)
  expect(printed.stderr).toBe('')
  await expect(fetch(`${url}/ready`)).rejects.toThrow()
})
