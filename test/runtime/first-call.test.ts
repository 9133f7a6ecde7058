import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('a client of one method is one static file, and contains nothing of what compiles schemas', async () => {
  const all = await bundle(
    `export { createRpcConnection, ethChainId } from './generated/rpc.methods.ts'`,
  )
  const outputs = Object.values(all)
  // What is loaded on demand may have a file in common.
  const imports = all['stdin.js']?.imports ?? []
  expect(imports.length).toBeGreaterThan(0)
  expect(imports.filter(({ kind }) => kind !== 'dynamic-import')).toEqual([])
  const bytesOf = (path: string) =>
    outputs.reduce((sum, { inputs }) => sum + (inputs[path]?.bytesInOutput ?? 0), 0)
  expect(bytesOf('src/runtime/rpc/send.ts')).toBeGreaterThan(0)
  for (const name of ['compile', 'check-run', 'report', 'tolerant'])
    expect(bytesOf(`src/runtime/validate/${name}.ts`)).toBe(0)
})

it('what matches patterns that can backtrack is loaded with the explanations only', async () => {
  const outputs = await bundle(`export { createHttpClient } from './generated/http.client.ts'`)
  const loaded = new Set<string>()
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    for (const { kind, path: next } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') load(next)
  }
  load('stdin.js')
  const sources = [...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
  expect(sources).toContain('generated/validators.ts')
  expect(sources.filter((path) => path.includes('validate/pattern'))).toEqual([])
})

it('schemas for other libraries, queries and tracing are in no client that does not import them', async () => {
  const contents = `export { createClient } from './generated/client.ts'
export { createServer } from './generated/server.ts'`
  const sources = Object.values(await bundle(contents)).flatMap(({ inputs }) => Object.keys(inputs))
  expect(sources).toContain('src/runtime/validate/report.ts')
  const faces = /json-schema|standard-schema|tanstack-query|open-telemetry/
  expect(sources.filter((path) => faces.test(path))).toEqual([])
})

const root = fileURLToPath(new URL('../..', import.meta.url))

const bundle = async (contents: string) => {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    outdir: root,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['twinspec-source'],
    absWorkingDir: root,
  })
  return metafile.outputs
}
