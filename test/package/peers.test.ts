import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('peer dependencies are ranges, so that npm install works beside other versions', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as Record<'peerDependencies' | 'devDependencies', Record<string, string>>
  // Prism's own modules are used, so that one is pinned: docs/decisions/0028-pinned-versions.md.
  const { '@stoplight/prism-cli': _, ...peers } = manifest.peerDependencies
  for (const [name, range] of Object.entries(peers)) expect(`${name} ${range}`).toMatch(/ [\^>~]/)
  // The oldest version at which the adapter compiles and its tests pass; the newest one is a development dependency.
  expect(peers.viem).toBe('^2.30.0')
  expect(manifest.devDependencies.viem).toMatch(/^2\./)
})
