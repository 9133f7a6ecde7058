import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** What a page would be served of a program, as its bundler leaves it. */
export async function bundleOf(contents: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    splitting: true,
    outdir: ROOT,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    conditions: ['twinspec-source'],
    legalComments: 'none',
    absWorkingDir: ROOT,
  })
  const { outputs } = metafile
  const atOnce = new Set(
    Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === '<stdin>'),
  )
  // A set is walked to its end, what is added on the way included.
  for (const name of atOnce) {
    for (const { kind, path } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement') atOnce.add(path)
    }
  }
  return outputFiles.map(({ path, text, contents: bytes }) => ({
    name: basename(path),
    text,
    bytes: gzipSync(bytes, { level: 9 }).length,
    isEntry: outputs[relative(ROOT, path)]?.entryPoint === '<stdin>',
    isFirst: atOnce.has(relative(ROOT, path)),
  }))
}

export type Bundle = readonly BundledFile[]

export type BundledFile = {
  readonly name: string
  readonly text: string
  /** Compressed by itself, as it is served. */
  readonly bytes: number
  readonly isEntry: boolean
  /** Whether it is loaded before anything runs; the others are loaded when they are needed. */
  readonly isFirst: boolean
}

export const bytesOf = (files: Bundle): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const GENERATED = join(ROOT, 'generated')
