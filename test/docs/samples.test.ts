import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { httpSample, rpcSample } from '../../src/docs/samples.js'
import type { Site } from '../../src/docs/site.js'
import { loadApi } from '../../src/model/load.js'
import { ROOT } from '../import-graph.js'

it('the TypeScript of every example compiles against the clients that are generated', async () => {
  const api = await loadApi({ openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' })
  const site: Site = {
    api,
    title: '',
    options: {},
    operationFiles: new Map(),
    schemaFiles: new Map(),
    unknowns: [],
  }
  const samples = api.operations.flatMap((operation) => {
    if (operation.kind === 'rpc')
      return operation.examples.map((example) => rpcSample(site, operation, example))
    const sent = (operation.body?.content ?? []).flatMap((media) =>
      media.examples.map((example) => ({ media, example })),
    )
    return (sent.length > 0 ? sent : [undefined]).map((one) => httpSample(site, operation, one))
  })
  expect(samples.length).toBeGreaterThan(100)
  expect(
    samples.filter(({ curl }) => !/^curl -s /.test(curl) || curl.includes('{apiKey}')),
  ).toEqual([])
  expect(compiled(samples.map(({ typescript }) => typescript))).toEqual([])
  // A sample that is wrong is told, or the line above says nothing.
  const wrong = samples[0]?.typescript.replace(/\(\{.*$/s, '(1)') ?? ''
  expect(compiled([wrong])).not.toEqual([])
})

/** What the compiler says of texts that stand beside `generated/`. */
function compiled(texts: readonly string[]): readonly string[] {
  const files = new Map(texts.map((text, at) => [join(ROOT, `sample-${at}.ts`), text]))
  const { options } = ts.convertCompilerOptionsFromJson(
    JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')).compilerOptions,
    ROOT,
  )
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (name) => files.has(name) || fileExists(name),
    readFile: (name) => files.get(name) ?? readFile(name),
    getSourceFile: (name, target) => {
      const text = files.get(name) ?? (existsSync(name) ? readFileSync(name, 'utf8') : undefined)
      return text === undefined ? undefined : ts.createSourceFile(name, text, target)
    },
  })
  return [...files.keys()].flatMap((name) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(name)),
      ...program.getSemanticDiagnostics(program.getSourceFile(name)),
    ].map(
      ({ messageText }) =>
        `${files.get(name)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    ),
  )
}
