import { type File, file, type Import, raw } from '../file.js'
import { folderHeader } from '../header.js'
import { readImports } from './declarations.js'

/**
 * Files of the same name as one, in their order: what is needed together is together. What one imported of another among
 * them is at hand by then.
 */
export function mergeFiles(files: readonly File[]): readonly File[] {
  const byName = new Map<string, File[]>()
  for (const one of files) {
    const known = byName.get(one.name)
    if (known) known.push(one)
    else byName.set(one.name, [one])
  }
  return [...byName].map(([name, all]) => (all.length === 1 && all[0] ? all[0] : joined(name, all)))
}

function joined(name: string, files: readonly File[]): File {
  const own = `./${name.slice(name.lastIndexOf('/') + 1, -'.ts'.length)}.js`
  const imports: Import[] = []
  const bodies = files.map(({ text }) => {
    const end = text.indexOf('\n\n')
    let body = text.slice(end + 2).trimEnd()
    for (const one of readImports(text.slice(0, end))) {
      if (one.from !== own) imports.push(one)
      const [meant = '', alias] = one.name.split(' as ')
      if (one.from === own && alias) body = body.replace(`= ${alias}[`, () => `= ${meant}[`)
    }
    return body
  })
  return file(name, folderHeader(), { ...raw(bodies.join('\n\n')), imports })
}
