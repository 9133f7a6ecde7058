import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Imports every TypeScript file of a generated folder, each bundled with all that it leads to, so that whatever is code in it
 * runs. Rejects where one is no code. Resolves to the names of the files.
 */
export async function importGenerated(folder: string): Promise<readonly string[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
  for (const name of names) await importFile(folder, name)
  return names
}

/** Imports one file of a generated folder in the same way, and resolves to what it exports. */
export async function importFile<Exports>(folder: string, name: string): Promise<Exports> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, name)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['twinspec-source', 'import'],
    external: ['node:*'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'packages',
        setup: ({ onResolve, resolve }) => {
          // The folder has no packages of its own: they are those of this repository.
          onResolve({ filter: /^[^./]/ }, ({ path, kind, pluginData, importer }) =>
            pluginData === HERE || !importer.startsWith(folder)
              ? undefined
              : resolve(path, { kind, resolveDir: ROOT, pluginData: HERE }),
          )
        },
      },
    ],
  })
  // Each has an address of its own, as a module is run once.
  const text = `${outputFiles[0]?.text}\n// ${name} ${Math.random()}`
  return await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  )
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = 'resolved here'
