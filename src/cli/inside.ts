import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isWithin } from '../read/reference-copies.js'

/**
 * The first symbolic link on the way from `folder` to `path` that leads out of the folder, and where it leads: a checkout may
 * contain links to any file of its user. Undefined if there is none. The folder itself may be a link, because the user named it.
 */
export const linkOutOf = (
  folder: string,
  path: string,
): (LinkOut & { readonly link: string }) | undefined => {
  const root = realPathOf(resolve(folder))
  const names = relative(resolve(folder), resolve(path)).split(sep)
  for (const count of names.keys()) {
    const link = join(folder, ...names.slice(0, count + 1))
    const target = realPathOf(resolve(link))
    if (!isWithin(root, target)) return { link, target }
  }
  return undefined
}

/**
 * The way by which `path` leads out of `folder`: a link below the folder, or the path itself. Undefined if the path stays inside.
 */
export const wayOutOf = (folder: string, path: string): LinkOut | undefined => {
  if (isWithin(resolve(folder), resolve(path))) return linkOutOf(folder, path)
  const target = realPathOf(resolve(path))
  return isWithin(realPathOf(resolve(folder)), target) ? undefined : { link: undefined, target }
}

/**
 * The project of a folder: the nearest folder at or above it with `.git`, else the nearest with `package.json`, else the folder
 * itself.
 */
export const projectOf = (folder: string): string =>
  nearestWith('.git', folder) ?? nearestWith('package.json', folder) ?? resolve(folder)

const nearestWith = (name: string, folder: string): string | undefined => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at
    if (dirname(at) === at) return undefined
  }
}

type LinkOut = {
  /** Undefined if no link below the folder is on the way. */
  readonly link: string | undefined
  readonly target: string
}

/** The path without links, also of a file that does not exist: writing through a link to it would create it. */
const realPathOf = (path: string, linksLeft = MOST_LINKS): string => {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    const folder = realPathOf(dirname(path), linksLeft)
    const own = join(folder, basename(path))
    const isLink = lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink() === true
    if (!isLink || linksLeft === 0) return own
    return realPathOf(resolve(folder, readlinkSync(own)), linksLeft - 1)
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40
