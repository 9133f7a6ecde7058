import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { findingsIn } from '../report/report-of.js'
import { temporaryFolder } from '../temporary-folder.js'
import { command, OPENAPI, OPENRPC, ran } from './command.js'

const folder = temporaryFolder('generate')

let spec = ''
let out = ''
let openapi = ''
let openrpc = ''
beforeEach(() => {
  const parent = mkdtempSync(join(folder, 'project-'))
  spec = join(parent, 'spec')
  out = join(parent, 'generated')
  mkdirSync(spec)
  openapi = join(spec, 'openapi.yaml')
  openrpc = join(spec, 'openrpc.yaml')
  writeFileSync(openapi, OPENAPI)
  writeFileSync(openrpc, OPENRPC)
})

const WRONG_EXAMPLE = OPENAPI.replace('example: noon', 'example: 12')

/** Methods whose names all have to be changed. */
const renamed = (count: number) =>
  `openrpc: 1.3.2\ninfo: { title: T, version: '1' }\nmethods:\n${Array.from(
    { length: count },
    (_, index) =>
      `  - { name: ${'_'.repeat(index + 1)}a.b, params: [], result: { name: r, schema: {} } }\n`,
  ).join('')}`

describe('generate', () => {
  it('says one line, with the seconds it took', async () => {
    let clock = 0
    const now = () => {
      clock += 1_234
      return clock
    }
    const args = ['generate', '--openapi', openapi, '--openrpc', openrpc, '--out', out]
    expect(await ran(args, { now })).toEqual({
      code: 0,
      stdout: '',
      stderr: `generated 10 files in 1.2 s into ${out}/\n`,
    })
    expect(readdirSync(out)).toMatchInlineSnapshot(`
      [
        "client.ts",
        "explanations.ts",
        "http.calls.ts",
        "http.client.ts",
        "http.types.ts",
        "operations.ts",
        "rpc.client.ts",
        "rpc.methods.ts",
        "rpc.types.ts",
        "validators.ts",
      ]
    `)
    expect((await ran(args)).stderr).toBe(
      `generated 10 files in 0.0 s into ${out}/, nothing changed\n`,
    )
  })

  it('writes what one document calls for, and takes away what the other did', async () => {
    await ran(['generate', '--openapi', openapi, '--openrpc', openrpc, '--out', out])
    const one = await ran(['generate', '--openrpc', openrpc, '--out', out])
    expect(one.code).toBe(0)
    expect(readdirSync(out).filter((name) => name.startsWith('http'))).toEqual([])
    const other = await ran(['generate', '--openapi', openapi, '--out', `${out}/`])
    expect(other.code).toBe(0)
    expect(readdirSync(out).filter((name) => name.startsWith('rpc'))).toEqual([])
  })

  it('shows one line for each rule that changes the code, or all findings', async () => {
    writeFileSync(openrpc, renamed(13))
    const args = ['generate', '--openrpc', openrpc, '--out', out]
    const lines = (await ran(args)).stderr.split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/warning .* is called .*, and 11 more like it \[operation-name-was-ch/),
      `generated 7 files in 0.0 s into ${out}/`,
      '',
    ])
    expect((await ran([...args, '--verbose'])).stderr.match(/was-changed\]\n/g)).toHaveLength(12)
  })

  it('counts what only the owner of a document can correct', async () => {
    writeFileSync(openapi, WRONG_EXAMPLE)
    const { stderr } = await ran(['generate', '--openapi', openapi, '--out', out])
    expect(stderr).toBe(
      `another finding: twinspec lint shows them\ngenerated 7 files in 0.0 s into ${out}/\n`,
    )
  })

  it('never prints more than ten lines of findings', async () => {
    const faults = [
      "{ $ref: '#/none' }",
      'null',
      '7',
      '{ type: text }',
      '{ enum: [] }',
      '{ required: [a, a] }',
      '{ minimum: 2, maximum: 1 }',
      "{ type: string, pattern: '(' }",
      '{ type: object, discriminator: 1 }',
      '{ $ref: "#/info" }',
    ]
    const schemas = faults.map((fault, at) => `    s${at}: ${fault}\n    a-${at}: {}\n`).join('')
    const paths = [
      'path-parameter: { get: {} }',
      '/b/{id}: { get: { operationId: a-b, parameters: [{ name: x, in: nowhere }] } }',
      '/c?d=e: { get: { operationId: c, responses: { 2: {}, 204: { content: { a: {} } } } } }',
      '/d: { get: { operationId: d, security: [{ none: [] }], requestBody: { content: { "x": {} } } } }',
    ]
    writeFileSync(
      openapi,
      `openapi: 3.0.3\ninfo: { title: T, version: '1' }\nservers: [{ url: shop.example }]\npaths:\n  ${paths.join('\n  ')}\ncomponents:\n  schemas:\n${schemas}`,
    )
    const { code, stderr } = await ran(['generate', '--openapi', openapi, '--out', out])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(11)
    expect(lines.at(-2)).toMatch(/^\d+ other findings: twinspec lint shows them$/)
    expect(lines[0]).toContain(' error ')
  })

  it('writes a report for machines to standard output and its line for people beside it', async () => {
    writeFileSync(openapi, WRONG_EXAMPLE)
    const args = ['generate', '--openapi', openapi, '--out', out, '--format']
    const { code, stdout, stderr } = await ran([...args, 'json'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `generated 7 files in 0.0 s into ${out}/\n`,
    })
    expect(findingsIn(stdout)).toMatchObject([
      { rule: 'example-invalid', location: { file: openapi, line: 13, column: 24 } },
    ])
    expect((await ran([...args, 'github'])).stdout).toMatch(/^::warning file=/)
    expect((await ran([...args, 'junit'])).stdout).toMatch(/^<\?xml/)
    expect(JSON.parse((await ran([...args, 'sarif'])).stdout).runs[0].results).toHaveLength(1)
  })

  it('reports a refusal to machines as well', async () => {
    writeFileSync(openapi, 'swagger: "1.2"')
    const result = await ran(['generate', '--openapi', openapi, '--out', out, '--format', 'json'])
    expect(result.code).toBe(2)
    expect(findingsIn(result.stdout)).toMatchObject([
      { rule: 'document-version-is-unknown', level: 'error' },
    ])
    expect(result.stderr).toMatch(/\[document-version-is-unknown\]\n/)
  })

  it('shows the lines of a document that cannot be generated from', async () => {
    writeFileSync(openrpc, OPENRPC.replace('type: string', "patternProperties: { '([': {} }"))
    const args = ['generate', '--openrpc', openrpc, '--out', out]
    expect((await ran(args)).stderr.replace(openrpc, 'openrpc.yaml')).toMatchInlineSnapshot(`
      "openrpc.yaml:6:63 error "([" is not a valid ECMAScript regular expression: /([/: Unterminated character class [pattern-does-not-compile]
       4 |   - name: clock_now
       5 |     params: []
       6 |     result: { name: now, schema: { patternProperties: { '([': {} } } }
         |                                                               ^
      "
    `)
    const coloured = (await ran(args, { terminal: true })).stderr
    expect(coloured).toContain('\u001b[31merror\u001b[39m')
  })

  it('refuses to write among files that it did not generate', async () => {
    const result = await ran(['generate', '--openapi', openapi, '--out', spec])
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: `twinspec generate: ${openapi} was not generated, and ${spec} would be replaced: choose another --out, or move the file\n`,
    })
    expect(readdirSync(spec)).toEqual(['openapi.yaml', 'openrpc.yaml'])
  })
})

describe('generate --check', () => {
  const check = (...more: readonly string[]) =>
    ran(['generate', '--openrpc', openrpc, '--out', out, '--check', ...more])

  it('says so where everything is as it should be', async () => {
    await ran(['generate', '--openrpc', openrpc, '--out', out])
    writeFileSync(join(out, '.gitattributes'), '')
    expect(await check()).toEqual({
      code: 0,
      stdout: '',
      stderr: `${out}/ is up to date with the documents\n`,
    })
  })

  it('names each file that is missing, changed or superfluous, and writes nothing', async () => {
    await ran(['generate', '--openrpc', openrpc, '--out', out])
    rmSync(join(out, 'rpc.client.ts'))
    appendFileSync(join(out, 'operations.ts'), 'x')
    writeFileSync(join(out, 'mine.ts'), '')
    const before = readFileSync(join(out, 'operations.ts'), 'utf8')
    const { code, stdout, stderr } = await check()
    expect({
      code,
      stderr,
      drift: stdout
        .replaceAll(`${out}/`, '')
        .replaceAll(out, 'OUT')
        .replace(/line \d+/, 'line N'),
    }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "drift": "mine.ts:1:1 error 3 files are out of date with the documents: run twinspec generate, and commit OUT [generated-files-stale]
          file: mine.ts is not generated from these documents
          file: operations.ts differs from line N on
          file: rpc.client.ts is missing
      ",
        "stderr": "",
      }
    `)
    expect(readFileSync(join(out, 'operations.ts'), 'utf8')).toBe(before)
    expect(existsSync(join(out, 'rpc.client.ts'))).toBe(false)
    expect((await check('--format', 'github')).stdout.match(/^::error file=/gm)).toHaveLength(1)
  })

  it('finds everything missing where nothing was generated yet', async () => {
    const { code, stdout } = await check('--format', 'json')
    expect(code).toBe(1)
    const [finding, ...others] = findingsIn(stdout)
    expect(others).toEqual([])
    expect(finding?.details).toHaveLength(7)
    expect(existsSync(out)).toBe(false)
  })

  it('is not failed by findings', async () => {
    writeFileSync(openapi, WRONG_EXAMPLE)
    await ran(['generate', '--openapi', openapi, '--out', out])
    const args = ['generate', '--openapi', openapi, '--out', out, '--check', '--verbose']
    const { code, stderr } = await ran(args)
    expect(code).toBe(0)
    expect(stderr).toContain('example-invalid')
  })

  it('could not run where a file cannot be read, or for the root of the file system', async () => {
    await ran(['generate', '--openrpc', openrpc, '--out', out])
    const file = join(out, 'operations.ts')
    rmSync(file)
    symlinkSync('operations.ts', file)
    const { code, stderr } = await check()
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 2,
      lines: [expect.stringContaining(`twinspec generate: ${file} cannot be read: ELOOP`)],
    })
    expect(await ran(['generate', openrpc, '--check', '--out', '/'])).toMatchObject({
      code: 2,
      stderr: 'twinspec generate: / is the root of the file system: choose another --out\n',
    })
  })

  it('could not run where a document cannot be generated from', async () => {
    writeFileSync(openrpc, '')
    expect((await check()).code).toBe(2)
  })
})

describe('generate --watch', () => {
  it('generates again when a document is saved, waits a bad one out, and ends when asked to', async () => {
    writeFileSync(
      openrpc,
      OPENRPC.replace('{ type: string }', "{ $ref: '../shared/base.yaml#/Time' }"),
    )
    const shared = join(spec, '../shared')
    mkdirSync(shared)
    const base = join(shared, 'base.yaml')
    writeFileSync(base, 'Time: { type: string }\n')
    const ending = new AbortController()
    const args = [
      'generate',
      '--openrpc',
      openrpc,
      '--allow-outside',
      shared,
      '--out',
      out,
      '--watch',
    ]
    const { said, code } = command(args, { signal: ending.signal })
    const line = async (number: number) => {
      const deadline = Date.now() + 15_000
      while (said.stderr.split('\n').length <= number && Date.now() < deadline) await pause(20)
      return said.stderr
        .split('\n')
        [number - 1]?.replaceAll(shared, 'shared')
        .replaceAll(out, 'generated')
    }
    try {
      expect(await line(1)).toBe('generated 7 files in 0.0 s into generated/')
      writeFileSync(base, 'Time: { type: integer }\n')
      expect(await line(2)).toBe('generated 7 files in 0.0 s into generated/')
      expect(readFileSync(join(out, 'rpc.types.ts'), 'utf8')).toContain('Time = number')
      writeFileSync(base, 'Time: { type: [ }\n')
      expect(await line(3)).toMatch(
        /^shared\/base.yaml:1:\d+ error .* \[document-does-not-parse\]$/,
      )
      writeFileSync(base, 'Time: { type: string, default: noon, example: 0x12 }\n')
      expect(await line(4)).toMatch(/^shared\/base.yaml:1:47 error .* \[yaml-number-is-hex\]$/)
      expect(await line(5)).toMatch(/^generated 7 files in 0.0 s into generated\//)
      expect(readFileSync(join(out, 'rpc.types.ts'), 'utf8')).toContain('Time = string')
    } finally {
      ending.abort()
    }
    expect(await code).toBe(0)
    expect(said.stdout).toBe('')
    expect(said.stderr.split('\n')).toHaveLength(6)
  })

  it('writes for other libraries what is named, and says why it does not', async () => {
    const generating = (names: string) =>
      ran(['generate', '--openapi', openapi, '--openrpc', openrpc, '--out', out, '--with', names])
    expect(await generating('vime')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'twinspec generate: --with cannot be "vime": did you mean viem?\n',
    })
    expect(await generating('eip1193,web3')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'twinspec generate: --with cannot be "web3": there are types, client, webhooks, server, validators, typebox, documents, reference, contracts, eip1193, msw, openapi-fetch, operations-json, standard-schema, tanstack-query, valibot, viem, zod\n',
    })
    expect(await generating('viem')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'twinspec generate: --with viem does not apply to these documents: no server of the OpenRPC document has x-chain-id\n',
    })
    expect(await generating('eip1193')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'twinspec generate: --with eip1193 does not apply to these documents: the OpenRPC document has no method eth_chainId, which every user of a provider calls first\n',
    })
    const contracts = await generating('contracts')
    expect(contracts.stderr).toContain('no variant of an operation has x-contract-call')
    expect(readdirSync(join(out, '..'))).toEqual(['spec'])
    const servers = "\nservers: [{ url: 'https://a.example', x-chain-id: 7 }]\nmethods:"
    writeFileSync(openrpc, OPENRPC.replace('\nmethods:', servers))
    expect((await generating('viem')).stderr).toContain('x-chain-id but no x-native-currency')
    const currency = 'x-native-currency: { name: Coin, symbol: C, decimals: 2 }'
    const whole = servers.replace('x-chain-id: 7', `x-chain-id: 7, ${currency}`)
    const method = '  - { name: eth_chainId, params: [], result: { name: id, schema: {} } }\n'
    writeFileSync(openrpc, OPENRPC.replace('\nmethods:', whole) + method)
    expect(await generating(' viem, eip1193')).toMatchObject({ code: 0 })
    expect(readdirSync(out)).toEqual(expect.arrayContaining(['eip1193.ts', 'viem.ts']))
    expect(readFileSync(join(out, 'viem.ts'), 'utf8')).toContain(
      "nativeCurrency: { name: 'Coin', symbol: 'C', decimals: 2 }",
    )
  })

  it('says so where there is nothing to watch', async () => {
    const nowhere = join(spec, 'no/such/openapi.yaml')
    expect(await ran(['generate', '--openapi', nowhere, '--out', out, '--watch'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'twinspec generate: the folders to be watched do not exist\n',
    })
  })
})
