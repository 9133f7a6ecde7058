import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/model/finding.js'
import { ran } from '../cli/command.js'
import { startTwinspec } from '../cli/command-line.js'
import { createFolder } from '../init/begun-project.js'
import { sectionIn } from '../report/report-of.js'

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/recordings', import.meta.url))
/** The address of the guide; tests take a free port. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:8080'
const LOADER = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href

const project = createFolder()
const spec = ['openapi', 'openrpc'].flatMap((kind) => [
  `--${kind}`,
  join(project.folder, `spec/${kind}.yaml`),
])

/** The command lines of docs/examples/README.md. */
const LINES = [
  ...readFileSync(join(EXAMPLE, '../README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm),
]
  .flatMap(([, block = '']) => block.replaceAll(/ *\\\n */g, ' ').split('\n'))
  .map((line) => line.replace(/\s+# .*$/, '').trim())
  .filter((line) => line !== '')

/** The arguments of a line that runs twinspec, with the folders of this test. */
const argsOf = (verb: string): readonly string[] => {
  const line = LINES.find((one) => / twinspec (\S+)/.exec(one)?.[1] === verb) ?? ''
  const [, words = ''] = / twinspec (.*)/.exec(line) ?? []
  return words
    .replaceAll('$example', EXAMPLE)
    .replace('--dir recordings', `--dir ${project.folder}`)
    .split(' ')
}

const begun: { code: number; stdout: string; stderr: string }[] = []
let url = ''

/** As docs/examples/README.md says. */
beforeAll(async () => {
  begun.push(await ran(argsOf('init')))
  // In the folder of the project, both find its documents, and write into it.
  begun.push(await ran([...argsOf('lint'), ...spec]))
  const out = ['--out', join(project.folder, 'generated')]
  begun.push(await ran([...argsOf('generate'), ...spec, ...out]))
})

afterAll(() => project.remove())

/** The lines that the program prints. */
const program = async (server: string, ...flags: readonly string[]): Promise<readonly string[]> => {
  const { folder } = project
  const args = ['--import', LOADER, '-C', 'twinspec-source', ...flags, 'src/program.ts', server]
  const files = ['salve.wav', 'copy.wav']
  writeFileSync(join(folder, 'salve.wav'), 'RIFF and a song')
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...files], {
    cwd: folder,
  })
  return stdout.trim().split('\n')
}

const conform = async (address: string, ...flags: readonly string[]) => {
  const written = argsOf('conform').map((word) => (word === WRITTEN_ADDRESS ? address : word))
  const { stdout, stderr } = await ran([...written, ...spec, '--format', 'json', ...flags])
  try {
    const report = JSON.parse(stdout)
    const [coverage, notTested] = ['coverage', 'not-tested'].map((name) => sectionIn(report, name))
    return {
      findings: report.findings as readonly Finding[],
      coverage: coverage?.kind === 'coverage' ? coverage.rows : [],
      notTested: notTested?.kind === 'reasons' ? notTested.groups : [],
    }
  } catch {
    throw new Error(stderr)
  }
}

it('every command line of the guide is run, or has a counterpart here', () => {
  const counterparts = [
    'example=twinspec/docs/examples/recordings',
    'cp -r $example/src recordings/',
    'cd recordings',
    // `createFolder` links both packages.
    'npm install ../twinspec/twinspec-0.1.0.tgz',
    'npm install --save-dev msw',
    'npm start',
    `npx tsx src/program.ts ${WRITTEN_ADDRESS} salve.wav copy.wav`,
  ]
  const verbs = LINES.filter((line) => !counterparts.includes(line)).map(
    (line) => / twinspec (\S+)/.exec(line)?.[1],
  )
  expect(verbs).toEqual(['init', 'lint', 'generate', 'conform'])
  expect(LINES).toEqual(expect.arrayContaining(counterparts))
  const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'))
  expect(scripts.start).toContain('src/server.ts')
})

describe('a service with login, upload, download, streams and pages', () => {
  it('begins with init, which compiles, and lint --fix leaves nothing to say', async () => {
    expect(begun.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(begun[1]?.stdout).toContain('POST /recordings declares 400, 401, 413, 415')
    expect((await ran(['lint', ...spec])).stdout).toBe('')
    // The document has a schema of its own for errors.
    const fixed = readFileSync(join(project.folder, 'spec/openapi.yaml'), 'utf8')
    expect(fixed).toContain('UnsupportedMediaType:')
    expect(fixed).not.toContain('ErrorMessage')
    expect(project.diagnose()).toEqual([])
    // Until somebody writes how a token is checked, no token is right.
    const rejected = await fetch(`${await project.start('src/server.ts')}/v1/recordings`, {
      headers: { authorization: 'Bearer token-of-ada' },
    })
    expect(rejected.status).toBe(401)
  })

  it('has handlers and a program without a cast', () => {
    cpSync(join(EXAMPLE, 'src'), join(project.folder, 'src'), { recursive: true })
    expect(project.diagnose()).toEqual([])
    for (const file of readdirSync(join(EXAMPLE, 'src'))) {
      const code = readFileSync(join(EXAMPLE, 'src', file), 'utf8').replace(
        /\/\*\*.*\*\/|^import .*/gm,
        '',
      )
      expect([file, /\bany\b|\bas (?!const)/.exec(code)?.[0]]).toEqual([file, undefined])
    }
  })

  it('is read by the program, whose copy is the file that it uploaded', async () => {
    url = await project.start('src/server.ts')
    expect(await program(url)).toEqual([
      'uploaded r-4',
      'downloaded 15 bytes Salve Regina.wav',
      'begins with RIFF',
      ...['0 Salve', '0.5 Regina'],
      'latest Salve Regina',
      ...['listed Ubi caritas', 'listed Dona nobis pacem'],
      ...['listed Locus iste', 'listed Salve Regina'],
      ...['over JSON-RPC Ubi caritas', 'over JSON-RPC Dona nobis pacem'],
      ...['over JSON-RPC Locus iste', 'over JSON-RPC Salve Regina'],
    ])
    expect(readFileSync(join(project.folder, 'copy.wav'), 'utf8')).toBe('RIFF and a song')
  })

  it('passes conform, which tests all of it', async () => {
    const { findings, coverage, notTested } = await conform(url)
    expect(findings).toEqual([])
    const missed = coverage.flatMap(({ declared, met }) =>
      declared.filter((name) => !met.includes(name)),
    )
    // A query parameter that is not declared.
    expect(missed).toEqual(['watchRecordings 400'])
    expect(JSON.stringify(notTested)).not.toMatch(
      /rejected it|rejects the caller|no example of its request body/,
    )
  })

  it('is answered by the mock and by MSW as by a server', async () => {
    const shown = [
      'uploaded r-2',
      'downloaded 5 bytes',
      'begins with byte',
      ...['0 Ubi', '0.8 caritas'],
      'latest Dona nobis pacem',
      'listed Dona nobis pacem',
      ...['over JSON-RPC Ubi caritas', 'over JSON-RPC Dona nobis pacem'],
    ]
    const ending = new AbortController()
    const mock = startTwinspec(['mock', ...spec, '--port', '0'], ending.signal)
    try {
      await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
      const mocked = /HTTP +(\S+)/.exec(mock.said.stdout)?.[1] ?? ''
      expect(await program(mocked)).toEqual(
        shown.map((line) => line.replace('5 bytes', '5 bytes Ubi caritas.wav')),
      )
    } finally {
      ending.abort()
      await mock.code
    }
    const flags = ['--import', pathToFileURL(join(project.folder, 'src/mocked.ts')).href]
    expect(await program(WRITTEN_ADDRESS, ...flags)).toEqual(shown)
  })
})

/** What a handler of the server is replaced by, and the rule that finds it. */
const DEFECTS: readonly {
  readonly what: string
  readonly only: string
  readonly from: string
  readonly to: string
  readonly rule: string
}[] = [
  {
    what: 'a download has another media type',
    only: 'downloadRecording',
    from: 'body: found.sound }',
    to: "body: found.sound, headers: { 'content-type': 'audio/mpeg' } }",
    rule: 'content-type-is-undeclared',
  },
  {
    what: 'a range is ignored',
    only: 'downloadRecording',
    from: 'body: found.sound }',
    to: 'body: found.sound.stream() }',
    rule: 'range-ignored',
  },
  {
    what: 'each range is the first byte',
    only: 'downloadRecording',
    from: 'downloadRecording: ({ path: { id } }) => {',
    to: `downloadRecording: ({ path: { id }, header: { Range } }) => {
      const headers = { 'content-range': 'bytes 0-0/44' }
      if (Range) return { status: 206, body: new Uint8Array(1), headers }`,
    rule: 'range-invalid',
  },
  {
    what: 'a range behind the end is answered by the whole',
    only: 'downloadRecording',
    from: 'downloadRecording: ({ path: { id } }) => {',
    to: `downloadRecording: ({ path: { id }, header: { Range } }) => {
      if (Range === 'bytes=44-') return { status: 200, body: new Blob([silence]).stream() }`,
    rule: 'range-beyond-end-accepted',
  },
  {
    what: 'an upload has no limit',
    only: 'uploadRecording',
    from: '../generated/server.js',
    to: '../loose/server.js',
    rule: 'form-limit-not-enforced',
  },
  {
    what: 'a response of an upload has no size',
    only: 'uploadRecording',
    from: 'body: recordings.add(identity.token, about, await sound.bytes())',
    to: 'body: { ...recordings.add(identity.token, about, await sound.bytes()), bytes: undefined }',
    rule: 'body-invalid',
  },
  {
    what: 'a caller without a token is let in',
    only: 'getRecording',
    from: 'listen(toNodeListener(server))',
    to: `listen((request, response) => {
  if (!request.headers.authorization) request.headers.authorization = 'Bearer token-of-ada'
  toNodeListener(server)(request, response)
})`,
    rule: 'missing-credentials-accepted',
  },
  {
    what: 'every token is right',
    only: 'uploadRecording',
    from: 'names.get(token)',
    to: "names.get(token) ?? 'nobody'",
    rule: 'wrong-credentials-accepted',
  },
  {
    what: 'the cursor of a page is ignored',
    only: 'listRecordings',
    from: 'recordings.page(limit, cursor)',
    to: 'recordings.page(limit)',
    rule: 'page-repeated',
  },
  {
    what: 'the cursor of a page is ignored over JSON-RPC',
    only: 'recordings_list',
    from: '([cursor = 0]) => {',
    to: '() => {\n      const cursor = 0',
    rule: 'page-repeated',
  },
  {
    what: 'an item does not fit its schema',
    only: 'transcribeRecording',
    from: 'yield { at: index / 2, word }',
    to: 'yield { at: String(index), word }',
    rule: 'stream-item-invalid',
  },
  {
    what: 'a stream breaks off',
    only: 'transcribeRecording',
    from: 'yield { at: index / 2, word }',
    to: "yield { at: index / 2, word }\n    if (index === 1) throw new Error('out of words')",
    rule: 'response-truncated',
  },
  {
    what: 'a stream goes on for seconds after its reader has left',
    only: 'watchRecordings',
    from: 'watchRecordings: (_, { signal }) => ({ status: 200, body: recordings.watch(signal) }),',
    to: `watchRecordings: ((open) => (_, { signal }) => {
      if (open > 9) return { status: 500 }
      open += 1
      setTimeout(() => (open -= 1), 30_000)
      return { status: 200, body: recordings.watch(signal) }
    })(0),`,
    rule: 'stream-outlives-its-reader',
  },
]

describe('conform finds each defect of the server', () => {
  beforeAll(() => {
    const generated = join(project.folder, 'generated')
    const files = readdirSync(generated).map((name) => ({
      path: `loose/${name}`,
      text: readFileSync(join(generated, name), 'utf8').replaceAll('1048576', '4194304'),
    }))
    project.write(files)
  })

  it.each(DEFECTS)('$what: $rule', async ({ what, only, from, to, rule }) => {
    const right = readFileSync(join(EXAMPLE, 'src/server.ts'), 'utf8')
    expect(right.split(from).length).toBeGreaterThan(1)
    const file = `src/${what.replace(/\W+/g, '-')}.ts`
    project.write([{ path: file, text: right.replaceAll(from, to) }])
    // The server must not find it first.
    const broken = await project.start(file, { NODE_ENV: 'production' })
    const { findings } = await conform(broken, '--only', only)
    expect(findings.map((one) => one.rule)).toContain(rule)
  })
})
