import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { builtFile, importsBuilt } from './imports.js'

/**
 * A program of the tests, `new URL('writing-process.ts', import.meta.url)`, as plain JavaScript over what `build.ts` has built: by
 * tsx each start of it compiles the service.
 */
export const builtProcess = async (source: URL): Promise<URL> => {
  const outfile = builtFile(join('test', basename(source.pathname).replace(/\.ts$/, '.js')))
  const { resolveId } = importsBuilt()
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
    plugins: [
      {
        name: 'built',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^\.|^twinspec/ }, ({ path, importer }) => {
            const built = resolveId(path, importer || undefined)
            return built === undefined ? undefined : { path: built, external: true }
          })
        },
      },
    ],
  })
  return pathToFileURL(outfile)
}
