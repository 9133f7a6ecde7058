/** Writes JavaScript, without checking types, and the other files that it reads: `node scripts/transpile.mjs [FOLDER]`, `dist` by default. */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const out = resolve(process.argv[2] ?? join(ROOT, 'dist'))

await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/**/*.ts', 'generated/**/*.ts', 'generated/**/*.json'],
  loader: { '.json': 'copy' },
  outbase: '.',
  outdir: out,
  logLevel: 'warning',
})
execFileSync(process.execPath, [join(ROOT, 'scripts/assets.mjs'), out], { stdio: 'inherit' })
