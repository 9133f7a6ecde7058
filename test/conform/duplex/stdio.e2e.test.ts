import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import { emitAll } from '../../../src/emit/emit.js'
import { ran } from '../../cli/command.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FEED, feedApi } from './feed.js'
import { CASES_OF, FEED_DEFECTS } from './feed-defects.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HERE, '../../..')
const folder = temporaryFolder('stdio')
const program = join(folder, 'feed.mjs')
const document = join(folder, 'feed.json')

/** Puts a program into the folder, and returns its path. */
const put = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

beforeAll(async () => {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/twinspec'))
  mkdirSync(join(folder, 'generated'))
  for (const { name, text } of emitAll(await feedApi(), [], ['server']))
    writeFileSync(join(folder, 'generated', name), text)
  writeFileSync(document, JSON.stringify(FEED))
  const main = `import { createServer } from './generated/server.js'
import { serveFeed } from ${JSON.stringify(join(HERE, 'feed-program.ts'))}
await serveFeed(createServer)`
  await build({
    stdin: { contents: main, resolveDir: folder, loader: 'ts' },
    bundle: true,
    outfile: program,
    format: 'esm',
    platform: 'node',
    conditions: ['twinspec-source'],
    logLevel: 'silent',
  })
})

type Framing = 'lines' | 'content-length'

/** What conform says of the program, with the defect of this index. */
const tested = async (framing: Framing, index?: number, only?: readonly string[]) => {
  const sockets = join(folder, `sockets-${index}`)
  mkdirSync(sockets, { recursive: true })
  const defect = index === undefined ? [] : [String(index), sockets]
  return conform(await feedApi(), {
    stdio: { words: [process.execPath, program, framing, ...defect], framing },
    stateless: true,
    milliseconds: 1_500,
    ...(only && { only }),
  })
}

describe('conform over standard input and output', () => {
  it.each<[Framing]>([['lines'], ['content-length']])(
    'finds nothing wrong with a generated server, and tests its methods and subscriptions: %s',
    async (framing) => {
      const verdict = await tested(framing)
      expect(verdict.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
      expect(verdict.unjudged).toBe(undefined)
      const called = verdict.coverage.find(({ kind }) => kind === 'operation')
      expect(called?.met).toEqual(called?.declared)
      const left = verdict.notTested.flatMap(({ what }) => what)
      expect(left).toContain('JSON-RPC, its binding to HTTP')
      expect(left.filter((one) => one.includes('items'))).toEqual([])
    },
  )

  it.each(FEED_DEFECTS.map(([rule, what], index) => [rule, what, index] as const))(
    '%s: a program that %s',
    async (rule, _, index) => {
      const only = CASES_OF[rule]
      const { findings } = await tested('lines', index, only === undefined ? undefined : [only])
      expect(findings.map((one) => one.rule)).toContain(rule)
    },
  )

  it.each<[Framing]>([['lines'], ['content-length']])(
    'a finding has a line of a shell that gets the same response: %s',
    async (framing) => {
      const index = FEED_DEFECTS.findIndex(([rule]) => rule === 'rejection-wrong-code')
      const { findings } = await tested(framing, index, ['JSON-RPC, truncated JSON'])
      const [curl = ''] = findings.map(({ exchange }) => exchange.curl)
      expect(curl).toContain('sleep 3; } | ')
      const { stdout } = await promisify(execFile)('sh', ['-c', curl])
      expect(stdout).toContain('-32000')
    },
  )

  it('a finding names the end of a program', async () => {
    const { findings } = await tested('lines', 0, ['JSON-RPC, a malformed text on a connection'])
    expect(findings.map(({ message }) => message)).toEqual([
      'after a text that is not JSON, the program exited with code 1',
    ])
  })

  it('ends each program, also one that goes on after its input', async () => {
    const path = join(folder, 'pid')
    const text = `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(path)}, String(process.pid))
process.on('SIGTERM', () => console.error('stays'))
setInterval(() => undefined, 1_000)`
    const words = [process.execPath, put('stays.mjs', text)]
    const stdio = { words, framing: 'lines' as const }
    const testing = conform(await feedApi(), { stdio, milliseconds: 500 })
    await expect(testing).rejects.toThrow('the program gave no response to any of')
    const pid = Number(readFileSync(path, 'utf8'))
    expect(existsSync(`/proc/${pid}`)).toBe(false)
  })
})

describe('twinspec conform --stdio', () => {
  const node = JSON.stringify(process.execPath)
  const run = (...args: readonly string[]) => ran(['conform', ...args, '--openrpc', document])

  it('tests a program', async () => {
    const command = `${node} ${program} content-length`
    const result = await run(
      '--stdio',
      command,
      '--framing',
      'content-length',
      '--only',
      'feed_number',
      '--rate',
      '0',
    )
    expect(result.stderr).toMatch(/no findings in \d+ cases/)
    expect(result.stdout).toContain('covered\n')
    expect(result.code).toBe(0)
  })

  it.each<[what: string, args: () => readonly string[], message: RegExp]>([
    [
      'a program that does not exist',
      () => ['--stdio', 'no-such-program --stdio'],
      /no-such-program --stdio cannot be tested: there is no program no-such-program: install it, or give its path/,
    ],
    [
      'a file that may not be executed',
      () => ['--stdio', put('plain.mjs', '')],
      /plain\.mjs may not be executed: name the program that runs it, as in node \S+plain\.mjs, or run chmod \+x/,
    ],
    [
      'a program that exits at once, with its log',
      () => ['--stdio', `${node} ${put('exits.mjs', 'console.error("no port"); process.exit(3)')}`],
      /exits\.mjs cannot be tested: the program exited with code 3 before it responded\. It wrote to standard error: no port\n/,
    ],
    [
      'a program that only ends',
      () => ['--stdio', `${node} ${put('ends.mjs', '')}`],
      /the program exited with code 0 before it responded: a server reads standard input until its end/,
    ],
    [
      'a program that logs to standard output',
      () => [
        '--stdio',
        `${node} ${put('logs.mjs', 'console.log("listening"); setInterval(() => 0, 500)')}`,
      ],
      /the program wrote the line "listening", which is no message of JSON-RPC: write logs to standard error/,
    ],
    [
      'a program that logs to standard output, where headers are expected',
      () => [
        ...['--framing', 'content-length'],
        ...[
          '--stdio',
          `${node} ${put('logs.mjs', 'console.log("listening\\r\\n\\r\\n"); setInterval(() => 0, 500)')}`,
        ],
      ],
      /the program wrote "listening.*", which is no message after a header Content-Length: write logs to standard error/,
    ],
    [
      'a program that writes headers',
      () => [
        '--stdio',
        `${node} ${put('headers.mjs', String.raw`process.stdout.write('Content-Length: 2\r\n\r\n{}'); setInterval(() => 0, 500)`)}`,
      ],
      /the program wrote the header "Content-Length: 2": add --framing content-length/,
    ],
    [
      'a quote that is not closed',
      () => ['--stdio', 'node "server.js'],
      /--stdio must be a program and its arguments, each quote closed, not node "server\.js/,
    ],
    [
      'an address besides',
      () => ['ws://127.0.0.1:1', '--stdio', 'node server.js'],
      /--stdio starts the server that is tested: omit ws:\/\/127\.0\.0\.1:1, or --stdio/,
    ],
  ])('tells what is wrong with %s', async (_, args, message) => {
    const { code, stderr } = await run(...args())
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })
})
