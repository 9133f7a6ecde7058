/** The folder of all folders. */
export const ROOM = 'by-tag'

/** The name of a file of a folder, `repos` and `http.types.ts`; the whole has no folder. */
export const nameIn = (folder: string | undefined, name: string): string =>
  folder === undefined ? name : `${ROOM}/${folder}/${name}`

/** What a file of one folder imports the file of another by. */
export function moduleFrom(from: string | undefined, to: string | undefined, name: string): string {
  const module = name.replace(/\.ts$/, '.js')
  if (from === to) return `./${module}`
  if (from === undefined) return `./${ROOM}/${to}/${module}`
  return to === undefined ? `../../${module}` : `../${to}/${module}`
}
