import { expect, test } from 'vitest'
import { loadService } from '../../src/cli/load-service.js'
import { command, ran } from './command.js'

test('help tells every flag with its variable and its default, and what comes from the environment alone', async () => {
  const { code, stdout } = await ran(['serve', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Where it listens; 0 takes a free port (TWINSPEC_PORT; 8080)')
  expect(stdout).toContain('(TWINSPEC_RPC_LIMIT; 200)')
  expect(stdout).toMatch(/--no-docs +Leaves out the reference at \/docs\/ \(TWINSPEC_NO_DOCS\)/)
  expect(stdout).toMatch(/ENVIRONMENT\n\n {2}DATABASE_URL {2}.*\n {2}TWINSPEC_MNEMONIC {2}/)
  expect(stdout).not.toMatch(/--(mnemonic|database-url)/)
})

test.each<[string, string[], Record<string, string>, string]>([
  [
    'a flag that there is not',
    ['--prot', '1'],
    {},
    'there is no flag --prot: did you mean --port?',
  ],
  ['a word too many', ['spec'], {}, '"spec" is a word too many'],
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
    'there is no variable TWINSPEC_PROT: did you mean TWINSPEC_PORT?\ntwinspec serve: there is no variable TWINSPEC_RPC_LIMITS: did you mean TWINSPEC_RPC_LIMIT?',
  ],
  [
    // What an orchestrator makes of a service called twinspec, and what stands there empty, does not matter.
    'a bad setting beside variables of others',
    [],
    { TWINSPEC_SERVICE_HOST: '10.0.0.1', TWINSPEC_PROT: '', TWINSPEC_CHAIN_ID: 'x' },
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
  const { code, stdout, stderr } = await ran(['serve', ...args], { env })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(sentence)
  for (const line of stderr.trimEnd().split('\n')) expect(line).toMatch(/^twinspec serve: /)
})

test('a package that is missing is told with all that must be installed', async () => {
  const missing = (code: string, message: string) => Object.assign(new Error(message), { code })
  const told = (error: Error) => loadService('serve', () => Promise.reject(error))
  const fastify = missing(
    'ERR_MODULE_NOT_FOUND',
    "Cannot find package 'fastify' imported from /x.js",
  )
  await expect(told(fastify)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(
      /^twinspec serve needs fastify, which is not installed: npm install .*"fastify@\^5\.12\.0".* "pg@\^8/,
    ),
  })
  await expect(told(fastify)).rejects.not.toThrow('prism')
  const solc = new Error('no Solidity', {
    cause: missing('MODULE_NOT_FOUND', "Cannot find module 'solc/package.json'\nRequire stack:"),
  })
  await expect(told(solc)).rejects.toThrow('needs solc, which')
  const foreign = missing('ERR_MODULE_NOT_FOUND', "Cannot find package 'left-pad' imported from /x")
  await expect(told(foreign)).rejects.toBe(foreign)
  const lost = missing('ERR_MODULE_NOT_FOUND', "Cannot find module '/app/lost.js' imported from /x")
  await expect(told(lost)).rejects.toBe(lost)
})

test('it serves until it is ended, and tells on standard output how to call it', async () => {
  const ending = new AbortController()
  const flags = ['--port', '0', '--log-level', 'warn', '--no-docs']
  const { said, code } = command(['serve', ...flags], { signal: ending.signal })
  await expect.poll(() => said.stdout, { timeout: 60_000 }).toContain('Ctrl-C ends it.')
  const [, url] = /ready at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(said.stdout) ?? []
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  expect(said.stdout).not.toContain('Docs')
  expect((await fetch(`${url}/docs/`)).status).toBe(404)
  const port = new URL(String(url)).port
  const second = await ran(['serve', '--port', port, '--log-level', 'silent'])
  expect(second).toEqual({
    code: 2,
    stdout: '',
    stderr: `twinspec serve: port ${port} is in use: end what listens there, or give --port another one (0 takes a free one)\n`,
  })
  ending.abort()
  expect(await code).toBe(0)
  expect(said.stderr).toBe('')
  await expect(fetch(`${url}/ready`)).rejects.toThrow()
}, 120_000)
