import { emitAll } from '../emit/emit.js'
import type { File } from '../emit/file.js'
import { PLUGINS, pluginNames } from '../emit/plugins.js'
import type { Api } from '../model/api.js'
import type { Toolkit } from './toolkit-package.js'
import { besideRuntime, packagesReached } from './vendor.js'
import { isInstalled } from './weights.js'

/**
 * What is generated for a package: all that the documents have a use for, but for what is read and not called, and for what is
 * not wanted. Refused where a library is not installed that some of it leans on: its declarations could not be written.
 */
export const emittedFor = async (
  api: Api,
  without: readonly string[],
  toolkit: Toolkit,
): Promise<Emitted> => {
  const wanted = pluginNames.filter(
    (name) => PLUGINS[name].whyNot(api) === undefined && !without.includes(name),
  )
  const always = emitAll(api).filter(({ name }) => !READ.includes(name))
  const extras = wanted.map((name) => PLUGINS[name].emit(api))
  const files = [...always, ...extras].map((file) => besideRuntime(file, toolkit))
  const missing = wanted.flatMap((name, index) => {
    const start = extras[index]?.name ?? ''
    const needed = packagesReached(files, [start], toolkit)
    return needed.some((one) => !isInstalled(one, toolkit)) ? [{ name, needed }] : []
  })
  return missing.length === 0
    ? { kind: 'emitted', files }
    : { kind: 'refused', sentence: sentence(missing, toolkit) }
}

export type Emitted =
  | { readonly kind: 'emitted'; readonly files: readonly File[] }
  | { readonly kind: 'refused'; readonly sentence: string }

const READ = ['reference.md', 'rpc.openapi.json']

const sentence = (
  missing: readonly { name: string; needed: readonly string[] }[],
  toolkit: Toolkit,
): string => {
  const names = missing.map(({ name }) => name)
  const absent = [...new Set(missing.flatMap(({ needed }) => needed))].filter(
    (one) => !isInstalled(one, toolkit),
  )
  const packages = absent.map(
    (one) => `"${one}@${toolkit.manifest.peerDependencies[one] ?? 'latest'}"`,
  )
  return `the parts ${names.join(', ')} are compiled against ${absent.join(', ')}, which is not installed: npm install --save-dev ${packages.join(' ')}, or leave them out by --without ${names.join(',')}`
}
