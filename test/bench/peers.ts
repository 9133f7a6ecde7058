import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { install } from './install.js'

/** Installs what ours is measured beside, where it is not yet. */
export async function installPeers(): Promise<void> {
  if (!existsSync(join(PEERS, 'node_modules/zod'))) {
    await install(PEERS, 'the libraries that ours are measured beside (46 MB)')
  }
  await mkdir(BUILT, { recursive: true })
}

/**
 * Bundles a program that measures into plain JavaScript, as tsx would put words of its own around every function, and gives
 * its address. Ours is bundled with it, the packages of others are not.
 */
export async function bundleSide(
  entry: URL,
  name: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<string> {
  const outfile = join(BUILT, `${name}.mjs`)
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['twinspec-source'],
    alias: { 'twinspec/runtime': join(ROOT, 'src/runtime'), ...alias },
    external: PACKAGES,
  })
  return outfile
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PEERS = fileURLToPath(new URL('peers/', import.meta.url))

/** Beside the packages, so that they are found, and where no other tool looks. */
export const BUILT = join(PEERS, 'node_modules/.built')

const PACKAGES =
  `@hono/* @open-rpc/* @sinclair/* arktype ethers fastify hono jayson json-rpc-2.0 ky openapi-fetch typebox
undici valibot viem ws zod`.split(/\s+/)
