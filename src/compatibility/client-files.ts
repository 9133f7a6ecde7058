import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { emitAll } from '../emit/emit.js'
import type { File } from '../emit/file.js'
import type { Api } from '../model/api.js'
import { reachable, relativeTarget } from '../pack/module-graph.js'
import { openToolkit, type Toolkit, vendoredAs } from '../pack/toolkit-package.js'
import { besideRuntime } from '../pack/vendor.js'
import { cached } from '../runtime/shared/cached.js'

/**
 * The generated client of an Api as JavaScript, in `folder`, with the runtime that it imports next to that folder. The types are
 * removed and not checked: only the code affects a server.
 */
export const clientFiles = (api: Api, folder: string): readonly File[] => {
  const toolkit = openToolkit()
  const emitted = emitAll(api, [], ['client'])
    .filter(({ name }) => name.endsWith('.ts'))
    .map(({ name, text }) => besideRuntime({ name: `${folder}/${name}`, text }, toolkit))
  return [
    ...emitted.map(toJavaScript),
    ...runtimeFiles(emitted, toolkit),
    { name: 'package.json', text: JSON.stringify({ type: 'module', imports: importsOf(toolkit) }) },
  ]
}

const toJavaScript = ({ name, text }: File): File => ({
  name: name.replace(/\.ts$/, '.js'),
  text: ts.transpileModule(text, { compilerOptions: OPTIONS }).outputText,
})

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
}

/** The runtime modules that generated files import, directly or indirectly. The versions of one run share them. */
const runtimeFiles = (emitted: readonly File[], toolkit: Toolkit): readonly File[] => {
  const texts = new Map(emitted.map(({ name, text }) => [name.replace(/\.ts$/, '.js'), text]))
  const read = (path: string) =>
    texts.get(path) ?? (path.startsWith('runtime/') ? sourceOf(path, toolkit) : undefined)
  const paths = reachable(texts.keys(), read, (from, name) => {
    if (name.startsWith('.')) return [relativeTarget(from, name)]
    return Object.values(toolkit.manifest.imports[name] ?? {}).map((target) =>
      vendoredAs(target.default ?? ''),
    )
  })
  return paths
    .filter((path) => !texts.has(path))
    .map((path) =>
      cached(compiled, path, () => {
        const file = { name: path, text: sourceOf(path, toolkit) }
        return toolkit.isSource ? toJavaScript(file) : file
      }),
    )
}

/** By path; shared by all versions of a run. */
const compiled = new Map<string, File>()

const sourceOf = (path: string, { folder, isSource }: Toolkit): string =>
  readFileSync(join(folder, isSource ? path.replace(/\.js$/, '.ts') : path), 'utf8')

/** The targets of the `#names` that the runtime imports, without the conditions for running the toolkit from source. */
const importsOf = ({ manifest }: Toolkit) =>
  Object.fromEntries(
    Object.entries(manifest.imports).map(([name, platforms]) => [
      name,
      Object.fromEntries(
        Object.entries(platforms).map(([platform, target]) => [
          platform,
          `./${vendoredAs(target.default ?? '')}`,
        ]),
      ),
    ]),
  )
