import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.js'
import { PROFILES } from '../../src/conform/profile-list.js'
import { startMock } from '../../src/mock/mock.js'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'
import { command, ran } from '../cli/command.js'
import { createFolder } from '../init/begun-project.js'
import { CHANGES, changed } from './changes.js'
import { DEFECTS } from './defects.js'
import { startProxy } from './proxy.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const project = createFolder()
const inside = (...path: readonly string[]): string => join(project.folder, ...path)
const documents = ['--openapi', 'spec/openapi.yaml', '--openrpc', 'spec/openrpc.json'].map((one) =>
  one.startsWith('spec/') ? inside(one) : one,
)

/** The number on the one card that opens it. */
const CARD = 'card-4711'

/** What a shell receives that is given a line of curl and the card. */
const statusOf = async (line: string): Promise<string | undefined> => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -w '\\n%{http_code}'`], {
    env: { ...process.env, LIBRARY_CARD: CARD },
  })
  return stdout.split('\n').at(-1)
}

let api: Api
let url = ''

beforeAll(async () => {
  for (const name of ['spec', 'service', 'tsconfig.json']) {
    cpSync(join(here, name), inside(name), { recursive: true })
  }
  writeFileSync(inside('package.json'), '{ "type": "module" }')
  const { code, stderr } = await ran([
    'generate',
    ...documents,
    '--with',
    'server,reference',
    '--out',
    inside('generated'),
  ])
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^generated \d+ files/)])
  api = await loadApi({
    openapi: inside('spec/openapi.yaml'),
    openrpc: inside('spec/openrpc.json'),
  })
  url = await project.start('service/main.ts')
})

afterAll(() => project.remove())

describe('a library, which the toolkit has never heard of', () => {
  it('is small, and unlike the service of this repository', () => {
    const kinds = api.operations.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'http').length).toBe(2)
    expect(kinds.filter((kind) => kind === 'rpc').length).toBe(5)
    expect(api.rpc?.limits).toMatchObject({ batchSize: 5, payloadBytes: 4096 })
    expect(api.http?.limits).toMatchObject({ payloadBytes: 2048 })
  })

  it('has documents that lint finds nothing wrong with', async () => {
    const { code, stderr } = await ran(['lint', ...documents, '--fail-on', 'warning'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^(\d+ notes?|clean) by \d+ rules/)])
  })

  it('is generated as it was, and the compiler finds nothing wrong under the strictest settings', async () => {
    expect(
      await ran([
        'generate',
        '--check',
        ...documents,
        '--with',
        'server,reference',
        '--out',
        inside('generated'),
      ]),
    ).toMatchObject({ code: 0 })
    expect(project.diagnose()).toEqual([])
  })

  it('has a reference with every operation in it', () => {
    const reference = readFileSync(inside('generated/reference.md'), 'utf8')
    for (const words of [
      ...[
        'findBooks',
        'borrowBook',
        'book.get',
        'loan.list',
        'loan.extend',
        'loan.end',
        'shelf.note',
      ],
      ...['2,048 bytes a body', '4,096 bytes a body', 'that is too long', 'The lamp is broken'],
    ]) {
      expect(reference).toContain(words)
    }
  })

  it('has a site of its reference, a page for each operation', async () => {
    const { code } = await ran(['docs', ...documents, '--out', inside('docs')])
    expect(code).toBe(0)
    const index = readFileSync(inside('docs/index.html'), 'utf8')
    for (const name of ['findBooks', 'borrowBook', 'book.get', 'shelf.note']) {
      expect(index).toContain(name)
    }
    const pages = readdirSync(inside('docs/operations'))
    expect(pages.filter((name) => name.endsWith('.html')).length).toBe(7)
    expect(pages.filter((name) => name.endsWith('.md')).length).toBe(7)
  })

  it('answers both clients', async () => {
    const { visit } = await project.load('service/visit.ts')
    const loan = { isbn: '9780156027601', member: 12, due: '2027-01-31' }
    expect(await visit?.(`${url}/v2`, `${url}/counter`, CARD)).toEqual({
      subtitle: null,
      loan,
      book: { isbn: loan.isbn, title: 'Solaris', subtitle: null, authors: ['Lem'], loan },
      nobody: null,
      mine: [loan],
      longer: { ...loan, due: '2027-02-07' },
      tooLong: { most: 31, asked: 100 },
      refused: 'this card is not known',
      wasLent: true,
    })
  })

  it('keeps its contract, by the letter', async () => {
    const { findings, cases, coverage } = await conform(api, {
      ...{ url, key: CARD, rate: null },
      profile: PROFILES.find(({ name }) => name === 'strict'),
    })
    expect(findings.map(({ identity, message }) => `${identity}: ${message}`)).toEqual([])
    expect(cases).toBeGreaterThan(150)
    const met = Object.fromEntries(
      coverage.map(({ kind, met, declared }) => [kind, declared.length - met.length]),
    )
    expect(met).toMatchObject({ operation: 0, status: 0 })
  })

  it.each(DEFECTS)(
    'and is found out where it does not: $name',
    async ({ name, change, by, only }) => {
      const proxy = await startProxy(url, change)
      try {
        const { findings, cases } = await conform(api, {
          ...{ url: proxy.url, key: CARD, rate: null, runs: 2, only },
          milliseconds: 5_000,
        })
        expect(cases, name).toBeGreaterThan(0)
        expect([...new Set(findings.map(({ rule }) => rule))]).toContain(by)
      } finally {
        await proxy.stop()
      }
    },
  )

  it('is mocked, over both protocols', async () => {
    const mock = await startMock(api)
    try {
      const { createHttpClient } = await project.load('generated/http.client.ts')
      const { createRpcClient } = await project.load('generated/rpc.client.ts')
      const http = createHttpClient?.({ server: mock.httpUrl, auth: { libraryCard: CARD } })
      const rpc = createRpcClient?.({ server: mock.rpcUrl })
      const loan = { isbn: '9780156027601', member: 12, due: '2027-01-31' }
      expect(
        await http.borrowBook({ path: { isbn: loan.isbn }, body: { member: 12, due: null } }),
      ).toEqual(loan)
      expect(await rpc.bookGet({ isbn: '9780000000002' })).toBe(null)
      await expect(rpc.loanExtend({ isbn: '9780141187761', days: 365 })).rejects.toMatchObject({
        code: 4001,
        data: { most: 31, asked: 365 },
      })
      const verdict = await conform(api, {
        ...{ url: mock.url, key: CARD, rate: null, stateless: true, runs: 2 },
      })
      expect(verdict.findings.map(({ identity, message }) => `${identity}: ${message}`)).toEqual([])
      expect(verdict.cases).toBeGreaterThan(100)
    } finally {
      await mock.stop()
    }
  })

  it('is mocked and asked by the commands too', async () => {
    const ended = new AbortController()
    const mocking = command(['mock', inside('spec'), '--port', '0'], { signal: ended.signal })
    try {
      await expect.poll(() => mocking.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
      const [mock = ''] = /http:\/\/[^\s/]+/.exec(mocking.said.stdout) ?? []
      const asked = await ran(
        ['conform', mock, ...documents, '--stateless', '--rate', '0', '--max-examples', '1'],
        { env: { TWINSPEC_KEY: CARD } },
      )
      expect(asked).toMatchObject({ code: 0 })
      const lines = mocking.said.stdout.split('\n').filter((line) => line.startsWith('curl '))
      expect(lines.length).toBeGreaterThan(4)
      for (const line of lines) {
        expect([line, await statusOf(line)]).toEqual([line, expect.stringMatching(/^2\d\d$/)])
      }
    } finally {
      ended.abort()
      expect(await mocking.code).toBe(0)
    }
  })

  it('begins a project, which generates what it generates', async () => {
    const dir = inside('begun')
    const [openapi, openrpc] = ['spec/openapi.yaml', 'spec/openrpc.json'].map((one) => inside(one))
    const said = await ran(
      ['init', '--dir', dir, '--name', 'Library'].concat(
        ['--from-openapi', openapi ?? ''],
        ['--from-openrpc', openrpc ?? ''],
      ),
    )
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('lint reports nothing') })
    for (const name of readdirSync(inside('spec'))) {
      expect(readFileSync(join(dir, 'spec', name), 'utf8')).toBe(
        readFileSync(inside('spec', name), 'utf8'),
      )
    }
    const own = ['--openapi', `${dir}/spec/openapi.yaml`, '--openrpc', `${dir}/spec/openrpc.json`]
    const args = [...own, '--with', 'server,reference', '--out', join(dir, 'generated')]
    expect(await ran(['generate', ...args])).toMatchObject({ code: 0 })
    for (const name of readdirSync(inside('generated'))) {
      expect(readFileSync(join(dir, 'generated', name), 'utf8')).toBe(
        readFileSync(inside('generated', name), 'utf8'),
      )
    }
  })

  it.each(CHANGES)(
    'and diff tells what became of it: $name',
    async ({ name, edits, says, code }) => {
      const next = inside(`changed-${name.replaceAll(' ', '-')}`)
      mkdirSync(next)
      cpSync(inside('spec'), next, { recursive: true })
      for (const [file, edit] of Object.entries(edits)) {
        writeFileSync(join(next, file), changed(readFileSync(join(next, file), 'utf8'), edit))
      }
      const said = await ran([
        'diff',
        ...['--openapi', join(next, 'openapi.yaml'), '--openrpc', join(next, 'openrpc.json')],
        ...['--against', inside('spec')],
      ])
      const rules = [...said.stdout.matchAll(/: .* \[([a-z]+(?:-[a-z]+)+)\]$/gm)].map(
        ([, rule]) => rule,
      )
      expect({ code: said.code, rules: [...new Set(rules)].sort() }).toEqual({ code, rules: says })
    },
  )
})
