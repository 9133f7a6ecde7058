/** The folder that contains all folders. */
export const BY_TAG = 'by-tag'

/**
 * The name of a file of a folder, `repos` and `http.types.ts`, or of a place within one, `repos/repos-get`; `where`
 * is undefined for the whole document.
 */
export const nameIn = (where: string | undefined, name: string): string => {
  if (where === undefined) return name
  return isPlace(where) ? `${BY_TAG}/${where}${ENDINGS[name] ?? ''}` : `${BY_TAG}/${where}/${name}`
}

/** The specifier by which a file of one folder or place imports that of another. */
export function moduleFrom(from: string | undefined, to: string | undefined, name: string): string {
  const module = `${nameIn(to, name).slice(0, -'.ts'.length)}.js`
  if (from === undefined) return `./${module}`
  if (to === undefined) return `../../${module}`
  const inFolder = module.slice(BY_TAG.length + 1)
  const folder = folderIn(to)
  return folder === folderIn(from) ? `.${inFolder.slice(folder.length)}` : `../${inFolder}`
}

/** The import of a file of the whole document, `./http.types.js`, changed for the same file of a folder or a place. */
export function movedTo(where: string | undefined, from: string): string {
  if (where === undefined || !from.startsWith('./')) return from
  const name = from.slice(2).replace(/\.js$/, '.ts')
  // Only the whole document has the files of methods.
  return moduleFrom(where, Object.hasOwn(ENDINGS, name) ? where : undefined, name)
}

export const isPlace = (where: string): boolean => where.includes('/')

const folderIn = (where: string): string => {
  const end = where.indexOf('/')
  return end < 0 ? where : where.slice(0, end)
}

/**
 * A place has few files. One has the name of the place alone, and is the one to import. One has the types and checks
 * of its schemas, which are always read together. One is loaded when a value was rejected.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  'http.client.ts': '.ts',
  'operations.ts': '.ts',
  'http.types.ts': '.schemas.ts',
  'validators.ts': '.schemas.ts',
  'explanations.ts': '.explanations.ts',
}
