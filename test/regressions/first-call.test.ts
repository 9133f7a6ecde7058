import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('a client of one method is one static file, and contains nothing of what compiles schemas', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const contents = `export { createRpcConnection, ethChainId } from './generated/rpc.methods.ts'`
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
  const outputs = Object.values(metafile.outputs)
  const imports = outputs.flatMap((one) => one.imports)
  expect(imports.filter(({ kind }) => kind !== 'dynamic-import')).toEqual([])
  const bytesOf = (path: string) =>
    outputs.reduce((sum, { inputs }) => sum + (inputs[path]?.bytesInOutput ?? 0), 0)
  expect(bytesOf('src/runtime/rpc/send.ts')).toBeGreaterThan(0)
  for (const name of ['compile', 'check-run', 'report', 'tolerant'])
    expect(bytesOf(`src/runtime/validate/${name}.ts`)).toBe(0)
})
