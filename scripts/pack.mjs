/**
 * The end of `npm run build`: packs what was built. The manifest of the package has no scripts: those of this repository mean
 * nothing elsewhere, and `prepare` would be reported as an install script.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const stage = mkdtempSync(join(tmpdir(), 'twinspec-package-'))
try {
  for (const name of ['dist', 'docs/rules.md', 'README.md', 'LICENSE']) {
    if (existsSync(join(ROOT, name)))
      cpSync(join(ROOT, name), join(stage, name), { recursive: true })
  }
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  execFileSync(
    'npm',
    ['pack', stage, '--loglevel=error', '--pack-destination', dirname(join(ROOT, 'package.json'))],
    {
      stdio: 'inherit',
    },
  )
} finally {
  rmSync(stage, { recursive: true, force: true })
}
