/**
 * After the compiler: copies the files that modules read from beside them, and bundles the scripts of the reference's pages.
 * Classic scripts, as a browser loads no module from a disk.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const out = process.argv[2] ?? join(ROOT, 'dist')
const endings = ['.css', '.txt', '.md', '.yaml', '.yml']

await build({
  absWorkingDir: ROOT,
  entryPoints: endings
    .map((ending) => `src/**/*${ending}`)
    .concat('src/cli/conform-html/script.js', 'src/cli/config/config.schema.json'),
  loader: Object.fromEntries([...endings, '.js', '.json'].map((ending) => [ending, 'copy'])),
  outbase: '.',
  outdir: out,
  logLevel: 'error',
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
