/**
 * After the compiler: copies the files that modules read from beside them, and bundles the scripts of the reference's pages.
 * Classic scripts, as a browser loads no module from a disk.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const out = process.argv[2] ?? join(ROOT, 'dist')
const endings = ['.css', '.txt', '.md', '.yaml', '.yml', '.py', '.go']

await build({
  absWorkingDir: ROOT,
  entryPoints: endings
    .map((ending) => `src/**/*${ending}`)
    .concat(
      'src/report/page.js',
      'src/cli/config/config.schema.json',
      'src/usage/usage.schema.json',
      'src/emit/operations.schema.json',
    ),
  loader: Object.fromEntries([...endings, '.js', '.json'].map((ending) => [ending, 'copy'])),
  outbase: '.',
  outdir: out,
  logLevel: 'error',
})
// For Node: the library of samples in other languages, with its licence, which is not among the dependencies of the package.
await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/docs/snippet-library.js'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: {
    js: `/* @scalar/snippetz\n${readFileSync(join(ROOT, 'node_modules/@scalar/snippetz/LICENSE'), 'utf8')}*/`,
  },
  outdir: join(out, 'src/docs/scripts'),
  logLevel: 'warning',
})
await build({
  absWorkingDir: ROOT,
  entryPoints: ['theme', 'page', 'search', 'try-it'].map((name) => `src/docs/page/${name}.ts`),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  outdir: join(out, 'src/docs/scripts'),
  logLevel: 'warning',
})
