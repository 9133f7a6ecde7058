/** The folder of all folders. */
export const ROOM = 'by-tag'

/**
 * The name of a file of a folder, `repos` and `http.types.ts`, or of a place within one, `repos/repos-get`; the whole has
 * neither.
 */
export const nameIn = (where: string | undefined, name: string): string => {
  if (where === undefined) return name
  return isPlace(where) ? `${ROOM}/${where}${ENDINGS[name] ?? ''}` : `${ROOM}/${where}/${name}`
}

/** What a file of one folder or place imports the file of another by. */
export function moduleFrom(from: string | undefined, to: string | undefined, name: string): string {
  const module = `${nameIn(to, name).slice(0, -'.ts'.length)}.js`
  if (from === undefined) return `./${module}`
  if (to === undefined) return `../../${module}`
  const inRoom = module.slice(ROOM.length + 1)
  const folder = folderIn(to)
  return folder === folderIn(from) ? `.${inRoom.slice(folder.length)}` : `../${inRoom}`
}

/** What a file of the whole imports, `./http.types.js`, as the same file of a folder or a place imports its own. */
export function movedTo(where: string | undefined, from: string): string {
  if (where === undefined || !from.startsWith('./')) return from
  const name = from.slice(2).replace(/\.js$/, '.ts')
  // What methods need stands in the whole alone.
  return moduleFrom(where, Object.hasOwn(ENDINGS, name) ? where : undefined, name)
}

const isPlace = (where: string): boolean => where.includes('/')

const folderIn = (where: string): string => {
  const end = where.indexOf('/')
  return end < 0 ? where : where.slice(0, end)
}

/** A place has a file for each kind, and what is called by its name alone is what one would import. */
const ENDINGS: Readonly<Record<string, string>> = {
  'http.client.ts': '.ts',
  'http.types.ts': '.types.ts',
  'operations.ts': '.operation.ts',
  'validators.ts': '.validators.ts',
  'explanations.ts': '.explanations.ts',
}
