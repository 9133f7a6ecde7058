import { type File, type Fragment, file, join } from '../file.js'
import { folderHeader, header } from '../header.js'

/** The folder of all folders. */
export const BY_TAG = 'by-tag'

/**
 * The name of a file of a folder, `repos` and `http.types.ts`, or of a place within one, `repos/repos-get`; the whole has
 * neither.
 */
export const nameIn = (where: string | undefined, name: string): string => {
  if (where === undefined) return name
  return isPlace(where) ? `${BY_TAG}/${where}${ENDINGS[name] ?? ''}` : `${BY_TAG}/${where}/${name}`
}

/** What a file of one folder or place imports the file of another by. */
export function moduleFrom(from: string | undefined, to: string | undefined, name: string): string {
  const module = `${nameIn(to, name).slice(0, -'.ts'.length)}.js`
  if (from === undefined) return `./${module}`
  if (to === undefined) return `../../${module}`
  const inRoom = module.slice(BY_TAG.length + 1)
  const folder = folderIn(to)
  return folder === folderIn(from) ? `.${inRoom.slice(folder.length)}` : `../${inRoom}`
}

/** What a file of the whole imports, `./http.types.js`, as the same file of a folder or a place imports its own. */
export function movedTo(where: string | undefined, from: string): string {
  if (where === undefined || !from.startsWith('./')) return from
  const name = from.slice(2).replace(/\.js$/, '.ts')
  // What methods need is in the whole alone.
  return moduleFrom(where, Object.hasOwn(ENDINGS, name) ? where : undefined, name)
}

export const isPlace = (where: string): boolean => where.includes('/')

/** What a folder passes on of a place, where there is more than what belongs to one kind of files. */
export function passedOn(names: readonly string[], from: string): string {
  const line = `export { ${names.join(', ')} } from '${from}'`
  if (line.length <= WIDTH) return line
  return `export {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}'`
}

const WIDTH = 100

const folderIn = (where: string): string => {
  const end = where.indexOf('/')
  return end < 0 ? where : where.slice(0, end)
}

/**
 * A place has few files: what one would import, called by its name alone; the types and checks of its schemas, which are
 * always read together; and what is loaded when a value was refused.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  'http.client.ts': '.ts',
  'operations.ts': '.ts',
  'http.types.ts': '.schemas.ts',
  'validators.ts': '.schemas.ts',
  'explanations.ts': '.explanations.ts',
}

/** What a module has at a place, in a folder, or as the whole. */
export type Part = {
  readonly where: string | undefined
  /** Of the module: `validators.ts`. */
  readonly name: string
  readonly body: Fragment
}

/** The files of some parts. Those of one file are one behind another: what is needed together is together. */
export function filesOf(parts: readonly Part[]): readonly File[] {
  const byName = new Map<string, Part[]>()
  for (const one of parts) {
    const name = nameIn(one.where, one.name)
    const known = byName.get(name)
    if (known) known.push(one)
    else byName.set(name, [one])
  }
  return [...byName].map(([name, all]) => {
    const head = all[0]?.where === undefined ? header() : folderHeader()
    return file(
      name,
      join(
        all.map(({ body }) => body),
        '\n\n',
      ),
      head,
    )
  })
}
