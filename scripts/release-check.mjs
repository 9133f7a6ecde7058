/**
 * `node scripts/release-check.mjs TAG TARBALL`: what must be right before a version is published. Prints each fault and exits
 * with 1.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [tag, tarball] = process.argv.slice(2)
const packed = (path) =>
  execFileSync('tar', ['-xzOf', tarball, `package/${path}`], { encoding: 'utf8' })
const { name, version, scripts = {}, bin, repository } = JSON.parse(packed('package.json'))
const changelog = readFileSync(
  fileURLToPath(new URL('../docs/changelog.md', import.meta.url)),
  'utf8',
)

const faults = [
  tag !== `v${version}` && `the tag is ${tag}, and the version of the package is ${version}`,
  name !== 'twinspec' && `the package is called ${name}`,
  !changelog.split('\n').some((line) => line.startsWith(`## ${version} `)) &&
    `docs/changelog.md has no section "## ${version}": run npm run changelog -- v${version}`,
  Object.keys(scripts).length > 0 &&
    `the package has scripts (${Object.keys(scripts).join(', ')}), which may run at its installation`,
  !packed(bin.twinspec.replace('./', '')).startsWith('#!/usr/bin/env node') &&
    'the command twinspec does not begin with #!/usr/bin/env node',
  repository?.url === undefined &&
    'package.json names no repository, so npm rejects the provenance',
].filter((fault) => fault !== false)

for (const fault of faults) console.error(`release-check: ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
