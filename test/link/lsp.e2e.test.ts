import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { compileErrors } from '../compile.js'
import { temporaryFolder } from '../temporary-folder.js'
import { readLsp, whyNoModel } from './lsp-model.js'

const HERE = fileURLToPath(new URL('./lsp', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The client and the server of others, with which generated code speaks. */
const hasPackages = existsSync(join(HERE, 'node_modules'))
const skipped =
  whyNoModel ??
  (hasPackages ? undefined : 'skipped: npm ci --prefix test/link/lsp --ignore-scripts')
if (skipped) console.warn(`test/link/lsp.e2e.test.ts: ${skipped}`)

describe.skipIf(skipped)('the Language Server Protocol over standard input and output', () => {
  const folder = temporaryFolder('lsp')
  const tsx = join(ROOT, 'node_modules/tsx/dist/loader.mjs')
  const run = (program: string) => ['--import', tsx, '-C', 'twinspec-source', join(folder, program)]

  beforeAll(async () => {
    await mkdir(join(folder, 'node_modules'))
    await symlink(ROOT, join(folder, 'node_modules/twinspec'))
    await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
    await cp(join(HERE, 'programs'), folder, { recursive: true })
    await mkdir(join(folder, 'generated'))
    for (const { name, text } of emitAll(await readLsp(), [], ['client', 'server']))
      writeFileSync(join(folder, 'generated', name), text)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })

  it('programs over generated code compile', () => {
    const files = ['client.ts', 'server.ts'].map((name) => join(folder, name))
    expect(compileErrors({ files })).toEqual([])
  })

  it('a generated server answers the client of VS Code', async () => {
    const child = spawn(process.execPath, run('server.ts'))
    const ended = once(child, 'exit')
    onTestFinished(() => void child.kill())
    let errors = ''
    child.stderr.on('data', (bytes) => {
      errors += bytes
    })
    const lsp = await loadProtocol()
    const connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(child.stdout),
      new lsp.StreamMessageWriter(child.stdin),
    )
    const logs: string[] = []
    connection.onNotification('window/logMessage', ({ message }) => void logs.push(String(message)))
    connection.onRequest('workspace/applyEdit', ({ label }) => ({ applied: label === 'built' }))
    const published = new Promise((resolve) => {
      connection.onNotification('textDocument/publishDiagnostics', resolve)
    })
    connection.listen()

    const initialized = await connection.sendRequest('initialize', {
      processId: process.pid,
      clientInfo: { name: 'VS Code' },
      rootUri: null,
      capabilities: { experimental: { more: 1 } },
    })
    expect(initialized).toMatchObject({
      capabilities: { hoverProvider: true },
      serverInfo: { name: 'wrong words' },
    })
    expect(logs).toEqual(['hello VS Code'])
    await connection.sendNotification('initialized', {})

    const uri = 'file:///a.txt'
    const textDocument = { uri, languageId: 'text', version: 1, text: 'right\nit is wrong' }
    await connection.sendNotification('textDocument/didOpen', { textDocument })
    expect(await published).toMatchObject({
      uri,
      diagnostics: [
        { range: { start: { line: 1, character: 6 } }, severity: 1, message: 'this is wrong' },
      ],
    })

    const hover = (line: number, character: number) =>
      connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position: { line, character },
      })
    expect(await hover(1, 8)).toEqual({ contents: { kind: 'markdown', value: '**wrong**' } })
    expect(await hover(5, 0)).toBe(null)
    await expect(
      connection.sendRequest('textDocument/hover', { textDocument: { uri } }),
    ).rejects.toMatchObject({ code: -32602 })
    await expect(connection.sendRequest('textDocument/moniker', {})).rejects.toMatchObject({
      code: -32602,
    })

    const values: unknown[] = []
    connection.onProgress(new lsp.ProgressType(), 'token of the client', (one) => values.push(one))
    const build = (steps: number, ...rest: readonly unknown[]) =>
      connection.sendRequest(
        'workspace/executeCommand',
        { command: 'build', arguments: [steps], workDoneToken: 'token of the client' },
        ...rest,
      )
    expect(await build(2)).toBe('built')
    expect(values).toEqual([
      { kind: 'begin', title: 'building', percentage: 0 },
      { kind: 'report', percentage: 10 },
      { kind: 'report', percentage: 20 },
      { kind: 'end' },
    ])

    const source = new lsp.CancellationTokenSource()
    const cancelled = build(10_000, source.token)
    expect(await hover(0, 0)).toMatchObject({ contents: { value: '**right**' } })
    source.cancel()
    await expect(cancelled).rejects.toMatchObject({ code: -32800 })

    expect(await connection.sendRequest('shutdown')).toBe(null)
    await connection.sendNotification('exit')
    expect((await ended)[0]).toBe(0)
    expect(errors).toBe('')
  })

  it('a generated client drives typescript-language-server', async () => {
    const project = join(folder, 'project')
    await mkdir(project)
    // The server reports the loading of projects.
    writeFileSync(join(project, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }')
    const file = join(project, 'subject.ts')
    const text = 'const answer: number = 42\nconst text: string = answer\n'
    writeFileSync(file, text)
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...run('client.ts'),
      join(HERE, 'node_modules/typescript-language-server/lib/cli.mjs'),
      join(ROOT, 'node_modules/typescript/lib/tsserver.js'),
      file,
      text,
    ])
    const steps = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(steps).toEqual([
      ['initialize', true],
      ['diagnostics', [true, [[2322, 1, expect.stringContaining('not assignable')]]]],
      ['hover', { kind: 'markdown', value: expect.stringContaining('const answer: number') }],
      ['cancel', 'aborted'],
      ['references', 2],
      ['progress', ['window/workDoneProgress/create', 'begin']],
      ['shutdown', null],
      ['exit', 0],
      // It is no method of LSP.
      ['warnings', ['$/typescriptVersion a call of the server was ignored']],
    ])
  })
})

/** What the test uses of vscode-languageserver-protocol. */
type Protocol = {
  readonly createProtocolConnection: (reader: object, writer: object) => Connection
  readonly StreamMessageReader: new (stream: object) => object
  readonly StreamMessageWriter: new (stream: object) => object
  readonly ProgressType: new () => object
  readonly CancellationTokenSource: new () => {
    readonly token: object
    readonly cancel: () => void
  }
}

const loadProtocol = async (): Promise<Protocol> => {
  const { resolve } = createRequire(join(HERE, 'package.json'))
  const url = pathToFileURL(resolve('vscode-languageserver-protocol/node')).href
  const { default: whole, ...named } = await import(url)
  return { ...named, ...whole }
}

type Params = Readonly<Record<string, unknown>>

type Connection = {
  readonly listen: () => void
  readonly sendRequest: (method: string, ...rest: readonly unknown[]) => Promise<unknown>
  readonly sendNotification: (method: string, params?: unknown) => Promise<void>
  readonly onNotification: (method: string, handler: (params: Params) => void) => unknown
  readonly onRequest: (method: string, handler: (params: Params) => unknown) => unknown
  readonly onProgress: (type: object, token: string, handler: (value: unknown) => void) => unknown
}
