import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * A program of this folder as plain JavaScript, as users run us: tsx would put words of its own around each of our functions, and
 * around none of a package's. It stands where the packages of this repository are found.
 */
export async function compiledProgram(name: string): Promise<string> {
  const outfile = join(ROOT, `node_modules/.cache/twinspec-bench/${name}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    conditions: ['twinspec-source'],
  })
  return outfile
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
